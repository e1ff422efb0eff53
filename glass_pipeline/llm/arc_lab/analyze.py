"""Holds the steps that end the lab: the analysis of the result files, and the check that everything is there.

Never runs a model, and never uses thresholds that changed after they were declared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glass_pipeline.domain.arc_lab.adapters import SETTINGS, WEIGHTS
from glass_pipeline.domain.arc_lab.analysis import LabAnalysis, analyze
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.predicting import REDO_RESULTS, Prediction
from glass_pipeline.domain.arc_lab.report import report_fields, report_page
from glass_pipeline.domain.arc_lab.strata import Strata, strata_of
from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.domain.comparison.thresholds import Thresholds, parse_thresholds, require_declared
from glass_pipeline.llm.arc_lab.folder import (
    BASELINE,
    LabFolder,
    file_hash,
    read_bytes,
    read_json,
    result_name,
    write_bytes,
    write_json,
)
from glass_pipeline.llm.arc_lab.series import read_series


def analyze_results(folder: LabFolder) -> LabAnalysis:
    """Compare the adapters with the baseline and write ``report.json`` and ``report.md``.

    Raises:
        LabError: a result is missing or of other items, the seeds' differences are equal, or the thresholds changed
            after they were declared.
    """
    seeds = read_series(folder).config.seeds
    names = [BASELINE, *map(result_name, seeds)]
    baseline, *others = (folder.read_predictions(name) for name in names)
    made_from = read_json(folder.made_from, "evaluate")
    if file_hash(folder.split("test"), "prepare") != made_from.get("test"):
        raise LabError(f"{folder.split('test')} is not the file that was evaluated; {REDO_RESULTS}")
    lock = folder.read_lock()
    found = analyze(
        baseline,
        dict(zip(seeds, others, strict=True)),
        benchmark=_name(lock.dataset_id) if lock.dataset_config == "default" else lock.dataset_config,
        model=_name(lock.model_id),
        strata=_strata(folder, baseline),
        thresholds=_thresholds(folder, str(made_from.get("thresholds"))),
    )
    write_json(folder.report, report_fields(found))
    write_bytes(folder.page, report_page(found).encode())
    return found


def verify(folder: LabFolder) -> str:
    """Run the lab's end check and return its line: every artifact is there, and the report's figures fit together.

    Raises:
        LabError: names the first thing that is missing or does not fit.

    Source: methods §10.1, acceptance.
    """
    seeds = read_series(folder).config.seeds
    if not _figures_fit(read_json(folder.report, "analyze"), len(seeds)):
        raise LabError(f"The figures of {folder.report} do not fit together; run `glass arc analyze` again.")
    needed = [folder.lock, folder.page, folder.result(BASELINE)]
    needed += [folder.adapter(seed) / name for seed in seeds for name in (WEIGHTS, SETTINGS, "selection.json")]
    needed += [folder.result(result_name(seed)) for seed in seeds]
    missing = next((path for path in needed if not path.is_file()), None)
    if missing is not None:
        raise LabError(f"No file {missing}, so the lab is not complete; run its steps again from train-all on.")
    made_with = read_json(folder.made_from, "evaluate").get("adapters", {})
    for seed in seeds:
        if made_with.get(str(seed)) != file_hash(folder.adapter(seed) / WEIGHTS, "train-all"):
            raise LabError(
                f"{folder.result(result_name(seed))} was not made with the adapter that is at {folder.adapter(seed)}; "
                f"{REDO_RESULTS}"
            )
    return f"OK: {len(seeds)} adapters, paired predictions, BCa CI and final report."


def _figures_fit(report: Mapping[str, Any], seeds: int) -> bool:
    try:
        low, high = report["bca_95_ci_pp"]
        complete = len(report["seed_accuracies_pct"]) == len(report["seed_deltas_pp"]) == seeds
        return complete and bool(low <= report["mean_delta_pp"] <= high)
    except (KeyError, TypeError, ValueError):
        return False


def _thresholds(folder: LabFolder, declared: str) -> Thresholds:
    """Return the thresholds that were declared when the first result was made."""
    data = read_bytes(folder.thresholds, "prepare")
    try:
        require_declared(
            data,
            declared=declared,
            written_at=folder.thresholds.stat().st_mtime,
            first_result_at=folder.made_from.stat().st_mtime,
        )
        return parse_thresholds(data)
    except ComparisonError as error:
        raise LabError(str(error)) from None


def _strata(folder: LabFolder, baseline: Sequence[Prediction]) -> Strata:
    items = folder.read_items("test")
    if [item.id for item in items] != [each.id for each in baseline]:
        raise LabError(f"The baseline's items are not those of the test split; {REDO_RESULTS}")
    return strata_of(items)


def _name(reference: str) -> str:
    return Path(reference).name
