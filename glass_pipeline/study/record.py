"""Holds what every record of glass.toml is: frozen, and deaf to no unknown key.

Never declares a table.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=60)]
"""Lower-case letters, digits, dot and hyphen: safe in a path, a partition key and a URL. Append-only."""


class Record(BaseModel):
    """A frozen record that refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")
