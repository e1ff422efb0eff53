"""Holds the card of an exported Hugging Face data set: what the rows are, who made them, and how they load.

Never counts anything itself, and never writes a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from glass_pipeline.domain.corpus.notices import Source, citations
from glass_pipeline.domain.schemas import LABELED_PAIRS

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""The hub's size categories, by the number of rows below which each holds."""
GOLD = ("gold", "gold answer of the base; null where it is unknown")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """What a card says of one export."""

    suite: str
    solver: str
    is_simulated: bool
    """The labels come from a simulation, not from a model."""
    files: Mapping[int, str]
    """Path of the file of each dose, relative to the card."""
    pairs: Mapping[int, int]
    """Pairs in each file."""
    bases: int
    twin_texts: int
    """Distinct twin texts over all files."""
    sources: tuple[Source, ...]
    licences: tuple[str, ...]
    """Licences that the problems state themselves."""


def dataset_card(facts: CardFacts) -> str:
    """Return the text of README.md, whose head the hub and ``datasets`` read: one split a dose."""
    return "\n".join([*_head(facts), *_body(facts)])


def _head(facts: CardFacts) -> list[str]:
    rows = sum(facts.pairs.values())
    size = next((name for limit, name in SIZES if rows < limit), "n>1M")
    is_mit = set(facts.licences) == {"MIT"}
    licence = ["license: mit"] if is_mit else ["license: other", "license_name: see-notice", "license_link: NOTICE.md"]
    splits = [
        line
        for dose, path in sorted(facts.files.items())
        for line in (f"      - split: m{dose}", f"        path: {json.dumps(path)}")
    ]
    return [
        "---",
        f"pretty_name: {json.dumps(f'{facts.suite}: labelled pairs of {facts.solver}')}",
        *licence,
        "language:",
        "  - en",
        "tags:",
        "  - robustness",
        "  - evaluation",
        *(["  - simulated"] if facts.is_simulated else []),
        "size_categories:",
        f"  - {size}",
        "configs:",
        "  - config_name: default",
        "    data_files:",
        *splits,
        "---",
        "",
    ]


def _body(facts: CardFacts) -> list[str]:
    simulated = " The labels are a simulation: no model answered." if facts.is_simulated else ""
    meanings = [*((column.name, column.meaning) for column in LABELED_PAIRS.columns), GOLD]
    return [
        f"# {facts.suite}, labelled by {facts.solver}",
        "",
        f"{facts.bases:,} base problems and {facts.twin_texts:,} rewordings (twins) that keep the gold answer; one row"
        f" is a base, one twin, and whether {facts.solver} solved each.{simulated}",
        "",
        "One split a dose file: m is the number of twins a base. The files are resamples of one pool of twins, so",
        "split by `base_id` only, never by row or file. delta = 1 is a break: the base was solved, the twin was not.",
        "",
        "| split | pairs |",
        "|---|---|",
        *(f"| m{dose} | {count:,} |" for dose, count in sorted(facts.pairs.items())),
        "",
        "| column | holds |",
        "|---|---|",
        *(f"| `{name}` | {meaning} |" for name, meaning in meanings),
        "",
        "Break rates are relative to this solver and these twins; they are no property of the text.",
        "",
        "Licence notices are in NOTICE.md.",
        "",
        "```bibtex",
        citations(facts.sources).strip(),
        "```",
        "",
    ]
