"""Holds when to stop sampling because no further sample can change the modal answer.

Never used for base runs: their pass rate Ȳ needs every sample.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

_MAX_SAMPLES = 1_000


def can_stop(answers_so_far: Sequence[str | None], total: int) -> bool:
    """Return whether the modal answer of all ``total`` samples is settled.

    The leader (most votes, then first seen) is safe if for every other answer a, seen or not,
    votes(leader) - votes(a) > remaining, or equals remaining and the leader appeared before a: then even a tie goes to
    the leader. Samples without an answer never vote.

    Args:
        answers_so_far: Canonical answers in the order of sampling; None for a sample without one.
        total: Samples that a full run would draw.

    Raises:
        ValueError: more samples were drawn than ``total``.

    Source: methods §12.2 (tie rule of §1.1).
    """
    remaining = total - len(answers_so_far)
    if remaining < 0:
        raise ValueError(f"{len(answers_so_far)} samples were drawn of {total}; give the total of the full run.")
    if remaining == 0:
        return True
    votes = Counter(answer for answer in answers_so_far if answer is not None)
    if not votes:
        return False
    leader, lead = max(votes.items(), key=lambda item: item[1])
    if lead < remaining:
        return False
    order = list(votes)
    return all(
        lead - count > remaining or (lead - count == remaining and order.index(leader) < order.index(answer))
        for answer, count in votes.items()
        if answer != leader
    )


def expected_draws(agreement: float, total: int) -> float:
    """Return the mean number of samples drawn with curtailment, for two possible answers.

    E[N] = sum over n of P(N > n), where each sample gives the one answer with probability ``agreement``, else the
    other, independently. Two answers are the slowest case for a given agreement of at least one half.

    Args:
        agreement: Probability in [0, 1] that a sample gives the first answer.
        total: Samples that a full run would draw.

    Raises:
        ValueError: the probability or the total is out of range.

    Source: methods §12.2: .9 gives 3.32 of 5.
    """
    if not 0 <= agreement <= 1 or not 1 <= total <= _MAX_SAMPLES:
        raise ValueError(f"agreement {agreement} and total {total} must lie in [0, 1] and [1, {_MAX_SAMPLES}].")
    running = {("a", 1, 0): agreement, ("b", 0, 1): 1 - agreement}
    draws = 1.0
    for _ in range(1, total):
        grown: defaultdict[tuple[str, int, int], float] = defaultdict(float)
        for (first, a_votes, b_votes), probability in running.items():
            if _is_settled(first, a_votes, b_votes, total):
                continue
            draws += probability
            grown[first, a_votes + 1, b_votes] += probability * agreement
            grown[first, a_votes, b_votes + 1] += probability * (1 - agreement)
        running = dict(grown)
    return draws


def _is_settled(first: str, a_votes: int, b_votes: int, total: int) -> bool:
    votes = ["a"] * a_votes + ["b"] * b_votes
    return can_stop(votes if first == "a" else votes[::-1], total)
