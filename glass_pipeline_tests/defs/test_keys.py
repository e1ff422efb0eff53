"""The shape of the graph."""

from __future__ import annotations

from glass_pipeline.defs.keys import Cell, cells_of, edges_of, upstream_cells
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.study import Study


def test_every_stage_comes_after_what_it_reads() -> None:
    """The order of STAGES is an order in which the graph can be made."""
    seen: set[str] = set()
    for name, stage in STAGES.items():
        assert {edge.upstream for edge in stage.edges} <= seen
        seen.add(name)


def test_twins_is_the_only_partitioned_root() -> None:
    """With a second partitioned root the UI could not anchor "Materialize all"."""
    partitioned = {name for name, stage in STAGES.items() if stage.dimensions}
    roots = {name for name in partitioned if not any(edge.upstream in partitioned for edge in STAGES[name].edges)}

    assert roots == {"twins"}


def test_a_mix_reads_every_dose_of_the_twins(study: Study) -> None:
    """Injections of a mix come from the pool of the chosen size, which is another dose's."""
    mix = Cell("mini", "multiop_mix", 3)
    (edge,) = [edge for edge in edges_of("multiop_mix", study, "mini") if edge.upstream == "twins"]

    assert list(upstream_cells(mix, edge, study)) == [Cell("mini", "twins", 1), Cell("mini", "twins", 3)]


def test_pairs_read_their_own_run_only(study: Study) -> None:
    """Labels of another dose or solver never enter a run's pairs."""
    pairs = Cell("mini", "labeled_pairs", 3, "planted")
    (edge,) = [edge for edge in edges_of("labeled_pairs", study, "mini") if edge.upstream == "solver_labels"]

    assert list(upstream_cells(pairs, edge, study)) == [Cell("mini", "solver_labels", 3, "planted")]


def test_twin_labels_read_base_labels_only_where_the_stratum_decides(study: Study) -> None:
    """Without stratum_only a new base label restales no twin label."""
    only = study.model_copy(update={"study": study.study.model_copy(update={"stratum_only": True})})

    def loads(which: Study) -> bool:
        return next(edge.loads for edge in edges_of("solver_labels", which, "mini") if edge.upstream == "base_labels")

    assert not loads(study)
    assert loads(only)


def test_cells_span_the_dimensions_of_their_stage(study: Study) -> None:
    """Two doses and two solvers make one problem table, two twin tables and four label tables."""

    def count(stage: str) -> int:
        return len(list(cells_of("mini", stage, doses=(1, 3), solvers=("a", "b"))))

    assert [count(stage) for stage in ("base_problems", "twins", "causal_difficulty", "solver_labels")] == [
        1,
        2,
        2,
        4,
    ]


def test_a_cell_is_named_as_dagster_names_its_partition() -> None:
    """Names in messages can be pasted into the UI."""
    assert str(Cell("mini", "solver_labels", 3, "planted")) == "mini/solver_labels[m3|planted]"
    assert Cell("mini", "base_problems").partition_key is None
