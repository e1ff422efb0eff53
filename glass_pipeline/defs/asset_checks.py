"""Holds the asset checks: what a reader must be warned of, and what must stop the assets that follow.

Never computes an estimand; thresholds come from methods and DESIGN §5.
"""

import dagster as dg
import polars as pl

from glass_pipeline.defs.keys import stages_of
from glass_pipeline.defs.partitions import partitions_of
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.defs.wiring import inputs_of, key_of
from glass_pipeline.domain.audit.rates import RULES, rule_rates
from glass_pipeline.domain.audit.reaudit import drift
from glass_pipeline.domain.audit.verdicts import DROPPING
from glass_pipeline.domain.estimands.answer_drift import audited_drift, labelled_drift
from glass_pipeline.domain.estimands.conditions import Condition, confound_condition, fragile_condition
from glass_pipeline.domain.estimands.null_perturbation import probe_condition
from glass_pipeline.domain.report.evidence import FEWEST_JOBS
from glass_pipeline.study import Study

HIGHEST_RATE = 0.25
"""Twins that one rule may speak of; all rules together dropped 12 % in the published audits (Table 11)."""
DRIFT = "R1: no twin that is kept has another answer than its base, as far as adjudicators have judged (DESIGN §5)."


def checks_of(suite: str, study: Study) -> list[dg.AssetChecksDefinition]:
    """Return the asset checks of one suite."""

    @dg.asset_check(
        asset=key_of(suite, "noop_audit"),
        partitions_def=partitions_of(STAGES["noop_audit"], study, suite),
        blocking=True,
        description="Undoing each recorded edit gives the base back: a twin that fails this is not a twin.",
    )
    def edits_are_reversible(noop_audit: pl.DataFrame) -> dg.AssetCheckResult:
        altered = noop_audit.filter("altered_base")["twin_id"]
        return dg.AssetCheckResult(passed=altered.is_empty(), metadata={"altered": altered.head(10).to_list()})

    @dg.asset_check(
        asset=key_of(suite, "noop_audit"),
        partitions_def=partitions_of(STAGES["noop_audit"], study, suite),
        description=DRIFT,
    )
    def no_answer_drifts(noop_audit: pl.DataFrame) -> dg.AssetCheckResult:
        return warned(audited_drift(noop_audit))

    @dg.asset_check(
        asset=key_of(suite, "causal_difficulty"),
        partitions_def=partitions_of(STAGES["causal_difficulty"], study, suite),
        description=f"At least {FEWEST_JOBS} problems are solved, else π says little about this solver.",
    )
    def stratum_is_large_enough(causal_difficulty: pl.DataFrame) -> dg.AssetCheckResult:
        pooled = causal_difficulty.filter(pl.col("slice") == "pooled", pl.col("in_stratum"))
        return dg.AssetCheckResult(
            passed=pooled.height >= FEWEST_JOBS,
            severity=dg.AssetCheckSeverity.WARN,
            metadata={"solvable": pooled.height},
        )

    @dg.asset_check(
        asset=key_of(suite, "causal_difficulty"),
        partitions_def=partitions_of(STAGES["causal_difficulty"], study, suite),
        description="R2: at least 15 % of the problems are fragile, else there is little to rank (DESIGN §5).",
    )
    def enough_problems_are_fragile(causal_difficulty: pl.DataFrame) -> dg.AssetCheckResult:
        return warned(fragile_condition(causal_difficulty))

    @dg.asset_check(
        asset=key_of(suite, "causal_difficulty"),
        partitions_def=partitions_of(STAGES["causal_difficulty"], study, suite),
        description="R3: fragility does not fall as declared complexity rises.",
    )
    def complexity_does_not_confound(causal_difficulty: pl.DataFrame) -> dg.AssetCheckResult:
        return warned(confound_condition(causal_difficulty))

    rules = [_rule_check(suite, study, rule) for rule in RULES if study.adjudicators_of(suite) or rule not in DROPPING]
    estimated = [stratum_is_large_enough, enough_problems_are_fragile, complexity_does_not_confound]
    stages = stages_of(study, suite)
    audited = (
        [edits_are_reversible, no_answer_drifts, *rules] if "noop_audit" in stages else [_labelled_drift(suite, study)]
    )
    drifting = [_drift_check(suite, study)] if "reaudit" in stages else []
    known = audited if "noop_audit" in stages else [_labelled_drift(suite, study)]
    return [*known, *drifting, *estimated, *([_probe_gate(suite, study)] if "base_probes" in stages else [])]


def _rule_check(suite: str, study: Study, rule: str) -> dg.AssetChecksDefinition:
    @dg.asset_check(
        asset=key_of(suite, "noop_audit"),
        name=f"rule_{rule}",
        partitions_def=partitions_of(STAGES["noop_audit"], study, suite),
        description=f"The rule {rule} speaks of at most {HIGHEST_RATE:.0%} of the twins; more is a fault upstream.",
    )
    def rate_is_plausible(noop_audit: pl.DataFrame) -> dg.AssetCheckResult:
        found = rule_rates(noop_audit).row(by_predicate=pl.col("rule") == rule, named=True)
        return dg.AssetCheckResult(
            passed=(found["rate"] or 0.0) <= HIGHEST_RATE,
            severity=dg.AssetCheckSeverity.WARN,
            metadata={"twins": found["n"], "rate": found["rate"] or 0.0, "drops": found["drops"]},
        )

    return rate_is_plausible


def _drift_check(suite: str, study: Study) -> dg.AssetChecksDefinition:
    @dg.asset_check(
        asset=key_of(suite, "reaudit"),
        partitions_def=partitions_of(STAGES["reaudit"], study, suite),
        additional_ins={"noop_audit": dg.AssetIn(key_of(suite, "noop_audit"))},
        description="The newest re-audit drops the share of twins that the audit in use recorded; else judges drifted.",
    )
    def verdicts_have_not_drifted(reaudit: pl.DataFrame, noop_audit: pl.DataFrame) -> dg.AssetCheckResult:
        found = drift(noop_audit, reaudit)
        is_far = found is not None and found.reading == "far outside"
        return dg.AssetCheckResult(
            passed=found is None or found.reading == "inside",
            severity=dg.AssetCheckSeverity.ERROR if is_far else dg.AssetCheckSeverity.WARN,
            metadata={"found": "No twin was judged in both." if found is None else found.sentence},
        )

    return verdicts_have_not_drifted


def _labelled_drift(suite: str, study: Study) -> dg.AssetChecksDefinition:
    """R1 of an imported suite, whose audit is known only from what its pairs say of it."""

    @dg.asset_check(
        asset=key_of(suite, "causal_difficulty"),
        partitions_def=partitions_of(STAGES["causal_difficulty"], study, suite),
        additional_ins={"labeled_pairs": inputs_of(suite, "causal_difficulty", study)["labeled_pairs"]},
        description=DRIFT,
    )
    def no_answer_drifts(causal_difficulty: pl.DataFrame, labeled_pairs: pl.DataFrame) -> dg.AssetCheckResult:
        return warned(labelled_drift(labeled_pairs))

    return no_answer_drifts


def _probe_gate(suite: str, study: Study) -> dg.AssetChecksDefinition:
    @dg.asset_check(
        asset=key_of(suite, "base_probes"),
        partitions_def=partitions_of(STAGES["base_probes"], study, suite),
        additional_ins={"causal_difficulty": dg.AssetIn(key_of(suite, "causal_difficulty"))},
        description="Gate: re-sampled bases rank like π, so more probes are worth their price; else they are noise.",
    )
    def probes_carry_signal(base_probes: pl.DataFrame, causal_difficulty: pl.DataFrame) -> dg.AssetCheckResult:
        return warned(probe_condition(base_probes, causal_difficulty, seed=study.study.seed))

    return probes_carry_signal


def warned(condition: Condition) -> dg.AssetCheckResult:
    """Return a condition as a check that warns; one that cannot be judged yet passes and says so."""
    return dg.AssetCheckResult(
        passed=condition.holds is not False,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={"found": condition.sentence, "condition": condition.name},
    )
