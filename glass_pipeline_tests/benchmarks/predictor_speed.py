"""Holds the speed of Frail-pi at the published size: 1,319 jobs of 25 observations, and 10,000 new items.

Never asserts anything. Run ``python glass_pipeline_tests/benchmarks/predictor_speed.py [--encoder]``; the latter also
fine-tunes MiniLM for one epoch of 800 jobs beside a bare PyTorch loop on the same batches. The figures are recorded in
``glass_pipeline/domain/predictors/README.md``.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import replace

import numpy as np
import polars as pl

from glass_pipeline.domain.predictors.config import FINE_TUNED, EncoderConfig, FrailPiConfig
from glass_pipeline.domain.predictors.declared import Declared
from glass_pipeline.domain.predictors.deployed import PredictorTask, ask, files_of, stored_model, train_and_keep
from glass_pipeline.domain.predictors.encoder import encode, load_encoder, tokens
from glass_pipeline.domain.predictors.frail_contrast import FrailContrast
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.frail_pi_encoder import FrailPiEncoder
from glass_pipeline.domain.predictors.jobs import PROBLEM_SCHEMA, JobSet, jobs_of_texts, strata_of
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table
from glass_pipeline.domain.problems.glassmini import generate
from glass_pipeline.domain.records import DOSES, FAMILIES
from glass_pipeline.domain.splits import split_jobs

JOBS, NEW_ITEMS, EPOCH_JOBS = 1319, 10_000, 800
MICROBATCH = FINE_TUNED.microbatch


def problem_texts(size: int) -> list[str]:
    """Return texts of the project's own problems."""
    return [problem.text for problem in generate(size, seed=0, split="train", max_steps=8)]


def simulated_jobs() -> JobSet:
    """Return jobs of 25 observations: m twins at each dose m, breaks at a rate of their own."""
    rng = np.random.default_rng(0)
    problems, twins = [], []
    for number, text in enumerate(problem_texts(JOBS)):
        base_id, rate = f"job-{number}", rng.beta(0.4, 3.3)
        problems.append({"base_id": base_id, "text": text, "category": "", "base_pass_rate": 1.0})
        for dose in DOSES:
            for n in range(dose):
                row = {"base_id": base_id, "text": f"{base_id} {dose} {n}", "family": FAMILIES[n % 3], "dose": dose}
                twins.append(row | {"is_break": float(rng.random() < rate)})
    return JobSet(
        problems=pl.DataFrame(problems, schema=PROBLEM_SCHEMA).sort("base_id"),
        twins=pl.DataFrame(twins).sort("base_id", "dose", "family", "text"),
    )


def bare_epoch(texts: list[str]) -> float:
    """Return the seconds of one epoch of a plain loop: encode, linear layer, cross-entropy, step every 64 texts."""
    import torch

    encoder = load_encoder(EncoderConfig())
    head = torch.nn.Linear(encoder.dimensions, 1)
    optimizer = torch.optim.AdamW([*encoder.model.parameters(), *head.parameters()], lr=2e-5)
    order = np.random.default_rng(0).permutation(len(texts))
    start = time.perf_counter()
    for first in range(0, len(texts), FINE_TUNED.jobs_per_batch):
        optimizer.zero_grad()
        batch = order[first : first + FINE_TUNED.jobs_per_batch]
        for at in range(0, batch.size, MICROBATCH):
            own = [texts[row] for row in batch[at : at + MICROBATCH]]
            logits = head(encode(encoder, tokens(encoder, own))).squeeze(1)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.zeros(len(own)))
            torch.autograd.backward(loss * len(own) / batch.size)
        optimizer.step()
    return time.perf_counter() - start


def time_contrast(train: JobSet, validation: JobSet, test: JobSet) -> None:
    """Print the seconds of one seed of the contrast architecture."""
    start = time.perf_counter()
    model = FrailContrast().fit(train, validation, seed=0)
    model.predict(test.without_outcomes())
    print(f"arch contrast, one seed: {time.perf_counter() - start:.1f} s, {len(model.history)} epochs")


def time_stored(jobs: JobSet, items: JobSet) -> None:
    """Print the seconds of training over five seeds with the kept model, and of reading it and asking 10,000 items."""
    splits = splits_of(splits_table(jobs.problems.with_columns(revision=pl.lit("r")), source="speed"), tuple(range(5)))
    task = PredictorTask(
        declared=Declared(name="frail-pi", kind="frail_pi"),
        jobs=jobs,
        splits=splits,
        suite="speed",
        solver="simulated",
        slice_name="pooled",
        is_simulated=True,
        code_version="1",
    )
    start = time.perf_counter()
    kept = train_and_keep(task).model
    print(f"five seeds and the kept model: {time.perf_counter() - start:.1f} s")
    assert kept is not None
    files = files_of(kept)
    start = time.perf_counter()
    ask(stored_model(files), items)
    size = sum(map(len, files.values())) / 2**20
    print(f"read a kept model of {size:.0f} MiB and ask {NEW_ITEMS:,} items: {time.perf_counter() - start:.1f} s")


def main() -> None:
    """Print seconds and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encoder", action="store_true")
    arguments = parser.parse_args()
    jobs = simulated_jobs()
    split = split_jobs(strata_of(jobs), dataset_key="speed", seed=0)
    train, validation = jobs.only(split.train), jobs.only(split.validation)
    start = time.perf_counter()
    model = FrailPi().fit(train, validation, seed=0)
    model.predict(jobs.only(split.test).without_outcomes())
    print(
        f"tfidf_svd, one seed of {JOBS:,} jobs x 25: {time.perf_counter() - start:.1f} s, {len(model.history)} epochs"
    )
    items = jobs_of_texts((f"new-{n}", text) for n, text in enumerate(problem_texts(NEW_ITEMS)))
    start = time.perf_counter()
    model.predict(items)
    print(f"predict {NEW_ITEMS:,} items: {time.perf_counter() - start:.1f} s")
    time_contrast(train, validation, jobs.only(split.test))
    time_stored(jobs, items)
    if arguments.encoder:
        part = jobs.only(jobs.base_ids[:EPOCH_JOBS])
        bare = bare_epoch(part.texts)
        config = FrailPiConfig(features="hf_finetune", recipe=replace(FINE_TUNED, epochs=1))
        few = jobs.only(jobs.base_ids[EPOCH_JOBS : EPOCH_JOBS + 10])
        start = time.perf_counter()
        FrailPiEncoder(config).fit(part, few, seed=0)
        ours = time.perf_counter() - start
        print(f"MiniLM, one epoch of {EPOCH_JOBS} jobs: {ours:.1f} s, bare loop {bare:.1f} s, {ours / bare:.2f} x")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
