"""Holds everything that opens with one item: its base, every twin, and what each solver answered.

Never holds the outputs together with the rest: they are the bulk, and travel separately.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.report.break_reason import break_reason
from glass_pipeline.domain.report.display_text import family_name, rule_name, visible
from glass_pipeline.domain.report.evidence import Evidence

FLAGS = (
    "entity_collision",
    "gold_number",
    "multi_question",
    "altered_base",
    "unit_compatible",
    "unverifiable_gold",
)
WRONG = {"broke", "never"}
"""Outcomes that leave something to explain."""
LABELS = ["modal_answer", "n_correct", "n_samples", "answers", "rules", "statuses", "outputs"]


class ItemDetails(NamedTuple):
    """One item in three parts, in the order in which they are worth their bytes."""

    base_id: str
    row: int
    """Row of the index."""
    core: dict[str, Any]
    """Texts, answers, verdicts."""
    broken_outputs: dict[str, list[str]]
    """Outputs on twins that broke and on the base, by label key."""
    other_outputs: dict[str, list[str]]
    """All other outputs, by label key."""
    breaks: int
    """Breaks over all solvers."""


def item_details(evidence: Evidence) -> Iterator[ItemDetails]:
    """Yield the details of every item, in order of id."""
    given = evidence.given
    audit = {row["twin_id"]: _audit(row) for row in given.noop_audit.iter_rows(named=True)}
    pairs = _rows_by_base(_pairs(evidence))
    base_labels = _rows_by_base(given.base_labels.sort("base_id", "solver", "dose"))
    twin_labels = {
        (one.solver, row["base_id"], row["text_hash"]): row
        for one in evidence.solvers
        for row in one.twin_labels.select("base_id", "text_hash", *LABELS).iter_rows(named=True)
    }
    for row, problem in enumerate(given.base_problems.sort("base_id").iter_rows(named=True)):
        base_id = problem["base_id"]
        item = _Item(problem)
        for label in base_labels.get(base_id, []):
            item.add_base(label)
        for pair in pairs.get(base_id, []):
            item.add_pair(pair, twin_labels.get((pair["solver"], base_id, pair["text_hash"])), audit)
        yield item.details(row)


class _Item:
    """Collects one item."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        self.runs: list[dict[str, Any]] = []
        self.twins: dict[str, dict[str, Any]] = {}
        self.broken: dict[str, list[str]] = {}
        self.other: dict[str, list[str]] = {}
        self.breaks = 0

    def add_base(self, label: dict[str, Any]) -> None:
        self.runs.append({"solver": label["solver"], "dose": label["dose"], "y": label["y_base"], **_label(label)})
        self.broken[f"base/{label['solver']}/{label['dose']}"] = _outputs(label)

    def add_pair(self, pair: dict[str, Any], label: dict[str, Any] | None, audit: dict[str, dict[str, Any]]) -> None:
        twin = self.twins.get(pair["text_hash"])
        if twin is None:
            twin = self.twins[pair["text_hash"]] = {
                "id": visible(pair["twin_id"]),
                "text": visible(pair["twin_text"]),
                "family": family_name(pair["family"]),
                "size": pair["inject_size"],
                "doses": [],
                "generator": visible(pair["generator"]),
                "audit": audit.get(pair["twin_id"]),
                "by": {},
            }
        if pair["file_dose"] not in twin["doses"]:
            twin["doses"].append(pair["file_dose"])
        if pair["solver"] in twin["by"]:
            return
        number = list(self.twins).index(pair["text_hash"])
        outcome = _outcome(pair)
        twin["by"][pair["solver"]] = {"outcome": outcome, **self._explained(label, outcome)}
        self.breaks += outcome == "broke"
        outputs = self.broken if outcome == "broke" else self.other
        outputs[f"{number}/{pair['solver']}"] = _outputs(label) if label else []

    def _explained(self, label: dict[str, Any] | None, outcome: str) -> dict[str, Any]:
        if label is None:
            return {}
        shown = _label(label)
        return shown | {"why": break_reason(visible(self.problem["gold"]), shown)} if outcome in WRONG else shown

    def details(self, row: int) -> ItemDetails:
        problem = self.problem
        core = {
            "text": visible(problem["text"]),
            "gold": visible(problem["gold"]),
            "solution": None if problem["gold_solution"] is None else visible(problem["gold_solution"]),
            "level": problem["level"],
            "steps": problem["gold_steps"],
            "runs": self.runs,
            "twins": list(self.twins.values()),
        }
        return ItemDetails(problem["base_id"], row, core, self.broken, self.other, self.breaks)


def _pairs(evidence: Evidence) -> pl.DataFrame:
    """Return every solver's pairs; within a text, eligible ones first, then ascending dose (methods §1.4)."""
    columns = ["solver", "base_id", "twin_id", "text_hash", "family", "inject_size", "file_dose", "generator"]
    columns += ["twin_text", "y_base_run", "y_twin"]
    return evidence.given.labeled_pairs.select(columns).sort(
        ["base_id", "y_base_run", "file_dose", "twin_id", "solver"], descending=[False, True, False, False, False]
    )


def _rows_by_base(frame: pl.DataFrame) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in frame.iter_rows(named=True):
        grouped.setdefault(row["base_id"], []).append(row)
    return grouped


def _outcome(pair: dict[str, Any]) -> str:
    if pair["y_base_run"]:
        return "kept" if pair["y_twin"] else "broke"
    return "repaired" if pair["y_twin"] else "never"


def _label(label: dict[str, Any]) -> dict[str, Any]:
    return {
        "answer": None if label["modal_answer"] is None else visible(label["modal_answer"]),
        "correct": label["n_correct"],
        "samples": label["n_samples"],
        "answers": [None if answer is None else visible(answer) for answer in label["answers"] or []],
        "rules": [visible(rule or "") for rule in label["rules"] or []],
        "statuses": [visible(status or "") for status in label["statuses"] or []],
    }


def _outputs(label: dict[str, Any]) -> list[str]:
    return [visible(output or "") for output in label["outputs"] or []]


def _audit(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "keep": row["keep"],
        "reasons": [rule_name(reason or "") for reason in row["reasons"] or []],
        "flags": [rule_name(flag) for flag in FLAGS if row[flag]],
        "verdicts": [
            [visible(judge or ""), visible(verdict or ""), visible(rationale or "")]
            for judge, verdict, rationale in zip(
                row["adjudicators"] or [], row["verdicts"] or [], row["rationales"] or [], strict=False
            )
        ],
    }


def to_json(value: Any) -> str:
    """Write compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
