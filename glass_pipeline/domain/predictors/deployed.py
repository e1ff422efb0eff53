"""Holds the model that is kept for new items: trained, described, stored, read back and asked.

Never opens a file: whoever stores it writes ``files_of`` and reads them for ``stored_model``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.predictors.checkpoint import Checkpoint, unpack
from glass_pipeline.domain.predictors.declared import CONTRAST, Declared, make_predictor, trains_encoder
from glass_pipeline.domain.predictors.frail_contrast import FrailContrast
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.frail_pi_encoder import FrailPiEncoder
from glass_pipeline.domain.predictors.held_out import HeldOut, Told, computing, held_out_predictions
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError
from glass_pipeline.domain.predictors.rate_intervals import RateIntervals, fit_rate_intervals, rate_intervals_from
from glass_pipeline.domain.splits import Sidecar, Split, sidecar_from, sidecar_of
from glass_pipeline.domain.stats.rank import spearman

TENSORS, DESCRIPTION, SIDECAR, ABOUT, CARD = (
    "model.safetensors",
    "model.json",
    "sidecar.json",
    "about.json",
    "card.md",
)
MODEL_FILES = (TENSORS, DESCRIPTION, SIDECAR, ABOUT, CARD)
ANSWER = ("base_id", "pi_hat", "pi_low", "pi_high", "a_hat", "b_hat", "wc_hat", "is_seen")
Frail = FrailPi | FrailPiEncoder | FrailContrast


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a person must know of a model before believing it."""

    suite: str
    solver: str
    predictor: str
    kind: str
    slice: str
    is_simulated: bool
    """The labels are a simulation."""
    reads: str
    n_jobs: int
    """Jobs with a break rate that it was fitted or stopped on."""
    n_twins: int
    mean_pi: float
    families: Mapping[str, float]
    """Share of twins of each family: what pi-hat is a mean over."""
    seeds: tuple[int, ...]
    held_out_spearman: tuple[float, ...]
    """Of the same settings on jobs held out, by seed; the stored model has seen those jobs since."""
    intervals: Mapping[str, Any] | None
    """``RateIntervals.to_record``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredModel:
    """A model for new items, with what it has seen and how well such models did."""

    checkpoint: Checkpoint
    sidecar: Sidecar
    about: About

    @property
    def intervals(self) -> RateIntervals | None:
        """Intervals of break rates by predicted rate; None where held-out jobs had one outcome only."""
        return None if self.about.intervals is None else rate_intervals_from(self.about.intervals)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictorTask:
    """One declared predictor and what it is trained on."""

    declared: Declared
    jobs: JobSet
    """All jobs of one solver, in or out of the stratum, with outcomes."""
    splits: Mapping[int, Split]
    """By seed."""
    suite: str
    solver: str
    slice_name: str
    is_simulated: bool
    code_version: str
    """Of the stage that trains."""


class Trained(NamedTuple):
    """Held-out predictions, and the model that is kept."""

    held: HeldOut
    model: StoredModel | None
    """None for what cannot be stored: baselines, averages of several starts, and what could not be trained."""


def train_and_keep(task: PredictorTask, *, tell: Told = lambda _: None) -> Trained:
    """Predict what each seed holds out, then train the model that is kept on every labelled job.

    The kept model stops on the validation part of the first seed and is trained on all other jobs; what held-out jobs
    say of such models gives its figures and intervals.

    Args:
        task: What is trained on what.
        tell: Told one line a seed.

    Raises:
        MissingPart: a package or weights are not on this machine.
    """
    held = held_out_predictions(
        task.declared, task.jobs, task.splits, solver=task.solver, slice_name=task.slice_name, tell=tell
    )
    predictor = make_predictor(task.declared)
    rated = held.table.drop_nulls(["pi", "pi_hat"])
    if rated.is_empty() or not isinstance(predictor, Frail):
        return Trained(held, None)
    tell("all labelled jobs: the model that is kept")
    split = next(iter(task.splits.values()))
    whole = replace(split, train=tuple(sorted((*split.train, *split.test))), test=())
    with computing(task.declared):
        predictor.fit(task.jobs.only(whole.train), task.jobs.only(whole.validation), seed=split.seed)
    backbone = task.declared.encoder if trains_encoder(task.declared) else task.declared.features
    model = StoredModel(
        checkpoint=predictor.save(),
        sidecar=sidecar_of(
            whole, dataset=task.suite, code_version=task.code_version, arch=task.declared.arch, backbone=backbone
        ),
        about=_about(task, predictor.reads, rated),
    )
    return Trained(held, model)


def _about(task: PredictorTask, reads: str, rated: pl.DataFrame) -> About:
    seen = task.jobs.labelled()
    families = seen.twins.group_by("family").len().sort("family")
    intervals = fit_rate_intervals(rated["pi_hat"], rated["k"], rated["n"])
    by_seed = {int(str(seed)): rows for (seed,), rows in rated.group_by("seed", maintain_order=True)}
    return About(
        suite=task.suite,
        solver=task.solver,
        predictor=task.declared.name,
        kind=task.declared.variant,
        slice=task.slice_name,
        is_simulated=task.is_simulated,
        reads=reads,
        n_jobs=len(seen),
        n_twins=seen.twins.height,
        mean_pi=float(seen.counts()["pi"].to_numpy().mean()),
        families={family: count / seen.twins.height for family, count in families.iter_rows()},
        seeds=tuple(by_seed),
        held_out_spearman=tuple(spearman(rows["pi_hat"], rows["pi"]) for rows in by_seed.values()),
        intervals=None if intervals is None else intervals.to_record(),
    )


def files_of(model: StoredModel) -> dict[str, bytes]:
    """Return the files that a model is stored as, by name."""
    about = asdict(model.about)
    about["held_out_spearman"] = [rho if math.isfinite(rho) else None for rho in model.about.held_out_spearman]
    return {
        TENSORS: model.checkpoint.tensors,
        DESCRIPTION: model.checkpoint.description.encode(),
        SIDECAR: model.sidecar.to_json().encode(),
        ABOUT: json.dumps(about, sort_keys=True, ensure_ascii=False, indent=1, allow_nan=False).encode(),
        CARD: model_card(model.about).encode(),
    }


def stored_model(files: Mapping[str, bytes]) -> StoredModel:
    """Return the model of some files.

    Raises:
        PredictorError: a file is missing or is not what ``files_of`` writes.
        SplitError: the sidecar is not one.
    """
    missing = [name for name in (TENSORS, DESCRIPTION, SIDECAR, ABOUT) if name not in files]
    if missing:
        raise PredictorError(f"model: {missing[0]} is missing; name the folder of a model that `glass run` trained.")
    try:
        record = json.loads(files[ABOUT])
        rho = tuple(math.nan if value is None else float(value) for value in record.pop("held_out_spearman"))
        about = About(**record | {"held_out_spearman": rho, "seeds": tuple(record["seeds"])})
        model = StoredModel(
            checkpoint=Checkpoint(files[TENSORS], files[DESCRIPTION].decode()),
            sidecar=sidecar_from(files[SIDECAR].decode()),
            about=about,
        )
        _ = model.intervals
    except BadInput:
        raise
    except (TypeError, KeyError, AttributeError, RecursionError, ValueError) as error:
        raise PredictorError(f"model: {ABOUT} is not that of a stored model ({error}); train it again.") from None
    return model


def ask(model: StoredModel, jobs: JobSet, *, worst_case: tuple[int, ...] | None = None) -> pl.DataFrame:
    """Return ``base_id, pi_hat, pi_low, pi_high, a_hat, b_hat, wc_hat, is_seen`` of items, in one pass.

    Args:
        model: Stored.
        jobs: Items; what is known of their outcomes is not looked at.
        worst_case: K_m, twins at each dose among which a break is asked for; None takes the model's own.

    Raises:
        PredictorError: the checkpoint cannot be restored.
    """
    frail = restored(model.checkpoint)
    if worst_case is not None:
        if isinstance(frail, FrailContrast):
            raise PredictorError(
                "model: arch contrast has no curve over doses to take a worst case of; take arch dose."
            )
        frail.config = replace(frail.config, worst_case_twins=worst_case)
    found = frail.predict(jobs.without_outcomes())
    seen = [*model.sidecar.train_job_ids, *model.sidecar.val_job_ids]
    unknown = pl.lit(None, pl.Float64())
    found = found.with_columns(pi_low=unknown, pi_high=unknown, is_seen=pl.col("base_id").is_in(seen))
    if model.intervals is not None:
        low, high = model.intervals.bounds(found["pi_hat"])
        found = found.with_columns(pl.Series("pi_low", low), pl.Series("pi_high", high))
    return found.select(ANSWER)


def own_worst_case(model: StoredModel) -> tuple[int, ...]:
    """Return K_m of a model's own worst case; empty where it has none."""
    _, description = unpack(model.checkpoint)
    return tuple(description.get("config", {}).get("worst_case_twins", ()))


def restored(checkpoint: Checkpoint) -> Frail:
    """Return the predictor of a checkpoint.

    Raises:
        PredictorError: it is not one of Frail-pi.
    """
    _, description = unpack(checkpoint)
    if description.get("arch") == CONTRAST:
        return FrailContrast.load(checkpoint)
    kind = FrailPiEncoder if "encoder" in description else FrailPi
    return kind.load(checkpoint)


def model_card(about: About) -> str:
    """Return the card that lies beside a model: what it is, how it did, what it is not for."""
    rho = [value for value in about.held_out_spearman if math.isfinite(value)]
    spread = (
        f"{sum(rho) / len(rho):.3f} (by seed: {', '.join(f'{value:.3f}' for value in rho)})" if rho else "undefined"
    )
    simulated = " **The labels are a simulation and say nothing about any model.**" if about.is_simulated else ""
    families = ", ".join(f"{name} {share:.0%}" for name, share in about.families.items())
    covered = "90 % intervals come from how held-out items with a like prediction turned out."
    if about.intervals is None:
        covered = "There are no intervals: held-out items had one outcome only."
    return f"""# {about.predictor}: how often rewording breaks an item, from its text

Predicts π, the share of rewordings that break an item which {about.solver} solves, before any is solved.{simulated}

- Trained on {about.suite}, slice {about.slice}: {about.n_jobs:,} items, {about.n_twins:,} distinct twins, mean π
  {about.mean_pi:.3f}.
- Kind {about.kind}; reads {about.reads}.
- π̂ is a mean over this mix of rewordings: {families}.
- Held-out Spearman with the measured rate, same settings, {len(about.seeds)} seeds: {spread}.
- {covered} They cover the rate itself; the share among a few twins varies more.

## Not for

- Another solver: fragility is a property of item and solver together.
- Items that the solver fails as they stand: π is defined where it solves them.
- Items unlike those it was trained on; nothing in the numbers warns of that.
- Items that `sidecar.json` lists: it has seen their outcomes, and `is_seen` marks them.
"""
