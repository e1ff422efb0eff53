"""Holds the way from problems and twins to questions, and from a solver's replies to the label tables.

Never asks a solver, and never decides whether an answer is right: that is ``labels``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.grading.labels import Label, Marking, Sample, label
from glass_pipeline.domain.grading.second_opinion import SecondOpinion
from glass_pipeline.domain.records import TRANSIENT_STATUSES, AnswerType, ItemFacts, Question, Reply
from glass_pipeline.domain.schemas import BASE_LABELS, BASE_PROBES, SOLVER_LABELS

TWIN_DRAW = "twin"
"""One set of samples a twin text and solver, in whichever dose it occurs."""

PROBE_DRAW = "probe"
"""Samples of a base beside its dose runs."""

TO_SOLVE = ("base_id", "twin_id", "text", "text_hash", "family", "inject_size")

Replies = Mapping[Any, Sequence[Reply]]
"""Replies by (item id, draw), as ``llm.solve`` returns them."""


def base_draw(dose: int) -> str:
    """Return the draw of a dose run's base samples: every run solves every base anew."""
    return f"base/m{dose}"


def base_questions(problems: pl.DataFrame, dose: int, samples: int) -> list[Question]:
    """Return one question a base problem, for the run of one dose."""
    return _questions(problems, base_draw(dose), samples)


def probe_questions(problems: pl.DataFrame, causal_difficulty: pl.DataFrame, samples: int) -> list[Question]:
    """Return one question a base problem of the stratum, for samples beside its dose runs."""
    solvable = causal_difficulty.filter(pl.col("slice") == "pooled", pl.col("in_stratum"))
    return _questions(problems.join(solvable, on="base_id", how="semi"), PROBE_DRAW, samples)


def _questions(problems: pl.DataFrame, draw: str, samples: int) -> list[Question]:
    return [
        Question(
            item_id=row["base_id"],
            text=row["text"],
            answer_type=row["answer_type"],
            draw=draw,
            samples=samples,
            facts=ItemFacts(gold=row["gold"], base_text=row["text"], family=None, inject_size=None),
        )
        for row in problems.iter_rows(named=True)
    ]


def twin_questions(
    problems: pl.DataFrame, twins: pl.DataFrame, samples: int, *, may_stop: bool = False
) -> list[Question]:
    """Return one question a twin; ``may_stop`` where a twin's modal answer is all that is wanted of it."""
    bases = problems.select("base_id", "answer_type", "gold", base_text="text")
    return [
        Question(
            item_id=row["twin_id"],
            text=row["text"],
            answer_type=row["answer_type"],
            draw=TWIN_DRAW,
            samples=samples,
            facts=ItemFacts(
                gold=row["gold"], base_text=row["base_text"], family=row["family"], inject_size=row["inject_size"]
            ),
            may_stop=may_stop,
        )
        for row in twins.join(bases, on="base_id").sort("base_id", "twin_id").iter_rows(named=True)
    ]


def to_solve(
    *,
    base_problems: pl.DataFrame,
    multiop_mix: pl.DataFrame,
    twins: pl.DataFrame | None = None,
    noop_audit: pl.DataFrame | None = None,
    base_labels: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the twins that one cell solves.

    Args:
        base_problems: The suite's problems.
        multiop_mix: The dose's mix.
        twins: The dose's unmixed twins; given with ``label_scope = "all"``, together with the audit.
        noop_audit: Which of them were kept.
        base_labels: Base labels of all dose runs held; given with ``stratum_only``, which solves twins only of
            bases with a pass rate of at least 0.5 over those runs.

    Returns:
        The columns TO_SOLVE, one row a twin.
    """
    chosen = multiop_mix.select(TO_SOLVE)
    if twins is not None and noop_audit is not None:
        kept = twins.join(noop_audit.filter("keep"), on="twin_id", how="semi")
        chosen = pl.concat([chosen, kept.select(TO_SOLVE)]).unique("twin_id")
    chosen = chosen.join(base_problems, on="base_id", how="semi")
    if base_labels is not None:
        passed = base_labels.group_by("base_id").agg(solvable=2 * pl.sum("n_correct") >= pl.sum("n_samples"))
        chosen = chosen.join(passed.filter("solvable"), on="base_id", how="semi")
    return chosen.sort("base_id", "twin_id")


def outside_stratum(*, base_labels: pl.DataFrame | None = None, **upstream: pl.DataFrame) -> int:
    """Return how many distinct twin texts a cell leaves out because the solver fails their base; see ``to_solve``."""
    if base_labels is None:
        return 0
    chosen = [to_solve(**upstream), to_solve(base_labels=base_labels, **upstream)]
    wide, narrow = (twins.select("base_id", "text_hash").unique().height for twins in chosen)
    return wide - narrow


def base_labels_frame(
    problems: pl.DataFrame,
    replies: Replies,
    *,
    dose: int,
    solver: str,
    second_opinion: SecondOpinion | None = None,
) -> pl.DataFrame:
    """Return ``base_labels`` of one dose run; a base without an answer to every sample has no row."""
    draw = base_draw(dose)
    rows = _base_rows(problems, replies, draw, second_opinion)
    return BASE_LABELS.frame({"dose": dose, "solver": solver, "run_id": draw, **row} for row in rows)


def base_probes_frame(
    problems: pl.DataFrame, replies: Replies, *, solver: str, second_opinion: SecondOpinion | None = None
) -> pl.DataFrame:
    """Return ``base_probes``; a base without an answer to every sample has no row."""
    rows = _base_rows(problems, replies, PROBE_DRAW, second_opinion)
    return BASE_PROBES.frame({"solver": solver, **row} for row in rows)


def _base_rows(
    problems: pl.DataFrame, replies: Replies, draw: str, second_opinion: SecondOpinion | None
) -> Iterator[dict[str, Any]]:
    items = [
        Item(row["base_id"], row["gold"], row["answer_type"], tuple(replies.get((row["base_id"], draw), ())))
        for row in problems.iter_rows(named=True)
    ]
    marked = mark(items, second_opinion)
    for item in items:
        if item.item_id in marked:
            found = marked[item.item_id]
            yield {"base_id": item.item_id, "y_base": found.y, **sample_columns(item, found)}


def twin_labels_frame(
    problems: pl.DataFrame,
    twins: pl.DataFrame,
    replies: Replies,
    *,
    dose: int,
    solver: str,
    second_opinion: SecondOpinion | None = None,
) -> pl.DataFrame:
    """Return ``solver_labels`` of one cell; a twin without an answer to every sample has no row."""
    rows = twins.join(problems.select("base_id", "gold", "answer_type"), on="base_id").rows(named=True)
    items = [
        Item(row["twin_id"], row["gold"], row["answer_type"], tuple(replies.get((row["twin_id"], TWIN_DRAW), ())))
        for row in rows
    ]
    marked = mark(items, second_opinion)
    return SOLVER_LABELS.frame(
        {
            "dose": dose,
            "solver": solver,
            **{name: row[name] for name in ("base_id", "twin_id", "text_hash", "family", "inject_size")},
            "y_twin": marked[item.item_id].y,
            **sample_columns(item, marked[item.item_id]),
        }
        for row, item in zip(rows, items, strict=True)
        if item.item_id in marked
    )


class Item(NamedTuple):
    """One base or twin with what its solver said."""

    item_id: str
    gold: str
    answer_type: AnswerType
    replies: tuple[Reply, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every sample has an answer or a terminal status; an endpoint's failure is never a break."""
        return bool(self.replies) and not any(reply.status in TRANSIENT_STATUSES for reply in self.replies)


def mark(items: Sequence[Item], second_opinion: SecondOpinion | None = None) -> dict[str, Label]:
    """Return the label of every complete item.

    Args:
        items: Items with their replies.
        second_opinion: Asked once, about all pairs of MATH answers that the own comparison leaves open.
    """
    complete = [item for item in items if item.is_complete]
    labels = {item.item_id: _label(item, Marking()) for item in complete}
    open_pairs = sorted({pair for each in labels.values() for pair in each.open_pairs})
    if second_opinion is None or not open_pairs:
        return labels
    marking = Marking(verdicts=dict(zip(open_pairs, second_opinion(open_pairs), strict=True)))
    return labels | {item.item_id: _label(item, marking) for item in complete if labels[item.item_id].open_pairs}


def _label(item: Item, marking: Marking) -> Label:
    samples = [
        Sample(status=reply.status, text=reply.text, finish_reason=reply.finish_reason) for reply in item.replies
    ]
    return label(samples, item.gold, item.answer_type, marking)


def sample_columns(item: Item, marked: Label) -> dict[str, Any]:
    """Return the columns that base and twin labels share."""
    return {
        "modal_answer": marked.modal_answer,
        "how": marked.how,
        "n_samples": marked.n_samples,
        "n_correct": marked.n_correct,
        "answers": list(marked.answers),
        "correct": list(marked.correct),
        "rules": list(marked.rules),
        "statuses": list(marked.statuses),
        "outputs": [reply.text for reply in item.replies],
        "prompt_tokens": _total([reply.prompt_tokens for reply in item.replies]),
        "completion_tokens": _total([reply.completion_tokens for reply in item.replies]),
        "cost_usd": _total([reply.cost_usd for reply in item.replies]),
    }


def _total(values: Sequence[float | None]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
