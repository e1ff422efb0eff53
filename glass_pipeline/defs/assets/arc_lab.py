"""Holds the assets of the ARC lab: items, one adapter and one set of answers a seed, and the paired report on top."""

import dagster as dg

from glass_pipeline.defs.arc_lab import Lab, files_result, lab_key, lab_of, lab_wired, told
from glass_pipeline.defs.lab_figures import adapter_figures, item_figures, paired_figures, prediction_figures
from glass_pipeline.domain.arc_lab.adapters import SETTINGS, WEIGHTS
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.protocol import SPLITS
from glass_pipeline.llm.arc_lab import analyze_results, evaluate, prepare, train, verify
from glass_pipeline.llm.arc_lab.folder import BASELINE, LabFolder, result_name
from glass_pipeline.study import Settings, Study


def arc_lab_definitions(study: Study, settings: Settings) -> dg.Definitions:
    """Return the assets and the check of the lab, none where glass.toml declares no lab.

    Raises:
        StudyError: a setting of the lab is out of its range.
    """
    if study.arc_lab is None:
        return dg.Definitions()
    lab = lab_of(study.arc_lab, settings)
    return dg.Definitions(assets=arc_lab_assets(lab), asset_checks=arc_lab_checks(lab))


def arc_lab_assets(lab: Lab) -> list[dg.AssetsDefinition]:
    """Return the assets of the lab that glass.toml declares."""
    folder = lab.folder

    @dg.asset(**lab_wired(lab, "items"))
    def items(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
        thresholds = lab.declared_thresholds()
        prepare(folder, lab.asked, lab.hub, limits=lab.limits, thresholds=thresholds, log=told(context))
        made = [folder.lock, folder.declared, *map(folder.split, SPLITS)]
        return files_result(made, item_figures(folder))

    @dg.asset(**lab_wired(lab, "lora_adapter"))
    def lora_adapter(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
        seed = int(context.partition_key)
        train(folder, lab.config, lab.device, lab.hub, log=told(context), only=[seed])
        made = [folder.adapter(seed) / name for name in (WEIGHTS, SETTINGS)]
        return files_result(made, adapter_figures(folder, seed))

    @dg.asset(**lab_wired(lab, "base_predictions"))
    def base_predictions(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
        evaluate(lab.trained_folder(), lab.device, lab.hub, log=told(context), only=[BASELINE])
        return files_result([folder.result(BASELINE)], prediction_figures(folder, BASELINE))

    @dg.asset(**lab_wired(lab, "predictions"))
    def predictions(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
        name = result_name(int(context.partition_key))
        evaluate(lab.trained_folder(), lab.device, lab.hub, log=told(context), only=[name])
        return files_result([folder.result(name)], prediction_figures(folder, name))

    @dg.asset(**lab_wired(lab, "paired_report"))
    def paired_report() -> dg.MaterializeResult:
        found = analyze_results(lab.trained_folder())
        return files_result([folder.report], paired_figures(folder, found))

    return [items, lora_adapter, base_predictions, predictions, paired_report]


def arc_lab_checks(lab: Lab) -> list[dg.AssetChecksDefinition]:
    """Return the check of the lab's end."""

    @dg.asset_check(
        asset=lab_key("paired_report"),
        description="The lab's own end condition: an accuracy, a difference, an adapter and a result file for every "
        "seed, the base model's results, the lock, low ≤ mean ≤ high, and each result made with the adapter that is "
        "there.",
    )
    def lab_is_complete() -> dg.AssetCheckResult:
        return ended(lab.folder)

    return [lab_is_complete]


def ended(folder: LabFolder) -> dg.AssetCheckResult:
    """Return the lab's end check as an asset check, which says what is missing where it fails."""
    try:
        return dg.AssetCheckResult(passed=True, metadata={"found": verify(folder)})
    except LabError as error:
        return dg.AssetCheckResult(passed=False, metadata={"found": str(error)})
