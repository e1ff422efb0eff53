"""Code versions are the changelog of our numbers: code that changed without a bump fails here."""

from __future__ import annotations

from pathlib import Path

import pytest

from glass_pipeline.defs.arc_lab import LAB, LAB_STAGES
from glass_pipeline.defs.code_versions import CODE, digest_of, effective_settings, root_suite
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.study import Solver, Study


@pytest.mark.parametrize("stage", CODE)
def test_a_stage_whose_code_changed_has_a_new_version(stage: str) -> None:
    """The recorded digest is that of the code; whoever changes a stage bumps its version and records the digest."""
    code = CODE[stage]
    digest = digest_of(code.sources)

    assert code.digest == digest, (
        f"the code of {stage} changed: in defs/code_versions.py write digest {digest!r}, and bump version "
        f"{code.version!r} if the change can alter a single row"
    )


def test_every_stage_has_code_that_exists() -> None:
    """A renamed module cannot drop out of the digest unseen."""
    package = Path(__file__).resolve().parents[2] / "glass_pipeline"

    assert CODE.keys() == {*STAGES, *(f"{LAB}/{stage}" for stage in LAB_STAGES)}
    assert [source for code in CODE.values() for source in code.sources if not (package / source).exists()] == []


def test_how_a_solver_is_operated_restales_nothing(study: Study) -> None:
    """Concurrency, limits and prices do not change an answer; the model does."""

    def settings(solver: Solver) -> dict[str, object]:
        changed = study.model_copy(update={"solvers": {"planted": solver}})
        return effective_settings("mini", "solver_labels", "planted", changed)

    plain = settings(Solver(kind="planted"))
    assert settings(Solver(kind="planted", concurrency=99, rpm=7, max_cost_usd=1.0)) == plain
    assert settings(Solver(kind="planted", temperature=0.7)) != plain


def test_a_setting_restales_only_the_stage_that_reads_it(study: Study) -> None:
    """Another label scope concerns twin labels and nothing before or beside them."""
    wider = study.model_copy(update={"study": study.study.model_copy(update={"label_scope": "all"})})

    changed = {
        stage
        for stage in STAGES
        if effective_settings("mini", stage, "planted", study) != effective_settings("mini", stage, "planted", wider)
    }
    assert changed == {"solver_labels"}


def test_a_limited_suite_seeds_the_twins_of_the_full_one() -> None:
    """The first items of a suite have the same twins however many are asked for."""
    assert root_suite("glassgsm-n200") == root_suite("glassgsm") == "glassgsm"
