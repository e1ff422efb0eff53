"""Holds what all adapters of a lab share, and the refusal to mix them with those of another making.

Never trains or evaluates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.arc_lab.scoring import Scorer
from glass_pipeline.llm.arc_lab.folder import LabFolder, read_json, write_json

Log = Callable[[str, Mapping[str, Any]], None]
"""Takes what happened as a line for people and as fields for machines."""


class Series(NamedTuple):
    """The settings that all adapters of a lab share."""

    config: LabConfig
    scorer: Scorer


def read_series(folder: LabFolder) -> Series:
    """Return the settings that all adapters of a lab share.

    Raises:
        LabError: nothing was trained yet, or the file is damaged.
    """
    found = read_json(folder.series, "train-all")
    try:
        config: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in found["config"].items()
        }
        shared = LabConfig(**config)
        scorer = Scorer(shared.max_length, "shared" if found["scoring"] == "shared" else "plain")
    except (KeyError, TypeError, AttributeError):
        raise LabError(
            f"{folder.series} does not describe a series; delete it with `glass arc clean` and train all seeds again."
        ) from None
    return Series(shared, scorer)


def require_same_making(path: Path, made: Mapping[str, Any], command: str, what: str, remedy: str) -> None:
    """Write down how something was made, or refuse where a part of it was made in another way.

    Args:
        path: Of the file that says how it was made.
        made: How it would be made now.
        command: Subcommand that writes the file.
        what: Adapters or results.
        remedy: What to do, for the message.

    Raises:
        LabError: names the first setting that differs.
    """
    if not path.exists():
        write_json(path, made)
        return
    held = read_json(path, command)
    for name, value in made.items():
        if held.get(name) != value:
            raise LabError(
                f"The {what} that are there were made with another {name} ({_difference(held.get(name), value)}) and "
                f"may not be combined with new ones; {remedy}."
            )


def _difference(held: Any, asked: Any) -> str:
    if isinstance(held, dict) and isinstance(asked, dict):
        name = next(each for each in sorted({*held, *asked}) if held.get(each) != asked.get(each))
        return f"{name} {held.get(name)!r}, now {asked.get(name)!r}"
    return f"{held!r}, now {asked!r}"
