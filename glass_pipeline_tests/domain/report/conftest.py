"""Fixtures of the report's tests: small suites made row by row, so that every number can be worked out by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.schemas import TABLES

Row = dict[str, Any]
BASE_TEXT = "Mia has 3 boxes of 6 pens. She gives 4 pens to Leo. How many pens are left?"


class Rows:
    """Makes rows with sensible values for every column that a test does not care about."""

    def problem(self, base_id: str = "item-1", **changes: Any) -> Row:
        """One base problem."""
        return {
            "base_id": base_id,
            "text": BASE_TEXT,
            "gold": "14",
            "answer_type": "numeric",
            "gold_solution": None,
            "category": "prices",
            "level": None,
            "gold_steps": 2,
            "declared_complexity": 2.0,
            "complexity_score": 0.3,
            "revision": "r1",
            "licence": "MIT",
        } | changes

    def samples(self, answers: Sequence[str | None] = ("14",) * 5, gold: str = "14", **changes: Any) -> Row:
        """The sample columns of a label; the modal answer is the most frequent one."""
        said = [answer for answer in answers if answer is not None]
        return {
            "modal_answer": max(said, key=said.count) if said else None,
            "n_samples": len(answers),
            "n_correct": sum(answer == gold for answer in answers),
            "answers": list(answers),
            "rules": ["hash_marks"] * len(answers),
            "statuses": ["ok"] * len(answers),
            "outputs": [f"So it is {answer}." for answer in answers],
            "prompt_tokens": 50,
            "completion_tokens": 20,
            "cost_usd": 0.01,
        } | changes

    def base_label(self, base_id: str = "item-1", dose: int = 1, solver: str = "alpha", **changes: Any) -> Row:
        """One base solved in one dose run."""
        run_id, samples = f"base/m{dose}", self.samples()
        return {
            "dose": dose,
            "solver": solver,
            "base_id": base_id,
            "run_id": run_id,
            "y_base": 1,
            **samples,
        } | changes

    def twin_label(self, pair: Mapping[str, Any], **changes: Any) -> Row:
        """The label of a pair's twin."""
        answers = ("14",) * 5 if pair["y_twin"] else ("9",) * 5
        own = ("solver", "base_id", "twin_id", "text_hash", "family", "inject_size", "y_twin")
        return {"dose": pair["file_dose"], **{name: pair[name] for name in own}, **self.samples(answers)} | changes

    def pair(self, base_id: str = "item-1", twin_id: str = "item-1-a", **changes: Any) -> Row:
        """One labelled pair: base solved, twin failed, unless changed."""
        row = {
            "solver": "alpha",
            "base_id": base_id,
            "twin_id": twin_id,
            "operator": "entity_rename",
            "category": "prices",
            "complexity": "easy",
            "complexity_score": 0.3,
            "declared_complexity": 2.0,
            "base_text": BASE_TEXT,
            "twin_text": BASE_TEXT.replace("Mia", f"Nora {twin_id}"),
            "delta": 1,
            "d_obs": 1.0,
            "d_wc": 1.0,
            "y_base_mean": 1.0,
            "family": "entity_rename",
            "file_dose": 1,
            "inject_size": None,
            "generator": "rules",
            "run_id": "base/m1",
            "y_base_run": 1,
            "n_base_correct": 5,
            "n_base": 5,
            "y_twin": 0,
            "twin_samples_correct": 0,
            "audit": "{}",
            "gold_steps": 2,
            "source_distractor_ids": [],
        } | changes
        return {"text_hash": hashlib.sha256(row["twin_text"].encode()).hexdigest()} | row

    def job(self, base_id: str = "item-1", n: int = 4, k: int = 1, **changes: Any) -> Row:
        """One job of ``causal_difficulty``, in the stratum."""
        families = ("sentence_reorder", "entity_rename", "math_irrelevant_context")
        counts = {f"{letter}_{family}": 0 for family in families for letter in "nk"}
        return {
            "solver": "alpha",
            "slice": "pooled",
            "base_id": base_id,
            "category": "prices",
            "declared_complexity": 2.0,
            "y_base_mean": 1.0,
            "n_base": 5,
            "in_stratum": True,
            "n": n,
            "k": k,
            "pi": k / n if n else None,
            "pi_low": 0.1,
            "pi_high": 0.5,
            "jeffreys_low": 0.1,
            "jeffreys_high": 0.5,
            "d_avg": k / n if n else None,
            "d_wc": 1.0,
            "a": -1.5,
            "b": 0.1,
            "a_inject": -1.4,
            "b_inject": 0.2,
            "crd": 0.02,
            "always_solved": n - k,
            "breaks": k,
            "repaired": 0,
            "never_solved": 0,
            **counts,
            "n_entity_rename": n,
            "k_entity_rename": k,
            "doses": [1],
        } | changes

    def correlation(self, against: str = "declared", **changes: Any) -> Row:
        """What pi of the pooled slice shares with one proxy."""
        return {
            "solver": "alpha",
            "slice": "pooled",
            "removed": "nothing",
            "kind": "nothing",
            "against": against,
            "is_crd": False,
            "n_jobs": 40,
            "corr": 0.6,
            "corr_p": 0.0005,
            "rho": 0.5,
            "rho_p": 0.002,
            "rank_kept": 1.0,
            "bound": 0.4743,
            "is_orthogonal": False,
            "note": "",
        } | changes

    def budget(self, base_id: str = "item-1", **changes: Any) -> Row:
        """What nine new twins would do to one job."""
        return {
            "solver": "alpha",
            "slice": "m9",
            "base_id": base_id,
            "twins": 9,
            "n": 4,
            "k": 1,
            "rate": 0.2,
            "worst_case": 0.8,
            "half": 5,
            "at_least_half": 0.1,
            "worst_case_curve": 0.9,
            "at_least_half_curve": 0.2,
            "note": "",
        } | changes

    def audit(self, twin_id: str = "item-1-a", base_id: str = "item-1", **changes: Any) -> Row:
        """The audit of one twin, kept."""
        return {
            "base_id": base_id,
            "twin_id": twin_id,
            "dose": 1,
            "family": "entity_rename",
            "entity_collision": False,
            "gold_number": False,
            "multi_question": False,
            "altered_base": False,
            "unit_compatible": False,
            "unverifiable_gold": False,
            "adjudicators": [],
            "verdicts": [],
            "rationales": [],
            "keep": True,
            "reasons": [],
        } | changes

    def twin(self, twin_id: str = "item-1-a", base_id: str = "item-1", **changes: Any) -> Row:
        """One reworded problem."""
        return {
            "base_id": base_id,
            "twin_id": twin_id,
            "dose": 1,
            "family": "entity_rename",
            "inject_size": None,
            "operator": "entity_rename",
            "text": BASE_TEXT.replace("Mia", "Nora"),
            "text_hash": "h",
            "generator": "rules",
            "edit": "{}",
        } | changes

    def decline(self, base_id: str = "item-1", dose: int = 1, **changes: Any) -> Row:
        """One refusal of one operator."""
        return {
            "base_id": base_id,
            "dose": dose,
            "family": "sentence_reorder",
            "reason": "too short",
        } | changes


@pytest.fixture(scope="session")
def rows() -> Rows:
    """Maker of single rows."""
    return Rows()


@pytest.fixture(scope="session")
def make_input() -> Callable[..., ReportInput]:
    """Build a ReportInput from lists of rows; what is not given is absent."""

    def build(suite: str = "toy", settings: Mapping[str, Any] | None = None, **tables: Sequence[Row]) -> ReportInput:
        frames = {
            name: pl.DataFrame(list(given), schema=TABLES[name].schema, orient="row") for name, given in tables.items()
        }
        return ReportInput(suite=suite, **frames, **(settings or {}))

    return build


@pytest.fixture(scope="session")
def toy(rows: Rows, make_input: Callable[..., ReportInput]) -> ReportInput:
    """Two items: item-1 with a break, a kept twin and a repeated text; item-2 never solved."""
    broke = rows.pair(twin_id="item-1-a")
    kept = rows.pair(twin_id="item-1-b", y_twin=1, delta=0, twin_samples_correct=5)
    again = {**broke, "twin_id": "item-1-c", "file_dose": 3, "run_id": "base/m3"}
    never = rows.pair("item-2", "item-2-a", y_base_run=0, y_twin=0, delta=0, n_base_correct=0)
    pairs = [broke, kept, again, never]
    return make_input(
        base_problems=[rows.problem(), rows.problem("item-2", category="times")],
        noop_audit=[rows.audit(pair["twin_id"], pair["base_id"]) for pair in pairs],
        base_labels=[
            rows.base_label(dose=1),
            rows.base_label(dose=3),
            rows.base_label("item-2", y_base=0, **rows.samples(("9",) * 5)),
        ],
        solver_labels=[rows.twin_label(pair) for pair in pairs],
        labeled_pairs=pairs,
        causal_difficulty=[
            rows.job(n=2, k=1),
            rows.job("item-2", n=0, k=0, in_stratum=False, y_base_mean=0.0, d_avg=0.0, pi_low=None, pi_high=None),
        ],
        orthogonality=[rows.correlation(n_jobs=1, corr=None, corr_p=None, note="fewer than 10 jobs")],
        budget_targets=[rows.budget()],
        settings={"doses_held": (1, 3), "doses_missing": (5,), "manifest": {"seed": "42"}},
    )
