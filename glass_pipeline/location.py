"""Holds where a warehouse lies: a folder of this machine, or a prefix of an S3 bucket. Both answer like ``pathlib``.

Never reads the environment by itself, never talks to the bucket, and imports what S3 needs only where one is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from glass_pipeline.domain.errors import BadInput

if TYPE_CHECKING:
    from upath import UPath

Location: TypeAlias = "Path | UPath"
"""A file or folder, on this machine or in a bucket."""

S3 = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w=.-]+)*/?", re.ASCII)
VARIABLES = {
    "key": ("AWS_ACCESS_KEY_ID",),
    "secret": ("AWS_SECRET_ACCESS_KEY",),
    "token": ("AWS_SESSION_TOKEN",),
    "endpoint_url": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
}
"""What of the environment names the server and the right to use it; unset, botocore looks where it always does."""
REGIONS = ("AWS_REGION", "AWS_DEFAULT_REGION")
READ_AHEAD = 64 * 1024
"""Bytes fetched at least: a parquet footer in one request, and little beyond the columns that are asked for."""


class LocationError(BadInput):
    """A warehouse is named that cannot be one; one sentence says why and what may stand there."""


def location_of(text: str, folder: Path, environment: Mapping[str, str]) -> Location:
    """Return the location that ``warehouse`` or GLASS_WAREHOUSE names.

    Args:
        text: A folder, or ``s3://bucket/prefix``.
        folder: What a relative folder is relative to.
        environment: Holds the AWS_* variables.

    Raises:
        LocationError: another scheme, a bucket or prefix of odd characters, or the extra is not installed.
    """
    if "://" not in text:
        return folder / text
    if not S3.fullmatch(text):
        raise LocationError(
            f"warehouse = {text!r}: name a folder, or s3://bucket/prefix of letters, digits and any of _ = . - only."
        )
    if find_spec("s3fs") is None:
        raise LocationError(f"warehouse = {text!r} needs s3fs; `pip install 'glass-pipeline[distributed]'`.")
    return _in_bucket(text.rstrip("/"), environment)


def on_this_machine(location: Location, what: str) -> Path:
    """Return a location that must be a folder or file of this machine.

    Raises:
        LocationError: it lies in a bucket; ``what`` says what cannot be kept or read there.
    """
    if not isinstance(location, Path):
        raise LocationError(f"{what} cannot lie in {location}; copy it to, or name, a folder on this machine.")
    return location


def _in_bucket(url: str, environment: Mapping[str, str]) -> UPath:
    from upath import UPath

    options: dict[str, Any] = {name: _first(variables, environment) for name, variables in VARIABLES.items()}
    region = _first(REGIONS, environment)
    located: UPath = UPath(
        url,
        **{name: value for name, value in options.items() if value},
        client_kwargs={"region_name": region} if region else {},
        # For reading; what is written goes up in one piece, see ``defs.files``.
        default_block_size=READ_AHEAD,
        default_cache_type="readahead",
        # Other workers write here too: what was listed a moment ago may be wrong now.
        use_listings_cache=False,
    )
    return located


def _first(variables: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    return next((environment[name] for name in variables if environment.get(name)), None)
