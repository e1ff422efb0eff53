"""Holds the three most surprising items: real words, changed words marked, both answers.

Never shows an item that the tables do not hold, and never shortens a changed stretch.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from glass_pipeline.domain.report.blocks import Aid, Block, Missing, Section, Specimen
from glass_pipeline.domain.report.display_text import family_name, visible
from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.fragment import fragment
from glass_pipeline.domain.report.numerals import NONE
from glass_pipeline.domain.report.surprise import Surprise, most_surprising
from glass_pipeline.domain.report.word_diff import Run, shortened

SHOWN = 3
WORDS_AROUND = 14
LONGEST_RUN = 1_200
"""Characters of one stretch of a specimen; the item itself shows all."""


def section(evidence: Evidence) -> Section:
    """Return the specimens, or say that nothing broke."""
    surprises = most_surprising(evidence, SHOWN)
    by_solver = {one.solver: one for one in evidence.solvers}
    gold = dict(evidence.given.base_problems.select("base_id", "gold").iter_rows())
    several = len(by_solver) > 1
    blocks: tuple[Block, ...] = tuple(_specimen(one, by_solver[one.solver], gold, several) for one in surprises)
    if not blocks:
        broke = "No answered twin broke a solved problem." if _has_pairs(evidence) else "No twin is answered yet."
        blocks = (Missing(broke),)
    else:
        blocks = (
            *blocks,
            Aid(
                "Chosen by rule: the solver is surest on the original, surest of a wrong answer on the twin, and "
                "fewest words differ. They are extremes, not typical items."
            ),
        )
    return Section(
        slug="surprising",
        title="The most surprising items",
        blocks=blocks,
        summary={"twins": [f"{one.solver}: {one.pair['twin_id']}" for one in surprises]},
        place="lead",
    )


def _has_pairs(evidence: Evidence) -> bool:
    return any(not one.scored.is_empty() for one in evidence.solvers)


def _named(one: SolverEvidence) -> str:
    return f"{one.solver} (simulated)" if one.is_simulated else one.solver


def _specimen(surprise: Surprise, one: SolverEvidence, gold: dict[str, str], is_one_of_several: bool) -> Specimen:
    pair = surprise.pair
    same_base = one.base_labels.filter((pl.col("base_id") == pair["base_id"]) & (pl.col("dose") == pair["file_dose"]))
    same_twin = one.twin_labels.filter(
        (pl.col("base_id") == pair["base_id"]) & (pl.col("text_hash") == pair["text_hash"])
    )
    base = next(same_base.iter_rows(named=True), None)
    twin = next(same_twin.iter_rows(named=True), None)
    return Specimen(
        base_id=visible(pair["base_id"]),
        solver=_named(one) if is_one_of_several else "",
        anchor=fragment(pair["base_id"], one.solver),
        label=f"{family_name(pair['family'])}, dose {pair['file_dose']}",
        runs=tuple(Run(run.kind, _bounded(visible(run.text))) for run in shortened(surprise.runs, WORDS_AROUND)),
        gold=visible(gold.get(pair["base_id"], NONE)),
        base_answer=_answer(base),
        twin_answer=_answer(twin),
        base_score=_score(base),
        twin_score=_score(twin),
        base_words=_words(base),
        twin_words=_words(twin),
    )


def _bounded(text: str) -> str:
    return text if len(text) <= LONGEST_RUN else f"{text[:LONGEST_RUN]}…"


def _answer(label: dict[str, Any] | None) -> str:
    return NONE if label is None or label["modal_answer"] is None else visible(label["modal_answer"])


def _score(label: dict[str, Any] | None) -> str:
    return "" if label is None else f"{label['n_correct']} of {label['n_samples']} right"


def _words(label: dict[str, Any] | None) -> str:
    """Return the first output that gave the modal answer, else the first output."""
    if label is None or not label["outputs"]:
        return ""
    modal = label["modal_answer"]
    answers = label["answers"]
    at = answers.index(modal) if modal in answers else 0
    outputs = label["outputs"]
    return _bounded(visible(outputs[at if at < len(outputs) else 0] or ""))
