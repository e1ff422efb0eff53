"""Holds ``glass predict``: how fragile new items are, by a model that the graph has kept.

Never trains; it reads a model's folder, asks it once, and prints what it says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.files import parse_lines, read_bytes, write_lines
from glass_pipeline.domain.records import DOSES

if TYPE_CHECKING:
    from glass_pipeline.domain.predictors.deployed import StoredModel
    from glass_pipeline.domain.predictors.jobs import JobSet

TEXT_KEYS = ("question", "text", "base_text")


def predict(items: Path, model: Path, dose: str | None, twins: int | None, *, as_json: bool) -> None:
    """Print a prediction of every item, in the order of the file."""
    from glass_pipeline.domain.predictors.deployed import ask, own_worst_case

    stored = read_model(model)
    jobs, order = read_items(items)
    asked = worst_case_of(dose, twins)
    by_id = {row["base_id"]: row for row in ask(stored, jobs, worst_case=asked).iter_rows(named=True)}
    among = sum(asked or own_worst_case(stored))
    rows = [_printed(by_id[name], among) for name in order]
    if as_json:
        print(json.dumps({"model": about_of(stored), "items": rows}, ensure_ascii=False))
        return
    write_lines(rows)
    print(f"{said_of(stored)} Card: {model / 'card.md'}", file=sys.stderr)
    seen = sum(row["is_seen"] for row in rows)
    if seen:
        print(f"{seen:,} of {len(rows):,} items were among those it was trained on.", file=sys.stderr)


def read_model(folder: Path) -> StoredModel:
    """Read the model of a folder.

    Raises:
        InputError: there is no such folder.
        PredictorError: it does not hold a model, or a damaged one.
    """
    from glass_pipeline.domain.predictors.deployed import MODEL_FILES, stored_model

    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; name one that `glass run SUITE --select predictors` made, e.g. "
            "warehouse/SUITE/predictions/predictor=NAME/solver=SOLVER."
        )
    return stored_model({name: (folder / name).read_bytes() for name in MODEL_FILES if (folder / name).is_file()})


def read_items(path: Path) -> tuple[JobSet, list[str]]:
    """Return the items of a file as jobs without twins, and their ids in the order of the file.

    Raises:
        InputError: a line has no id or no text.
        PredictorError: two items share an id.
    """
    from glass_pipeline.domain.predictors.jobs import jobs_of_texts

    items: list[tuple[str, str]] = []
    for line in parse_lines(read_bytes(path), path, required=("id",)):
        text = next((line.row[key] for key in TEXT_KEYS if isinstance(line.row.get(key), str)), None)
        if text is None:
            raise InputError(
                f"{path}, line {line.number}: no text; each line needs id and one of {', '.join(TEXT_KEYS)}."
            )
        items.append((str(line.row["id"]), text))
    return jobs_of_texts(items), [name for name, _ in items]


def worst_case_of(dose: str | None, twins: int | None) -> tuple[int, ...] | None:
    """Return K_m, twins at each dose, for ``--dose m9 --twins 9``; None where neither is given.

    Raises:
        InputError: one is given without the other, or there is no such dose.
    """
    if dose is None and twins is None:
        return None
    keys = [f"m{each}" for each in DOSES]
    if dose is None or twins is None or dose not in keys:
        raise InputError(f"--dose {dose} --twins {twins}: a worst case takes both; doses are {', '.join(keys)}.")
    return tuple(twins if key == dose else 0 for key in keys)


def about_of(model: StoredModel) -> dict[str, Any]:
    """Return what is known of a model, as JSON holds it."""
    from glass_pipeline.domain.predictors.deployed import ABOUT, files_of

    return dict(json.loads(files_of(model)[ABOUT]))


def said_of(model: StoredModel) -> str:
    """Return one sentence on a model: what it was trained on, and how such models rank items they have not seen."""
    about = model.about
    rho = [value for value in about.held_out_spearman if value == value]
    ranked = f"held-out Spearman {sum(rho) / len(rho):.2f} over {len(rho)} seeds" if rho else "no held-out Spearman"
    solver = f"{about.solver}, a simulation" if about.is_simulated else about.solver
    return f"{about.predictor}, trained on {about.n_jobs:,} items of {about.suite} for {solver}: {ranked}."


def _printed(row: dict[str, Any], twins: int) -> dict[str, Any]:
    return {
        "id": row["base_id"],
        "pi_hat": row["pi_hat"],
        "pi_low": row["pi_low"],
        "pi_high": row["pi_high"],
        "a": row["a_hat"],
        "b": row["b_hat"],
        "worst_case": row["wc_hat"],
        "worst_case_twins": twins,
        "is_seen": row["is_seen"],
    }
