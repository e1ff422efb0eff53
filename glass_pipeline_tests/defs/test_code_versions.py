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


def test_an_edited_local_file_restales_the_problems_only(study: Study, tmp_path: Path) -> None:
    """Of all stages, only base_problems reads the file; an exclusion list counts by its content, not its name."""
    source, ids = tmp_path / "problems.jsonl", tmp_path / "ids.txt"
    source.write_text("{}", encoding="utf-8")
    suite = study.suites["mini"].model_copy(update={"source": "jsonl", "path": str(source)})
    local = study.model_copy(update={"suites": {"mini": suite}})
    listing = local.model_copy(update={"suites": {"mini": suite.model_copy(update={"exclude": str(ids)})}})

    def settings(of: Study) -> dict[str, object]:
        return {stage: effective_settings("mini", stage, None, of) for stage in STAGES}

    before = settings(local)
    source.write_text("{ }", encoding="utf-8")
    edited = settings(local)
    ids.write_text("a1", encoding="utf-8")
    listed = settings(listing)
    ids.rename(tmp_path / "known_wrong.txt")
    renamed = suite.model_copy(update={"exclude": str(tmp_path / "known_wrong.txt")})

    assert {stage for stage in STAGES if before[stage] != edited[stage]} == {"base_problems"}
    assert {stage for stage in STAGES if edited[stage] != listed[stage]} == {"base_problems"}
    assert settings(local.model_copy(update={"suites": {"mini": renamed}})) == listed
