"""Names of interchange files and the stamping of doses (methods §3.2, §3.3)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.corpus.file_names import (
    dataset_names,
    file_name,
    one_suite,
    parse_file_name,
    shard_dose,
    stamp_dose,
)
from glass_pipeline.domain.records import DOSES

PUBLISHED = re.compile(r"^(gsmic_adv|math_adv)_m(\d+)_multiop_mix_([a-z0-9]+)_labeled_pairs\.jsonl$")


@pytest.mark.parametrize("suite", ["glassgsm", "glassmath"])
@pytest.mark.parametrize("dose", DOSES)
def test_files_of_published_suites_carry_published_names(suite: str, dose: int) -> None:
    """Our slugs are translated, so that the released readers accept our files."""
    found = PUBLISHED.match(file_name(suite, dose, "gpt-4o-mini"))

    assert found
    assert found[2] == str(dose)
    assert found[3] == "gpt4omini"


@given(st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True), st.sampled_from(DOSES))
def test_a_written_name_is_read_back(suite: str, dose: int) -> None:
    """Suite and dose survive the way through a file name."""
    found = parse_file_name(file_name(suite, dose, "rules"))

    assert (found.suite, found.dose, found.is_mix, found.generator) == (suite, dose, True, "rules")


def test_an_unmixed_pool_is_told_apart() -> None:
    """``_multi_`` names a pool, ``_multiop_mix_`` a mix; gzip is allowed."""
    assert not parse_file_name("gsmic_adv_m9_multi_4omini_labeled_pairs.jsonl.gz").is_mix
    assert parse_file_name("gsmic_adv_m9_multi_4omini_labeled_pairs.jsonl.gz").suite == "glassgsm"


@pytest.mark.parametrize(
    "name", ["pairs.jsonl", "a/b_m3_multi_x_labeled_pairs.jsonl", "x_m_multi_y_labeled_pairs.jsonl"]
)
def test_another_name_is_refused(name: str) -> None:
    """A file that is not named as the format demands is refused with the form to use."""
    with pytest.raises(ValueError, match="rename it to"):
        parse_file_name(name)


def test_a_legacy_injection_row_has_size_one_never_zero() -> None:
    """A suffix-less injection in an m1 file has dose 1 and size 1."""
    assert stamp_dose("gsmic_adv_m1_multi_4omini_labeled_pairs.jsonl", "math_irrelevant_context") == (1, 1)


@pytest.mark.parametrize(
    ("name", "operator", "stated", "expected"),
    [
        ("x_m9_multi_y_labeled_pairs.jsonl", "math_irrelevant_context_m3", None, (9, 3)),
        ("x_m9_multi_y_labeled_pairs.jsonl", "sentence_reorder", None, (9, None)),
        ("pairs.jsonl", "math_irrelevant_context_m5", None, (5, 5)),
        ("pairs.jsonl", "entity_rename", 7, (7, None)),
    ],
)
def test_file_dose_and_injection_size_are_two_things(
    name: str, operator: str, stated: int | None, expected: tuple[int, int | None]
) -> None:
    """The file's dose comes from its name, else the row, else the operator; the size from the operator."""
    assert stamp_dose(name, operator, file_dose=stated) == expected


def test_a_dose_is_never_guessed() -> None:
    """Without a dose in name, row and operator there is an error, not a zero."""
    with pytest.raises(ValueError, match="put _m<dose>_ into the name"):
        stamp_dose("pairs.jsonl", "sentence_reorder")


def test_contradicting_doses_are_refused() -> None:
    """A row that states another dose than its file is an error."""
    with pytest.raises(ValueError, match="a row states dose 5, the file name 3"):
        stamp_dose("x_m3_multi_y_labeled_pairs.jsonl", "sentence_reorder", file_dose=5)


def test_a_dataset_is_a_path_a_name_or_a_suite() -> None:
    """Absolute paths and bare names pass through; a suite stands for its five mixes."""
    names = dataset_names("/data/a.jsonl, b.jsonl,glassgsm:qwen3p7plus")

    assert names[:2] == ("/data/a.jsonl", "b.jsonl")
    assert names[2:] == tuple(f"gsmic_adv_m{m}_multiop_mix_qwen3p7plus_labeled_pairs.jsonl" for m in (1, 3, 5, 7, 9))


@pytest.mark.parametrize(("dataset", "message"), [("data/a.jsonl", "relative path with a folder"), (" , ", "empty")])
def test_an_unclear_dataset_is_refused(dataset: str, message: str) -> None:
    """A relative path with a folder part is rejected: nothing says what it is relative to."""
    with pytest.raises(ValueError, match=message):
        dataset_names(dataset)


def test_the_remedy_for_a_relative_path_can_be_pasted() -> None:
    """The message shows the absolute path to write instead."""
    with pytest.raises(ValueError, match=r"pass an absolute path \(\$PWD/data/a.jsonl\)"):
        dataset_names("data/a.jsonl")


def test_a_size_that_a_row_states_stands_in_for_a_missing_suffix() -> None:
    """An injection without suffix has the size that its row states; with both they must agree."""
    name = "x_m9_multi_y_labeled_pairs.jsonl"

    assert stamp_dose(name, "math_irrelevant_context", inject_size=3) == (9, 3)
    with pytest.raises(ValueError, match="inject_size is 3 for operator 'math_irrelevant_context_m5'"):
        stamp_dose(name, "math_irrelevant_context_m5", inject_size=3)


@pytest.mark.parametrize(
    ("name", "dose"),
    [
        ("glassgsm/m9.parquet", 9),
        ("glassgsm/m9-00000-of-00001.parquet", 9),
        ("dose=m3/part.parquet", 3),
        ("data/gsmic_adv_m5_multiop_mix_4omini.parquet", 5),
        ("glassgsm/train-00000-of-00001.parquet", None),
        ("gemm3/test.parquet", None),
    ],
)
def test_the_dose_of_a_shard_stands_in_its_name_or_folder(name: str, dose: int | None) -> None:
    """Only a whole part ``m<k>`` of a name is a dose."""
    assert shard_dose(name) == dose


def test_files_of_two_suites_are_told_apart_by_name() -> None:
    """Names that state a suite must state the same; names that state none say nothing."""
    gsm, math = (file_name(suite, 3, "rules") for suite in ("glassgsm", "glassmath"))

    assert one_suite([gsm, "m3.parquet"]) == "glassgsm"
    assert one_suite(["m3.parquet"]) is None
    with pytest.raises(ValueError, match="of the suites glassgsm, glassmath; import one at a time"):
        one_suite([gsm, math])
