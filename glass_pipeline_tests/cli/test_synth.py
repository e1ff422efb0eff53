"""``glass synth`` and its asset."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.cli.synth import synth
from glass_pipeline.defs.assets.synth_cd import synth_cd_assets
from glass_pipeline.defs.synth_cd import SCORES, markdown_of
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.predictors.jobs import PredictorError
from glass_pipeline.domain.schemas.synth_cd import SYNTH_SCORES
from glass_pipeline.study import Settings

ROW = {"variant": "continuous", "reads": "text", "n_jobs": 9, "published": "—", "spearman": 0.5, "ndcg_10": 0.75}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies that take no time."""

    def scored(variant: str) -> pl.DataFrame:
        rows = [{**dict.fromkeys(SYNTH_SCORES.schema), **ROW, "variant": variant, "method": "ridge"}]
        return SYNTH_SCORES.frame(rows)

    monkeypatch.setattr("glass_pipeline.domain.synth_cd.study.continuous_study", lambda *_, **__: scored("continuous"))
    monkeypatch.setattr("glass_pipeline.domain.synth_cd.study.bernoulli_study", lambda *_, **__: scored("bernoulli"))


def test_the_table_is_printed_and_stored(
    quick: None, settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line a method, a dash where nothing is measured, and the parquet file named."""
    settings.study_file.write_text(
        '[study]\nadjudicator = "none"\n[suites.mini]\nsource = "glassmini"\n[solvers.planted]\nkind = "planted"\n'
    )
    monkeypatch.delenv("GLASS_WAREHOUSE", raising=False)
    synth("tfidf_svd", 1, settings.study_file, as_json=False)
    out = capsys.readouterr().out
    path = Warehouse(settings.warehouse).path(SCORES)

    assert "| continuous | ridge | text | 0.500 | 0.750 | — | — | — | — |" in out
    assert str(path) in out
    assert pl.read_parquet(path)["variant"].to_list() == ["bernoulli", "continuous"]
    with pytest.raises(PredictorError, match="'tarot' is unknown; choose among tfidf_svd"):
        synth("tarot", 1, settings.study_file, as_json=True)


def test_the_asset_belongs_to_no_suite(quick: None, tmp_path: Path, instance: dg.DagsterInstance) -> None:
    """Materialized, it stores the same table and shows it."""
    warehouse = Warehouse(tmp_path)
    done = dg.materialize(
        synth_cd_assets(1),
        instance=instance,
        resources={"warehouse": dg.ResourceDefinition.hardcoded_resource(warehouse)},
    )
    (event,) = done.asset_materializations_for_node("synth_cd__scores")

    assert done.success
    assert "| bernoulli | ridge |" in event.metadata["scores"].value
    assert markdown_of(warehouse.read([SCORES])).count("ridge") == 2
    assert warehouse.suites_present() == ()
