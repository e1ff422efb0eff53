"""Holds whose texts a corpus is made of: the licence notices and citations that travel with every export.

Never judges whether a licence allows a use.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources

METHOD = "method"
"""Key of the paper whose estimands and operator families are used."""
PUBLISHED_SOURCES = {"glassgsm": "gsm8k", "glassmath": "math"}
"""Data sets that the published suites reword."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One data set that texts come from, or one paper."""

    title: str
    licence: str = ""
    copyright: str = ""
    citation: str = ""
    """BibTeX; empty where there is nothing to cite."""


def known_sources(keys: Iterable[str]) -> tuple[Source, ...]:
    """Return the known sources among some keys, each once, in their order."""
    table = tomllib.loads(_packaged("sources.toml"))
    return tuple(Source(**table[key]) for key in dict.fromkeys(keys) if key in table)


def notice(suite: str, sources: Iterable[Source], licences: Iterable[str], carried: str | None = None) -> str:
    """Return the text of NOTICE.md.

    Args:
        suite: Slug of the suite.
        sources: Data sets that the texts come from.
        licences: Licences that the problems state themselves.
        carried: Notice that came with the suite when it was imported; kept word for word.
    """
    known = [source for source in sources if source.copyright]
    lines = [
        f"# Notice for {suite}",
        "",
        "Licence that the problems state: " + ", ".join(sorted(set(licences))) + ".",
        "",
    ]
    for source in known:
        lines += [f"Contains text derived from {source.title} ({source.licence}). {source.copyright}", ""]
    if any(source.licence == "MIT" for source in known):
        lines += ["## MIT licence", "", _packaged("mit.txt").strip(), ""]
    if carried:
        lines += ["## Notice of the release that this suite was imported from", "", carried.strip(), ""]
    return "\n".join(lines)


def citations(sources: Iterable[Source]) -> str:
    """Return the text of CITATION.bib: the sources and the paper of the method."""
    cited = [source.citation.strip() for source in (*sources, *known_sources([METHOD])) if source.citation]
    return "\n\n".join(cited) + "\n"


def _packaged(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
