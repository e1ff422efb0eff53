"""Holds the audit of any two texts without a recorded edit: what was inserted, renamed or moved is found by comparison.

Never asks a model, and never calls a free rewording sound: it says that it is one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Literal, NamedTuple

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.audit.rules import rule
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.twins.quantities import values
from glass_pipeline.domain.twins.segmentation import split_sentences
from glass_pipeline.domain.twins.vocabulary import OPENERS

Kind = Literal["identical", "reordered", "renamed", "inserted", "reworded"]

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d,.]*|\S")
WORD_OR_NUMBER = re.compile(r"\w+")
LONGEST_TEXT = 10_000
"""Characters compared of each text; more is refused, for a word diff takes quadratic time."""

SAME_SENTENCE = 0.5
"""Least share of common words at which two sentences are taken for one."""


class PairError(BadInput):
    """Two texts cannot be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVerdict:
    """What the rules say of two texts, and what they found between them."""

    kind: Kind
    inserted: tuple[str, ...]
    """Sentences and phrases that say something the base does not."""
    reworded: tuple[str, ...]
    """Sentences and phrases that may say in other words what the base lost."""
    removed: tuple[str, ...]
    """Sentences and phrases of the base that the twin does not have word for word."""
    names: dict[str, str]
    """Name of the base → name of the twin."""
    entity_collision: bool
    gold_number: bool
    multi_question: bool
    altered_base: bool
    unit_compatible: bool
    unverifiable_gold: bool
    keep: bool
    reasons: tuple[str, ...]


class Difference(NamedTuple):
    """What one text has and the other has not."""

    inserted: tuple[str, ...]
    reworded: tuple[str, ...]
    removed: tuple[str, ...]
    names: dict[str, str]
    is_reordered: bool


def audit_pair(base_text: str, twin_text: str, gold: str) -> PairVerdict:
    """Ask every rule about two texts.

    Without a recorded edit, ``altered_base`` means that the twin no longer states some value of the base, or gives two
    persons one name; that a free rewording keeps the meaning only an adjudicator can tell (``kind``).

    Args:
        base_text: The problem as published.
        twin_text: The reworded problem.
        gold: The gold answer of the base.

    Raises:
        PairError: a text is longer than the comparison can take.
    """
    difference = compare(base_text, twin_text)
    ruling = rule(_case(base_text, twin_text, gold, difference))
    return PairVerdict(
        kind=_kind(difference),
        inserted=difference.inserted,
        reworded=difference.reworded,
        removed=difference.removed,
        names=difference.names,
        **ruling.verdicts,
        keep=ruling.keep,
        reasons=ruling.reasons,
    )


def case_of_pair(base_text: str, twin_text: str, gold: str) -> Case:
    """Return the case that the rules are asked about for two texts."""
    return _case(base_text, twin_text, gold, compare(base_text, twin_text))


def compare(base_text: str, twin_text: str) -> Difference:
    """Find what a twin inserted, removed, renamed and moved: first by whole sentences, then by words.

    Raises:
        PairError: a text is longer than ``LONGEST_TEXT`` characters.
    """
    if max(len(base_text), len(twin_text)) > LONGEST_TEXT:
        raise PairError(f"A text has more than {LONGEST_TEXT} characters; compare shorter ones.")
    base, twin = _cores(base_text), _cores(twin_text)
    shared = Counter(base) & Counter(twin)
    lost, gained = _leftover(base, shared), _leftover(twin, shared)
    inserted: list[str] = []
    removed: list[str] = []
    names: dict[str, str] = {}
    for sentence in lost:
        partner = _partner(sentence, gained)
        if partner is None:
            removed.append(sentence)
            continue
        gained.remove(partner)
        _compare_words(sentence, partner, inserted, removed, names)
    common = [sentence for sentence in base if shared[sentence]]
    is_reordered = common != [sentence for sentence in twin if shared[sentence]]
    added = [text for text in inserted + gained if WORD_OR_NUMBER.search(text)]
    # Where the base lost words, new words without a new value may be what they were replaced by.
    restates = [bool(removed) and not values(text) - values(base_text) for text in added]
    return Difference(
        inserted=tuple(text for text, is_restated in zip(added, restates, strict=True) if not is_restated),
        reworded=tuple(text for text, is_restated in zip(added, restates, strict=True) if is_restated),
        removed=tuple(text for text in removed if WORD_OR_NUMBER.search(text)),
        names={old: new for old, new in names.items() if old != new},
        is_reordered=is_reordered,
    )


def _case(base_text: str, twin_text: str, gold: str, difference: Difference) -> Case:
    twin_values = values(twin_text)
    lost_values = [value for value in values(base_text) if not _states_again(value, twin_values)]
    injective = len(set(difference.names.values())) == len(difference.names)
    return Case(
        base_text=base_text,
        twin_text=twin_text,
        gold=gold,
        inserted=difference.inserted,
        reworded=difference.reworded,
        new_names=tuple(difference.names.values()),
        is_base_kept=not lost_values and injective,
    )


def _states_again(value: Fraction, twin_values: frozenset[Fraction]) -> bool:
    """Return whether a value of the base stands in the twin, as itself or as a percentage ("half" for 50 %).

    One is always there: "an hour" and "a car" state it without a number.
    """
    same = {value, value * 100} if value < 1 else {value, value / 100} if value < 100 else {value}
    return value == 1 or not twin_values.isdisjoint(same)


def _cores(text: str) -> list[str]:
    return [" ".join(piece.split()) for piece in split_sentences(text)]


def _leftover(sentences: Sequence[str], shared: Counter[str]) -> list[str]:
    rest = Counter(shared)
    leftover = []
    for sentence in sentences:
        if rest[sentence]:
            rest[sentence] -= 1
        else:
            leftover.append(sentence)
    return leftover


def _partner(sentence: str, candidates: Sequence[str]) -> str | None:
    """Return the candidate that shares most words with a sentence, if it shares enough."""
    own = Counter(WORD.findall(sentence))
    if not candidates or not own:
        return None

    def shared(candidate: str) -> float:
        return (own & Counter(WORD.findall(candidate))).total() / own.total()

    best = max(candidates, key=shared)
    return best if shared(best) >= SAME_SENTENCE else None


def _compare_words(base: str, twin: str, inserted: list[str], removed: list[str], names: dict[str, str]) -> None:
    old, new = WORD.findall(base), WORD.findall(twin)
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if tag == "replace" and _renames(old[i:j], new[k:m], names):
            continue
        if k < m:
            inserted.append(" ".join(new[k:m]))
        if i < j:
            removed.append(" ".join(old[i:j]))


def _renames(old: Sequence[str], new: Sequence[str], names: dict[str, str]) -> bool:
    """Return whether every word of one stretch is a name put in place of another, and note which."""
    pairs = [(_bare(a), _bare(b)) for a, b in zip(old, new, strict=False)]
    if len(old) != len(new) or not all(_may_be_name(a) and _may_be_name(b) for a, b in pairs):
        return False
    if any(names.get(a, b) != b for a, b in pairs):
        return False
    names.update(pairs)
    return True


def _may_be_name(word: str) -> bool:
    return word[:1].isupper() and word.lower() not in OPENERS


def _bare(word: str) -> str:
    return re.sub(r"['’]s?$", "", word)


def _kind(difference: Difference) -> Kind:
    if difference.removed or difference.reworded:
        return "reworded"
    if difference.inserted:
        return "inserted"
    if difference.names:
        return "renamed"
    return "reordered" if difference.is_reordered else "identical"
