"""Holds the names of interchange files: what a name says, and what a row's dose is (methods §3.2, §3.3).

Never opens a file, and never guesses a dose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.records import DOSES

PUBLISHED_SUITES = {"glassgsm": "gsmic_adv", "glassmath": "math_adv"}
"""Our slugs of the two published suites, and the names their files carry."""
SLUGS = {published: slug for slug, published in PUBLISHED_SUITES.items()}

NAME = re.compile(
    r"^(?P<suite>[a-z0-9][a-z0-9_.-]{0,80}?)_m(?P<dose>\d{1,3})_(?P<kind>multiop_mix|multi)_"
    r"(?P<generator>[a-z0-9]{1,40})_labeled_pairs\.jsonl(?:\.gz)?$"
)
DOSE_IN_NAME = re.compile(r"_m(\d{1,3})_")
DOSE_IN_SHARD = re.compile(r"(?:^|[/_.=-])m(\d{1,3})(?=[/_.-]|$)")
OPERATOR_SUFFIX = re.compile(r"_m(\d{1,3})$")
INJECTION = "math_irrelevant_context"


class FileNameError(BadInput):
    """A file's name does not say what it must, or contradicts what a row says."""


class FileName(NamedTuple):
    """What the name of an interchange file says."""

    suite: str
    """Our slug: published names are translated."""
    dose: int
    is_mix: bool
    """False for a pool that was not mixed yet."""
    generator: str


class DoseStamp(NamedTuple):
    """Dose of one row: the file's m, and the sentences spliced in (None for surface twins)."""

    file_dose: int
    inject_size: int | None


def file_name(suite: str, dose: int, generator: str) -> str:
    """Return the name of the mix of one suite, dose and generator, e.g. ``gsmic_adv_m3_multiop_mix_rules_…``.

    Letters and digits of the generator are kept, other characters are dropped.
    """
    published = PUBLISHED_SUITES.get(suite, suite)
    return f"{published}_m{dose}_multiop_mix_{re.sub('[^a-z0-9]', '', generator.lower())}_labeled_pairs.jsonl"


def parse_file_name(name: str) -> FileName:
    """Read the name of an interchange file, without its folder.

    Raises:
        FileNameError: the name is not of the form of methods §3.2.
    """
    found = NAME.match(name)
    if not found:
        raise FileNameError(
            f"{name!r} is not the name of a labelled-pairs file; "
            "rename it to {suite}_m{dose}_multiop_mix_{generator}_labeled_pairs.jsonl."
        )
    return FileName(
        SLUGS.get(found["suite"], found["suite"]),
        int(found["dose"]),
        found["kind"] == "multiop_mix",
        found["generator"],
    )


def dataset_names(dataset: str) -> tuple[str, ...]:
    """Split what names a data set into absolute paths and bare names.

    A published suite (``gsmic_adv``, or its alias ``glassgsm``) stands for the mixes of its five doses; its
    generator may follow a colon (``glassgsm:qwen3p7plus``; else ``4omini``).

    Args:
        dataset: An absolute path, a bare file name, a suite, or a comma list of these.

    Raises:
        FileNameError: a relative path with a folder in it: nothing says what it is relative to.
    """
    names: list[str] = []
    for part in filter(None, (piece.strip() for piece in dataset.split(","))):
        if "/" in part and not part.startswith("/"):
            raise FileNameError(
                f"{part!r} is a relative path with a folder in it, which is not resolved; "
                f"pass an absolute path ($PWD/{part}) or a bare file name."
            )
        names.extend(_expand(part))
    if not names:
        raise FileNameError("The data set's name is empty; pass an absolute path, a bare file name or a suite.")
    return tuple(names)


def one_suite(names: Iterable[str]) -> str | None:
    """Return the suite that the names of some files state, None if none of them states one.

    Raises:
        FileNameError: they state several.
    """
    suites = {parse_file_name(name).suite: name for name in names if NAME.match(name)}
    if len(suites) > 1:
        raise FileNameError(
            f"{' and '.join(suites.values())} are of the suites {', '.join(suites)}; import one at a time."
        )
    return next(iter(suites), None)


def shard_dose(name: str) -> int | None:
    """Return the dose that the name of a parquet file or folder states, e.g. of ``m9-00000-of-00001.parquet``."""
    found = DOSE_IN_SHARD.search(name.removesuffix(".parquet"))
    return int(found[1]) if found else None


def stamp_dose(name: str, operator: str, *, file_dose: int | None = None, inject_size: int | None = None) -> DoseStamp:
    """Return the dose of one row.

    The file's m comes from ``_m<k>_`` in its name, else from the row's own ``file_dose``, else from the
    operator's suffix. The injection size is the operator's suffix, else what the row states; an injection
    without either (the first files had none) has size 1. Surface twins have no size.

    Args:
        name: Name of the file, without its folder.
        operator: Operator of the row, e.g. ``math_irrelevant_context_m3``.
        file_dose: Dose that the row itself states.
        inject_size: Injection size that the row itself states.

    Raises:
        FileNameError: nothing states a dose, or two that differ are stated.

    Source: methods §3.3.
    """
    in_name, suffix = DOSE_IN_NAME.search(name), OPERATOR_SUFFIX.search(operator)
    named = int(in_name[1]) if in_name else None
    size = int(suffix[1]) if suffix else None
    if named is not None and file_dose is not None and named != file_dose:
        raise FileNameError(f"{name}: a row states dose {file_dose}, the file name {named}; correct one of them.")
    if size is not None and inject_size is not None and size != inject_size:
        raise FileNameError(f"{name}: inject_size is {inject_size} for operator {operator!r}; correct one of them.")
    dose = next((known for known in (named, file_dose, size) if known is not None), None)
    if not dose:
        raise FileNameError(
            f"{name}: neither file name nor operator {operator!r} states a dose; put _m<dose>_ into the name."
        )
    known = size if size is not None else inject_size
    return DoseStamp(dose, known or 1 if family_of(operator) == INJECTION else known)


def family_of(operator: str) -> str:
    """Return the operator without its size suffix."""
    return OPERATOR_SUFFIX.sub("", operator)


def _expand(part: str) -> tuple[str, ...]:
    suite, _, generator = part.partition(":")
    slug = SLUGS.get(suite, suite)
    if slug not in PUBLISHED_SUITES:
        return (part,)
    return tuple(file_name(slug, dose, generator or "4omini") for dose in DOSES)
