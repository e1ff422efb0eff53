"""Holds the table of worst-case and quantile targets: what a budget of K new twins would do to each job.

Never computes a probability of its own (see ``dose_targets``).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.ccd import rate_prior
from glass_pipeline.domain.estimands.dose_response import MIDDLE_DOSE, fit_dose_prior, fit_dose_response
from glass_pipeline.domain.estimands.dose_targets import at_least, predicted_at_least, worst_case
from glass_pipeline.domain.schemas import BUDGET_TARGETS
from glass_pipeline.domain.stats.beta_binomial import BetaPrior

JEFFREYS = BetaPrior(0.5, 0.5)
"""Stands in where no prior can be fitted to the jobs."""
ALONE = "no prior can be fitted to the jobs, so each is taken alone with Jeffreys' prior"
NO_CURVE = "one dose only, so no curve"


class Budget(NamedTuple):
    """Twins to be tried at each dose of a slice."""

    doses: NDArray[np.float64]
    twins: NDArray[np.int64]

    @property
    def total(self) -> int:
        """K."""
        return int(self.twins.sum())


def budget_targets(causal_difficulty: pl.DataFrame) -> pl.DataFrame:
    """Return the targets of every measured job at the budget of each slice: m new twins at each of its doses.

    worst_case = P(at least one of K breaks), at_least_half = P(at least ceil(K/2) break), both averaged over the job's
    posterior Beta(alpha + k, beta + n - k), whose prior is fitted to the jobs of the slice. Beside them the same by
    the plug-in formulas 1 - prod_m (1 - p_m)^K_m and the Poisson-binomial tail, with p_m = sigmoid(a + b (m - 5))
    fitted to the counts of every dose as that dose has them, texts that several doses share included in each; they
    read too high, because the fit draws a towards 0.

    Args:
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of one solver.

    Returns:
        ``schemas.BUDGET_TARGETS``, one row a job that has pi, and slice.

    Source: methods §5.4, §12.2.
    """
    measured = causal_difficulty.drop_nulls("pi")
    held = sorted({dose for doses in measured["doses"] for dose in doses})
    curves = _curves(measured.filter(pl.col("slice") != POOLED))
    frames = [
        _slice(jobs.join(curves, on="base_id", how="left").sort("base_id"), _budget(str(name), held))
        for (name,), jobs in measured.group_by("slice", maintain_order=True)
    ]
    return BUDGET_TARGETS.check(pl.concat(frames) if frames else BUDGET_TARGETS.frame([]))


def _curves(of_doses: pl.DataFrame) -> pl.DataFrame:
    """Return ``base_id, curve_a, curve_b`` fitted to each dose's own counts; no rows where one dose is held."""
    doses = of_doses["slice"].unique().sort().to_list()
    if len(doses) < 2:
        return pl.DataFrame(schema={"base_id": pl.String(), "curve_a": pl.Float64(), "curve_b": pl.Float64()})
    counts = of_doses.select("base_id", "slice", "n", "k").pivot("slice", index="base_id", values=["n", "k"])
    counts = counts.fill_null(0).sort("base_id")
    n, k = (counts.select(f"{letter}_{dose}" for dose in doses).to_numpy() for letter in "nk")
    levels = [int(dose.removeprefix("m")) for dose in doses]
    fit = fit_dose_response(k, n, levels, prior=fit_dose_prior(k, n, levels))
    return pl.DataFrame({"base_id": counts["base_id"], "curve_a": fit.a, "curve_b": fit.b})


def _budget(slice_name: str, held: list[int]) -> Budget:
    doses = held if slice_name == POOLED else [int(slice_name.removeprefix("m"))]
    return Budget(np.array(doses, dtype=np.float64), np.array(doses, dtype=np.int64))


def _slice(jobs: pl.DataFrame, budget: Budget) -> pl.DataFrame:
    fitted = rate_prior(jobs)
    prior = fitted or JEFFREYS
    n, k = jobs["n"].to_numpy(), jobs["k"].to_numpy()
    alpha, beta = prior.alpha + k, prior.beta + n - k
    half = math.ceil(budget.total / 2)
    no_curve = pl.col("curve_b").is_null()
    reasons = [] if fitted else [pl.lit(ALONE)]
    notes = pl.concat_list(*reasons, pl.when(no_curve).then(pl.lit(NO_CURVE))).list.drop_nulls().list.join("; ")
    return jobs.with_columns(
        *_by_curve(jobs, budget, half),
        pl.Series("rate", alpha / (alpha + beta)),
        pl.Series("worst_case", predicted_at_least(alpha, beta, budget.total, 1)),
        pl.Series("at_least_half", predicted_at_least(alpha, beta, budget.total, half)),
        twins=pl.lit(budget.total, pl.Int64()),
        half=pl.lit(half, pl.Int64()),
        note=notes,
    ).select(list(BUDGET_TARGETS.schema))


def _by_curve(jobs: pl.DataFrame, budget: Budget, half: int) -> tuple[pl.Series, pl.Series]:
    a, b = (jobs[name].to_numpy()[:, None] for name in ("curve_a", "curve_b"))
    rates = scipy.special.expit(a + b * (budget.doses - MIDDLE_DOSE))
    return (
        pl.Series("worst_case_curve", worst_case(rates, budget.twins)).fill_nan(None),
        pl.Series("at_least_half_curve", at_least(rates, budget.twins, half)).fill_nan(None),
    )
