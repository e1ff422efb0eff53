"""glass.toml as frozen records, and the sentences it fails with."""

from __future__ import annotations

from pathlib import Path

import pytest

from glass_pipeline.study import (
    StudyError,
    Suite,
    derived_slug,
    fold_source,
    known_suites,
    load_study,
    parse_study,
    settings_from,
)

SHIPPED = Path(__file__).resolve().parents[1] / "glass.toml"


def document(**changes: object) -> dict[str, object]:
    """A small valid study, with some tables replaced."""
    base: dict[str, object] = {
        "study": {"adjudicator": "none"},
        "suites": {"mini": {"source": "glassmini"}},
        "solvers": {"planted": {"kind": "planted"}},
    }
    return base | changes


def test_the_shipped_study_is_valid() -> None:
    """The file that ships loads, and no solver that costs money is on."""
    study = load_study(SHIPPED)

    paid = [slug for slug, solver in study.solvers.items() if solver.kind == "openai"]
    assert paid
    assert not set(paid) & set(study.enabled_solvers)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"suites": {"mini": {"source": "glassmini", "sise": 3}}}, r"glass.toml: \[suites.mini\] sise"),
        ({"suites": {"Mini": {"source": "glassmini"}}}, r"glass.toml: \[suites\] Mini"),
        ({"suites": {"mini": {"source": "tsv"}}}, r"\[suites.mini\] source"),
        ({"suites": {"mini": {"source": "jsonl"}}}, r"\[suites\] mini: a jsonl suite needs path"),
        ({"suites": {"mini-n5": {"source": "glassmini"}}}, r"'mini-n5' is reserved for --limit"),
        ({"solvers": {"m": {"kind": "openai", "model": "m"}}}, r"\[solvers\] m: .*needs base_url"),
        ({"solvers": {"m": {"kind": "llama_cpp"}}}, r"needs model"),
        ({"study": {"adjudicator": "none", "doses": [1, 2]}}, r"\[study\] doses: doses are among"),
        ({"study": {"adjudicator": "none", "samples": 0}}, r"\[study\] samples"),
        ({"study": {}}, r"\[study\] adjudicator is missing; name the solvers that judge twins"),
        ({"study": {"adjudicator": []}}, r'\[study\] adjudicator: an empty list judges nothing; say "none"'),
        ({"study": {"adjudicator": "planted"}}, r"glass.toml: \[suites.mini\] adjudicator = 'planted' is a simulation"),
        ({"study": {"adjudicator": ["absent"]}}, r"\[suites.mini\] adjudicator = 'absent' is not a declared solver"),
        (
            {"suites": {"mini": {"source": "glassmini", "generator": "planted"}}},
            r"generator = 'planted' is a simulation",
        ),
        (
            {"suites": {"mini": {"source": "glassmini", "generator": "m", "operators": ["gsm_ic"]}}},
            r"\[suites\] mini: gsm_ic is made by rule only",
        ),
        ({"suites": {"mini": {"source": "glassmini", "doses": [2]}}}, r"\[suites.mini\] doses: doses are among"),
        ({"solvers": {"rules": {"kind": "planted"}}}, r"solver name 'rules' is reserved"),
        ({"study": {"adjudicator": "none", "preset": "papper"}}, r"\[study\] preset"),
        (
            {"solvers": {"m": {"kind": "planted", "temperature": "warm"}}},
            r"""\[solvers.m\] temperature: 'warm' is neither a number nor "none", which sends no temperature""",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_error_names_file_table_and_key(changes: dict[str, object], sentence: str) -> None:
    """Whoever mistypes a key is told where it stands."""
    with pytest.raises(StudyError, match=sentence):
        parse_study(document(**changes), "glass.toml")


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    """A missing study file names the remedy."""
    with pytest.raises(StudyError, match="no such study file; run from"):
        load_study(tmp_path / "glass.toml")


def test_broken_toml_is_one_sentence(tmp_path: Path) -> None:
    """A study file that is not TOML says so."""
    path = tmp_path / "glass.toml"
    path.write_text("[suites\n")
    with pytest.raises(StudyError, match="not valid TOML"):
        load_study(path)


def test_a_temperature_may_be_declared_none() -> None:
    """TOML has no null, so the word stands for it."""
    study = parse_study(document(solvers={"m": {"kind": "planted", "temperature": "none"}}), "glass.toml")

    assert study.solver("m").temperature is None


@pytest.mark.parametrize(
    ("declared", "curtails"),
    [
        ({}, True),
        ({"curtail": False}, False),
        ({"preset": "paper"}, False),
        ({"preset": "paper", "curtail": True}, True),
        ({"samples": 2}, False),
    ],
)
def test_twins_are_curtailed_unless_told_otherwise(declared: dict[str, object], curtails: bool) -> None:
    """The paper's preset draws every sample, a declared key comes before a preset, and two samples spare none."""
    assert parse_study(document(study={"adjudicator": "none", **declared}), "glass.toml").study.curtails is curtails


def test_a_limited_suite_is_another_suite() -> None:
    """`--limit 5` keeps its tables apart from the full suite's."""
    study = parse_study(document(), "glass.toml")

    assert derived_slug("mini", 5) == "mini-n5"
    assert study.suite("mini-n5").limit == 5
    assert study.suite("mini").limit is None
    assert known_suites(study, ["mini", "mini-n5", "gone-n5", "other"]) == ("mini", "mini-n5")


@pytest.mark.parametrize("name", ["nosuch", "nosuch-n5"])
def test_an_unknown_suite_lists_the_known_ones(name: str) -> None:
    """The sentence helps to choose another."""
    with pytest.raises(StudyError, match=r"No suite .* it declares mini\."):
        parse_study(document(), "glass.toml").suite(name)


def test_an_unknown_solver_or_dose_lists_the_known_ones() -> None:
    """The sentence helps to choose another."""
    study = parse_study(document(), "glass.toml")
    with pytest.raises(StudyError, match=r"No solver 'x' .* declares planted\."):
        study.solver("x")
    with pytest.raises(StudyError, match=r"No dose 'm2' for mini; .* declares m1, m3, m5, m7, m9\."):
        study.dose("m2", "mini")


def test_the_environment_fills_in_and_overrides(tmp_path: Path) -> None:
    """The process environment wins over .env, and may move the warehouse."""
    (tmp_path / "glass.toml").write_text(
        '[study]\nadjudicator = "none"\n[suites.mini]\nsource = "glassmini"\n[solvers.p]\nkind = "planted"\n'
    )
    (tmp_path / ".env").write_text("A_KEY=from-file\nB_KEY=from-file\n")

    environment = {
        "GLASS_STUDY": str(tmp_path / "glass.toml"),
        "GLASS_WAREHOUSE": "w",
        "A_KEY": "from-process",
    }
    _, settings = settings_from(environment)

    assert settings.warehouse == tmp_path / "w"
    assert (settings.environment["A_KEY"], settings.environment["B_KEY"]) == ("from-process", "from-file")


def predicting(*predictors: dict[str, object]) -> dict[str, object]:
    """A study that declares predictors."""
    return {
        "study": {"adjudicator": "none"},
        "suites": {"mini": {"source": "glassmini"}},
        "solvers": {"planted": {"kind": "planted"}},
        "predictors": list(predictors),
    }


@pytest.mark.parametrize(
    ("predictor", "sentence"),
    [
        ({"name": "x", "kind": "tarot"}, r"glass.toml: \[predictors.0\] kind: Input should be 'frail_pi'"),
        ({"name": "x", "kind": "text_length", "loss": "bce"}, "kind text_length does not read 'loss'; remove it"),
        ({"name": "x", "kind": "embedding_ridge", "features": "encoder"}, "only frail_pi trains an encoder"),
        ({"name": "x", "kind": "random", "seeds": [1, 1]}, "seeds are distinct whole numbers from 0 to 9"),
        ({"name": "x", "kind": "random", "seeds": [12]}, "seeds are distinct whole numbers from 0 to 9"),
        ({"name": "X Y", "kind": "random"}, "String should match pattern"),
    ],
)
def test_a_wrong_predictor_is_one_sentence(predictor: dict[str, object], sentence: str) -> None:
    """A key that a kind would ignore is refused rather than ignored."""
    with pytest.raises(StudyError, match=sentence):
        parse_study(predicting(predictor), "glass.toml")


def test_two_predictors_of_one_name_are_refused() -> None:
    """The name is a partition key."""
    same = {"name": "x", "kind": "random"}
    with pytest.raises(StudyError, match="two predictors are named 'x'"):
        parse_study(predicting(same, same), "glass.toml")


def test_a_predictor_is_found_by_its_name() -> None:
    """Defaults: the pooled slice, five seeds; an unknown name lists those that there are."""
    study = parse_study(predicting({"name": "x", "kind": "random"}), "glass.toml")

    assert (study.predictor("x").slice, study.predictor("x").seeds) == ("pooled", (0, 1, 2, 3, 4))
    with pytest.raises(StudyError, match=r"No predictor 'y' in glass\.toml; it declares x"):
        study.predictor("y")


def test_folds_are_keyed_by_source_and_split() -> None:
    """Suites of one source share folds whatever their generator; a file by its name, imported labels by content."""
    suite = Suite(source="gsm8k")

    assert fold_source(suite) == fold_source(suite.model_copy(update={"generator": "writer"})) == "gsm8k/test"
    assert fold_source(Suite(source="jsonl", path="/a/b/mine.jsonl")) == "mine.jsonl"
    assert fold_source(Suite(source="imported", solvers=("m",))) is None


def test_arch_contrast_refuses_what_only_dose_reads() -> None:
    """Family heads, losses and trained encoders belong to arch dose; a head belongs to arch contrast."""
    frail = {"name": "x", "kind": "frail_pi"}
    for extra, key in (
        ({"arch": "contrast", "family_heads": True}, "'family_heads'"),
        ({"arch": "contrast", "features": "encoder"}, "'features = encoder'"),
        ({"head": "contrast"}, "'head'"),
    ):
        with pytest.raises(StudyError, match=f"does not read {key}; remove it"):
            parse_study(predicting(frail | extra), "glass.toml")
    assert parse_study(predicting(frail | {"arch": "contrast", "head": "contrast"}), "glass.toml").predictors


def test_a_variable_that_is_left_empty_changes_nothing(tmp_path: Path) -> None:
    """A copy of .env.example names GLASS_WAREHOUSE without a value: the study file's warehouse stands."""
    (tmp_path / "glass.toml").write_text(
        '[study]\nadjudicator = "none"\nwarehouse = "house"\n[suites.a]\nsource = "glassmini"\n'
        '[solvers.p]\nkind = "planted"\n'
    )
    (tmp_path / ".env").write_text("GLASS_WAREHOUSE=\n")
    _, settings = settings_from({}, tmp_path / "glass.toml")

    assert settings.warehouse == tmp_path / "house"
