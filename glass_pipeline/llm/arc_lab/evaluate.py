"""Holds the steps that use adapters: the evaluation of all of them on the test split, and an answer from one.

Never trains, and never opens the test split before every adapter is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from glass_pipeline.domain.arc_lab.adapters import attached
from glass_pipeline.domain.arc_lab.base_watch import BaseWatch
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import FEWEST_CHOICES, ChoiceItem, letters
from glass_pipeline.domain.arc_lab.predicting import Questions, encode_questions, predict
from glass_pipeline.domain.arc_lab.scoring import Scorer
from glass_pipeline.domain.comparison.thresholds import declaration
from glass_pipeline.llm.arc_lab.device import environment, require_device
from glass_pipeline.llm.arc_lab.folder import (
    BASELINE,
    LabFolder,
    file_hash,
    read_adapter,
    read_json,
    result_name,
    write_json,
)
from glass_pipeline.llm.arc_lab.prepare import require_thresholds
from glass_pipeline.llm.arc_lab.series import Log, read_series, require_same_making
from glass_pipeline.llm.arc_source import LabHub, load_base


class Chosen(NamedTuple):
    """The answer to one question."""

    selected_index: int
    selected_text: str
    scores: tuple[float, ...]
    """Mean log-probabilities, no probabilities."""


def evaluate(folder: LabFolder, device: str, hub: LabHub, *, log: Log, only: Sequence[str] | None = None) -> None:
    """Predict the test split with the base model and with every adapter of the series.

    Args:
        folder: Of the lab, with all adapters of its series: also a single result opens the test split.
        device: For all models.
        hub: Where the model comes from, if no local path.
        log: Told of every result file.
        only: Results to make now, ``baseline`` or ``seed-<s>``; one that was made with another adapter is made anew.
            None for all, which refuses such a one.

    Raises:
        LabError: an adapter is missing, a result is none of the series, or results of other models are there.
    """
    series = read_series(folder)
    names = {BASELINE: None, **{result_name(seed): seed for seed in series.config.seeds}}
    strange = next((name for name in only or () if name not in names), None)
    if strange is not None:
        raise LabError(f"{strange} is no result of the series, which has {', '.join(names)}; train that seed first.")
    adapters = {seed: read_adapter(folder.adapter(seed)) for seed in series.config.seeds}
    require_device(device)
    made_from = {
        **environment(device),
        "scoring": series.scorer.scoring,
        "sources": asdict(folder.read_lock()),
        "thresholds": require_thresholds(folder),
        "test": file_hash(folder.split("test"), "prepare"),
        "adapters": {str(seed): declaration(adapter.weights) for seed, adapter in adapters.items()},
    }
    _continue_results(folder, made_from, only)
    base = load_base(folder.read_lock(), device, hub)
    questions = encode_questions(folder.read_items("test"), base.encode, max_length=series.config.max_length)
    watch = BaseWatch(base.model, questions.encoded[0])
    for name in names if only is None else only:
        seed = names[name]
        opened = nullcontext(base.model) if seed is None else attached(base.model, adapters[seed])
        _write_result(folder, name, opened, questions, series.scorer, log)
        watch.check(base.model, f"evaluating {name}")


def answer(
    folder: LabFolder, adapter: Path, device: str, hub: LabHub, *, question: str, choices: Sequence[str]
) -> Chosen:
    """Choose an answer to any question with the locked model and one adapter, scored as in the evaluation.

    Raises:
        LabError: there are fewer than two choices, a text is empty, or the adapter is missing.
    """
    if len(choices) < FEWEST_CHOICES:
        raise LabError("predict needs at least two choices; repeat --choice.")
    if not question.strip() or not all(choice.strip() for choice in choices):
        raise LabError("predict needs a question and choices that are not empty.")
    series = read_series(folder)
    weights = read_adapter(adapter)
    require_device(device)
    base = load_base(folder.read_lock(), device, hub)
    item = ChoiceItem(id="cli", question=question, labels=letters(len(choices)), choices=tuple(choices), answer_index=0)
    asked = encode_questions([item], base.encode, max_length=series.config.max_length)
    with attached(base.model, weights) as model:
        found = predict(model, asked, series.scorer)[0]
    return Chosen(found.prediction, choices[found.prediction], found.scores)


def _continue_results(folder: LabFolder, made_from: Mapping[str, Any], only: Sequence[str] | None) -> None:
    """Write down what the results are made from, or refuse what was made from something else and is not made anew."""
    now: Mapping[str, str] = made_from["adapters"]
    held = read_json(folder.made_from, "evaluate").get("adapters", {}) if folder.made_from.exists() else {}
    recorded = now if only is None else {**now, **held}
    require_same_making(
        folder.made_from,
        {**made_from, "adapters": recorded},
        "evaluate",
        "results",
        "evaluate all models again after `glass arc clean --results`",
    )
    other = {
        seed: made for seed, made in now.items() if result_name(int(seed)) in (only or ()) and recorded[seed] != made
    }
    for seed in other:
        folder.result(result_name(int(seed))).unlink(missing_ok=True)
    if other:
        write_json(folder.made_from, {**made_from, "adapters": {**recorded, **other}})


def _write_result(
    folder: LabFolder,
    name: str,
    opened: AbstractContextManager[Any],
    questions: Questions,
    scorer: Scorer,
    log: Log,
) -> None:
    path = folder.result(name)
    if path.is_file():
        log(f"kept={path}", {"event": "kept", "path": str(path)})
        return
    with opened as model:
        folder.write_predictions(name, predict(model, questions, scorer))
    log(f"saved={path}", {"event": "saved", "path": str(path)})
