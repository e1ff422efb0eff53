"""Holds the reading of glass.toml and of the environment that a study may see.

Never looks at the environment by itself: it is handed in.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic import ValidationError

from glass_pipeline.location import Location, location_of
from glass_pipeline.study.declared import Study, StudyError


def load_study(path: Path) -> Study:
    """Read glass.toml.

    Raises:
        StudyError: the file is absent or not TOML, or a key is wrong; names file, table and key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StudyError(
            f"{path}: no such study file; run from the project's folder or name one with --study."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: not valid TOML: {error}.") from None
    return parse_study(document, path.name)


def parse_study(document: Mapping[str, Any], file_name: str) -> Study:
    """Check a parsed study file.

    Raises:
        StudyError: names file, table and key of the first error.
    """
    try:
        return Study.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"] if part != "[key]"]
        table, key = ".".join(place[:-1]), place[-1] if place else ""
        message = first["msg"].removeprefix("Value error, ")
        where = f"[{table}] {key}: " if table else f"[{key}]: " if place else ""
        raise StudyError(f"{file_name}: {where}{message}.") from None


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a study lives and what of the environment it may see."""

    study_file: Path
    warehouse: Location
    environment: Mapping[str, str]


def settings_from(environment: Mapping[str, str], study_file: Path | None = None) -> tuple[Study, Settings]:
    """Return the study and where it lives.

    Args:
        environment: The process environment; ``GLASS_STUDY`` names the study file, ``GLASS_WAREHOUSE`` another
            warehouse, AWS_* how to reach one in a bucket; a ``.env`` file beside the study fills in what is unset.
        study_file: Overrides ``GLASS_STUDY``.

    Raises:
        StudyError: the study file is absent or wrong.
        LocationError: the warehouse can lie neither in a folder nor in a bucket.
    """
    path = (study_file or Path(environment.get("GLASS_STUDY", "glass.toml"))).resolve()
    study = load_study(path)
    dotenv = {name: value for name, value in dotenv_values(path.parent / ".env").items() if value is not None}
    merged = {**dotenv, **environment}
    warehouse = location_of(merged.get("GLASS_WAREHOUSE") or study.study.warehouse, path.parent, merged)
    return study, Settings(study_file=path, warehouse=warehouse, environment=merged)
