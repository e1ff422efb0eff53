"""Import, export and survey of labelled pairs as a person meets them: whole or not at all, and nothing lost."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from huggingface_hub import DatasetCard

from glass_pipeline.cli import main
from glass_pipeline.cli.interchange import pair_cells
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.query import run_query
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.corpus.file_names import file_name
from glass_pipeline.domain.corpus.interchange import base_runs_of, jobs_of
from glass_pipeline.domain.corpus.stand_ins import problems_of_pairs
from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.schemas import TABLES

STUDY = """
[study]
adjudicator = "none"
[suites.glassgsm]
source = "gsm8k"
distractors = "gsm8k/train"
[solvers.planted]
kind = "planted"
[solvers.model-a]
kind = "openai"
model = "a"
base_url = "http://127.0.0.1:9/v1"
"""
SMALL = "qwen2.5-coder-0.5b-instruct-q4km"
Glass = Callable[..., tuple[int, str, str]]


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Glass:
    """Run the command in a project folder; returns exit code, stdout and stderr."""
    (tmp_path / "glass.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["glass", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """The warehouse of the project folder."""
    return Warehouse(tmp_path / "warehouse")


def pair(base: int, twin: int, **changed: Any) -> dict[str, Any]:
    """Return a line of one pair: Ada's cats, where twin 0 of every base broke."""
    delta = float(twin == 0)
    line = {
        "base_id": f"gsmic_adv-{base}",
        "twin_id": f"gsmic_adv-{base}-d{twin}",
        "operator": "entity_rename",
        "category": "math",
        "complexity": "easy",
        "complexity_score": 0.1,
        "base_text": f"Ada has {base} cats\u2028and a dog. How many pets has she?",
        "twin_text": f"Ida has {base} cats and a dog. How many pets has she? {'!' * twin}",
        "delta_per_model": {"Model A": delta, "other": 0.0},
        "delta_mean": delta,
        "d_obs": 0.5,
        "d_wc": 1.0,
        "y_base_mean": 0.8,
        "gold": str(base + 1),
    }
    return line | changed


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write JSON lines, compressed where the name says so."""
    content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def two_files(folder: Path) -> list[Path]:
    """Write the dose files m1 and m3 of three bases."""
    names = {dose: file_name("glassgsm", dose, "4omini") for dose in (1, 3)}
    return [
        write_lines(folder / names[1], [pair(base, 0) for base in (4, 5, 6)]),
        write_lines(folder / f"{names[3]}.gz", [pair(base, twin) for base in (4, 5, 6) for twin in (0, 1, 2)]),
    ]


def tables(warehouse: Warehouse) -> list[Path]:
    """Every table that exists."""
    return sorted(warehouse.root.rglob("*.parquet"))


def imported(glass: Glass, folder: Path, slug: str = "mine", solver: str = "Model A") -> None:
    """Import the two files."""
    code, _, err = glass("import-pairs", *two_files(folder), "--solver", solver, "--as", slug)
    assert (code, err) == (0, "")


def test_an_import_makes_tables_that_everything_else_reads(glass: Glass, tmp_path: Path, warehouse: Warehouse) -> None:
    """Pairs, base labels and problems stand in the warehouse's own schemas, and π can be estimated from them."""
    imported(glass, tmp_path)
    cells = pair_cells(warehouse, "mine")
    problems = warehouse.read([Cell("mine", "base_problems")])
    labels = warehouse.read([Cell("mine", "base_labels", cell.dose, cell.solver) for cell in cells])
    jobs = causal_difficulty(problems, labels, warehouse.read(cells), seed=1)

    assert [(cell.dose, cell.solver) for cell in cells] == [(1, "model-a"), (3, "model-a")]
    assert TABLES["base_problems"].check(problems).select("base_id", "gold", "answer_type", "licence").rows()[0] == (
        "gsmic_adv-4",
        "5",
        "numeric",
        "MIT",
    )
    assert problems["text"][0] == "Ada has 4 cats\u2028and a dog. How many pets has she?"
    # Three distinct texts a base, of which the first broke in both files.
    assert jobs.filter(pl.col("slice") == "pooled").select("k", "n").rows() == [(1, 3)] * 3
    assert run_query("select count(*) as n from mine.labeled_pairs", warehouse)["n"].to_list() == [12]


def test_what_was_imported_is_said(glass: Glass, tmp_path: Path) -> None:
    """As JSON and in words."""
    files = two_files(tmp_path)
    _, text, _ = glass("import-pairs", *files, "--solver", "Model A", "--as", "mine")
    _, again, _ = glass("import-pairs", *files, "--solver", "Model A", "--as", "mine", "--json")

    assert "Imported 12 pairs of 3 bases, solver model-a, doses m1, m3, as suite mine" in text
    assert json.loads(again) == {
        "suite": "mine",
        "solver": "model-a",
        "doses": ["m1", "m3"],
        "files": [path.name for path in files],
        "pairs": 12,
        "bases": 3,
    }


def test_solvers_of_one_suite_are_imported_one_after_the_other(
    glass: Glass, tmp_path: Path, warehouse: Warehouse
) -> None:
    """A second solver joins the suite; the first one's tables stay as they were."""
    imported(glass, tmp_path)
    before = {path: path.read_bytes() for path in tables(warehouse) if "labeled_pairs" in str(path)}
    imported(glass, tmp_path, solver="other")

    assert {cell.solver for cell in pair_cells(warehouse, "mine")} == {"model-a", "other"}
    assert all(path.read_bytes() == content for path, content in before.items())


@pytest.mark.parametrize("layout", ["jsonl", "parquet", "hf"])
def test_an_export_is_read_back_the_same(glass: Glass, tmp_path: Path, warehouse: Warehouse, layout: str) -> None:
    """Warehouse, files, warehouse: every table of pairs and base labels is the same, and the golds too."""
    imported(glass, tmp_path)
    folder = tmp_path / "out" / layout
    code, _, err = glass("export-pairs", "mine", "--solver", "model-a", "--format", layout, "--to", folder)
    back, _, _ = glass("import-pairs", folder.resolve(), "--as", "back")

    assert (code, err, back) == (0, "", 0)
    for stage in ("labeled_pairs", "base_labels"):
        for dose in (1, 3):
            one, two = (warehouse.read([Cell(suite, stage, dose, "model-a")]) for suite in ("mine", "back"))
            assert one.equals(two)
    one, two = (
        warehouse.read([Cell(suite, "base_problems")]).select("base_id", "text", "gold") for suite in ("mine", "back")
    )
    assert one.equals(two)


def test_exported_lines_keep_the_published_names(glass: Glass, tmp_path: Path, warehouse: Warehouse) -> None:
    """A suite of ours under a published name exports files that the released readers take."""
    own_suite(warehouse, glass, tmp_path)
    glass("export-pairs", "gsmic_adv", "--solver", "model-a", "--to", tmp_path / "out")

    assert sorted(path.name for path in (tmp_path / "out").glob("*.jsonl")) == [
        f"gsmic_adv_m{dose}_multiop_mix_modela_labeled_pairs.jsonl" for dose in (1, 3)
    ]


def own_suite(warehouse: Warehouse, glass: Glass, tmp_path: Path) -> None:
    """Put pairs into the warehouse as a run of the declared suite would."""
    imported(glass, tmp_path, slug="seed")
    cells = pair_cells(warehouse, "seed")
    made = Provenance(data_version="d", code_version="1", settings="s")
    for cell in cells:
        warehouse.write(Cell("glassgsm", "labeled_pairs", cell.dose, cell.solver), warehouse.read([cell]), made)
    golds = warehouse.read([Cell("seed", "base_problems")]).select("base_id", "gold")
    problems = problems_of_pairs(warehouse.read(cells), golds, answer_type="numeric", revision="r", licence="MIT")
    warehouse.write(Cell("glassgsm", "base_problems"), problems, made)


@pytest.mark.parametrize("layout", ["jsonl", "parquet", "hf"])
def test_notices_and_citation_travel_with_every_export(
    glass: Glass, tmp_path: Path, warehouse: Warehouse, layout: str
) -> None:
    """Holder and licence of the problems and of what was spliced in, and the papers to cite."""
    own_suite(warehouse, glass, tmp_path)
    glass("export-pairs", "glassgsm", "--solver", "model-a", "--format", layout, "--to", tmp_path / "out")

    assert (tmp_path / "out/NOTICE.md").read_text().count("Copyright (c) 2021 OpenAI") == 1
    assert "cobbe2021gsm8k" in (tmp_path / "out/CITATION.bib").read_text()


def test_the_notice_of_a_release_is_carried_on(glass: Glass, tmp_path: Path) -> None:
    """What lies beside the imported files goes into the export of the imported suite."""
    release = tmp_path / "release"
    rows = pl.DataFrame([pair(base, 0) for base in (4, 5)]).with_columns(dose=pl.lit(9))
    (release / "data/glassgsm").mkdir(parents=True)
    rows.write_parquet(release / "data/glassgsm/train-00000-of-00001.parquet")
    (release / "NOTICE.md").write_text("Used by permission of N. N.")
    glass("import-pairs", release, "--solver", "other", "--as", "theirs")
    code, _, _ = glass("export-pairs", "theirs", "--solver", "other", "--to", tmp_path / "out")

    assert code == 0
    assert "Used by permission of N. N." in (tmp_path / "out/NOTICE.md").read_text()


def test_a_hub_data_set_has_a_card_whose_files_exist(glass: Glass, tmp_path: Path) -> None:
    """Every path of the card's head is a file with the rows that the card counts."""
    imported(glass, tmp_path)
    glass("export-pairs", "mine", "--solver", "model-a", "--format", "hf", "--to", tmp_path / "out")
    card = DatasetCard.load(tmp_path / "out/README.md", ignore_metadata_errors=False)
    files = card.data.to_dict()["configs"][0]["data_files"]

    assert [pl.read_parquet(tmp_path / "out" / each["path"]).height for each in files] == [3, 9]
    assert "| m1 | 3 |" in card.text


def test_several_suites_of_a_release_are_told_apart(glass: Glass, tmp_path: Path) -> None:
    """A release folder with two suites asks for one of them, by a path that can be pasted."""
    for suite in ("glassgsm", "glassmath"):
        (tmp_path / "release/data" / suite).mkdir(parents=True)
        pl.DataFrame([pair(4, 0)]).write_parquet(tmp_path / "release/data" / suite / "m1.parquet")
    code, _, err = glass("import-pairs", tmp_path / "release", "--solver", "other", "--as", "theirs")

    assert code == 2
    assert f"holds glassgsm, glassmath; name one of them, e.g. {tmp_path}/release/data/glassgsm" in err
    assert glass("import-pairs", tmp_path / "release/data/glassgsm", "--solver", "other", "--as", "theirs")[0] == 0


def test_bare_names_and_suites_are_found_here_and_in_data(glass: Glass, tmp_path: Path) -> None:
    """A bare name is looked for in the folder and its ``data``; a published suite stands for its five files."""
    one, _ = two_files(tmp_path / "data")

    assert glass("import-pairs", one.name, "--solver", "other", "--as", "mine")[0] == 0
    code, _, err = glass("import-pairs", "glassgsm", "--solver", "other", "--as", "mine")
    assert code == 2
    assert "gsmic_adv_m3_multiop_mix_4omini_labeled_pairs.jsonl: no such file" in err


def test_labels_of_a_real_model_go_in_and_out(glass: Glass, tmp_path: Path, shared: Path, warehouse: Warehouse) -> None:
    """Five real files as one folder: 5,746 pairs; π as from the pairs alone, and nothing lost on the way."""
    glass("import-pairs", shared.resolve() / "data/gsm8k_smalllm", "--as", "small")
    glass("export-pairs", "small", "--solver", SMALL, "--format", "parquet", "--to", tmp_path / "out")
    glass("import-pairs", tmp_path / "out", "--as", "back")
    cells = pair_cells(warehouse, "small")
    pairs = warehouse.read(cells)
    labels = warehouse.read([Cell("small", "base_labels", cell.dose, cell.solver) for cell in cells])
    jobs = causal_difficulty(warehouse.read([Cell("small", "base_problems")]), labels, pairs, seed=1)

    assert pairs.height == 5746
    assert jobs.equals(causal_difficulty(jobs_of(pairs), base_runs_of(pairs), pairs, seed=1))
    assert warehouse.read(pair_cells(warehouse, "back")).equals(pairs)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([pair(4, 0), pair(4, 1, base_text=None)], "line 2: field 'base_text' is missing"),
        (
            [pair(4, 0), pair(4, 1, delta_per_model={"Model A": "1"})],
            "line 2: delta '1' of 'Model A' is not -1, 0 or 1",
        ),
        (
            [pair(4, 0), pair(4, 1, delta_per_model={"other": 1})],
            "line 2: delta_per_model has no 'Model A'; it names other",
        ),
        ([pair(4, 0), pair(4, 1, base_id="math_adv-4")], "line 2: base_id 'math_adv-4' is of another suite"),
        (
            [pair(4, 0), pair(4, 1, base_text="Who?")],
            "line 2: base_text of 'gsmic_adv-4' is not that of an earlier line",
        ),
        ([pair(4, 0), pair(4, 0)], "line 2: twin_id 'gsmic_adv-4-d0' of base 'gsmic_adv-4' stands already in line 1"),
        ([pair(4, 0), pair(4, 1, y_base_mean="most")], "line 2: 'y_base_mean' holds a str"),
    ],
)
def test_a_partly_broken_file_imports_nothing(
    glass: Glass, tmp_path: Path, warehouse: Warehouse, rows: list[dict[str, Any]], sentence: str
) -> None:
    """One sentence names file, line and field; not even the good file beside it is imported."""
    good, _ = two_files(tmp_path)
    broken = write_lines(tmp_path / file_name("glassgsm", 9, "4omini"), rows)
    code, out, err = glass("import-pairs", good, broken, "--solver", "Model A", "--as", "mine")

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{broken.name}, {sentence}" in err
    assert tables(warehouse) == []


def test_a_wrong_dose_or_unreadable_file_imports_nothing(glass: Glass, tmp_path: Path, warehouse: Warehouse) -> None:
    """Doses are 1, 3, 5, 7, 9; a cut gzip, text that is no UTF-8, a false parquet and an empty file are refused."""
    cases = {
        file_name("glassgsm", 2, "x"): (b"", "file_dose 2 found; doses are 1, 3, 5, 7, 9"),
        "a_m1_multi_x_labeled_pairs.jsonl": (b'{"base_id": "\xff"}\n', "line 1: byte 13 is not UTF-8"),
        "b_m1_multi_x_labeled_pairs.jsonl": (b" \n", "is empty"),
        "c_m1_multi_x_labeled_pairs.jsonl.gz": (gzip.compress(b"[]" * 999)[:-9], "ended before"),
        "m1.parquet": (b"PAR1 no", "cannot be read as parquet"),
        "pairs.csv": (b"a,b", "come as .jsonl, .jsonl.gz or .parquet"),
    }
    for name, (content, sentence) in cases.items():
        path = tmp_path / name
        path.write_bytes(content or json.dumps(pair(4, 0)).encode())
        code, _, err = glass("import-pairs", path, "--solver", "other", "--as", "mine")

        assert (code, err.count("\n")) == (2, 1)
        assert sentence in err
    assert tables(warehouse) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("data/pairs.jsonl", "--as", "mine"), "pass an absolute path ($PWD/data/pairs.jsonl) or a bare file name"),
        (("gone.jsonl", "--as", "mine"), "gone.jsonl: no such file in"),
        (("gone.jsonl", "--as", "Mine!"), "a suite's name has lower-case letters"),
        (("gone.jsonl", "--as", "mine-n20"), "no -n<N>"),
        (("gone.jsonl", "--as", "../mine"), "a suite's name has lower-case letters"),
        (("gone.jsonl", "--as", "glassgsm"), "glass.toml declares this suite"),
    ],
)
def test_unclear_arguments_are_refused(glass: Glass, arguments: tuple[str, ...], sentence: str) -> None:
    """Exit code 2 and one sentence with the remedy."""
    code, out, err = glass("import-pairs", *arguments)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_files_that_do_not_belong_together_are_refused(glass: Glass, tmp_path: Path, warehouse: Warehouse) -> None:
    """Two suites, two files with one twin, and one file twice."""
    one, _ = two_files(tmp_path)
    math = write_lines(tmp_path / file_name("glassmath", 3, "4omini"), [pair(4, 0)])
    twin = write_lines(tmp_path / file_name("glassgsm", 1, "qwen"), [pair(4, 0)])
    sentences = {
        (one, math): "are of the suites glassgsm, glassmath; import one at a time",
        (one, twin): "of base 'gsmic_adv-4' and dose m1 stands in",
        (one, one): "is named twice",
    }
    for files, sentence in sentences.items():
        code, _, err = glass("import-pairs", *files, "--solver", "other", "--as", "mine")

        assert code == 2
        assert sentence in err
    assert tables(warehouse) == []


def test_an_export_overwrites_nothing(glass: Glass, tmp_path: Path) -> None:
    """A folder that holds something is refused, and stays as it was."""
    imported(glass, tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/README.md").write_text("mine")
    code, _, err = glass("export-pairs", "mine", "--solver", "model-a", "--format", "hf", "--to", tmp_path / "out")

    assert code == 2
    assert "is not an empty folder" in err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["README.md"]
    assert (tmp_path / "out/README.md").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nosuch", "--solver", "model-a"), "No suite 'nosuch'; there are glassgsm, mine."),
        (("mine", "--solver", "gpt"), "mine has no labelled pairs of solver 'gpt', but of model-a"),
        (
            ("mine", "--solver", "model-a", "--format", "csv"),
            "--format csv: no such format; there are jsonl, parquet, hf",
        ),
    ],
)
def test_an_export_of_nothing_says_what_there_is(
    glass: Glass, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    """Exit code 2, and no folder appears."""
    imported(glass, tmp_path)
    code, _, err = glass("export-pairs", *arguments, "--to", tmp_path / "out")

    assert code == 2
    assert sentence in err
    assert not (tmp_path / "out").exists()


def test_a_survey_shows_imported_suites_beside_the_published_ones(glass: Glass, tmp_path: Path) -> None:
    """d_obs is 1/3 over the three texts of each base: all fragile, none without effect."""
    imported(glass, tmp_path)
    _, text, _ = glass("survey")
    _, whole, _ = glass("survey", "mine", "--json")
    code, _, err = glass("survey", "glassgsm")
    (row,) = json.loads(whole)["surveyed"]

    assert (row["problems"], row["twins_per_problem"], row["fragile_share"], row["zero_share"]) == (3, 3.0, 1.0, 0.0)
    assert text.splitlines()[1].split() == ["mine", "model-a", "3", "3.0", "100.0%", "0.0%", "–", "holds", "–"]
    assert "GlassGSM" in text
    assert code == 2
    assert "glassgsm has no labelled pairs" in err
