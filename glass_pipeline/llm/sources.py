"""Holds the only reading of source files and of the Hugging Face hub, and the lock of hub revisions.

Never interprets a row (see ``domain.problems``), never reads the process's environment by itself, and never
changes a revision that the lock already holds.
"""

from __future__ import annotations

import codecs
import gzip
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol, cast

import polars as pl
from filelock import FileLock

from glass_pipeline.domain.problems import SourceError, generate, parse_problems
from glass_pipeline.domain.records import Problem
from glass_pipeline.llm.source_files import excluded_ids, local_file, sha256_of
from glass_pipeline.location import Location
from glass_pipeline.study import Suite

GLASSMINI = "glassmini"
DISTRACTOR_POOL = 2000
"""Problems that ``glassmini/<split>`` writes as a source of distractor sentences."""
DISTRACTOR_STEPS = 8
LONGEST_LINE = 16 * 2**20
"""Bytes; a longer line is no problem text, and may be a gzip bomb."""
MATH_SUBJECTS = (
    "algebra",
    "counting_and_probability",
    "geometry",
    "intermediate_algebra",
    "number_theory",
    "prealgebra",
    "precalculus",
)


class HubDataset(NamedTuple):
    """Where a source lies on the hub."""

    repo: str
    patterns: Mapping[str, tuple[str, ...]]
    """For each split, the patterns of its parquet files, in the order in which rows are numbered."""


class Rows(NamedTuple):
    """What was read, and which version of it."""

    rows: list[dict[str, Any]]
    revision: str
    origin: str
    """File or data set, for messages."""


class Hub(Protocol):
    """What this module needs of the hub."""

    def head(self, repo: str) -> str:
        """Return the newest commit of a data set."""
        ...

    def folder(self, repo: str, revision: str, patterns: Sequence[str]) -> Path:
        """Return a local folder that holds the matching files of a data set, at a commit."""
        ...


@dataclass(frozen=True, slots=True)
class HuggingFaceHub:
    """The Hugging Face hub, with its own cache of what was downloaded."""

    endpoint: str | None = None
    """None: the one that huggingface_hub is configured for."""
    cache: Path | None = None
    """None: the user's cache."""

    def head(self, repo: str) -> str:
        """Return the newest commit of a data set."""
        from huggingface_hub import HfApi

        return str(HfApi(endpoint=self.endpoint).dataset_info(repo).sha)

    def folder(self, repo: str, revision: str, patterns: Sequence[str]) -> Path:
        """Return a local folder with the matching files; needs no network once they are cached."""
        from huggingface_hub import snapshot_download

        return Path(
            snapshot_download(
                repo,
                repo_type="dataset",
                revision=revision,
                allow_patterns=list(patterns),
                cache_dir=self.cache,
                endpoint=self.endpoint,
            )
        )


def read_problems(
    suite: Suite, *, seed: int, lock: Location, environment: Mapping[str, str], hub: Hub | None = None
) -> list[Problem]:
    """Read the problems of a suite: its path, else ``GLASS_SOURCE_<SOURCE>``, else the hub.

    Args:
        suite: A suite of glass.toml; with a limit, only its first problems are returned.
        seed: The study's seed, for what the generator writes.
        lock: File that holds the commit of every data set taken from the hub; a new one is added to it.
        environment: Environment variables; ``GLASS_SOURCE_GSM8K`` names a file, or a folder with one a split.
        hub: None for the Hugging Face hub.

    Returns:
        The problems, in the order of the source.

    Raises:
        SourceError: a file or data set is absent, unreadable or not what it should be.
    """
    if suite.source == GLASSMINI:
        problems = _write_problems(suite, seed)
    else:
        found = _find_rows(suite.source, suite.split, suite.path, lock, environment, hub)
        problems = _parse(suite.source, suite.split, found, suite)
    return _without(problems, suite)[: suite.limit]


def _without(problems: list[Problem], suite: Suite) -> list[Problem]:
    """Leave out what the suite excludes; an id that no problem has is a slip, so it is an error."""
    if suite.exclude is None:
        return problems
    excluded = dict.fromkeys(excluded_ids(suite.exclude))
    known = {problem.base_id for problem in problems}
    unknown = [base_id for base_id in excluded if base_id not in known]
    if unknown:
        raise SourceError(
            f"{suite.exclude} (exclude) names {unknown[0]!r}, which is no problem of this suite; "
            f"ids look like {problems[0].base_id!r}."
        )
    if len(excluded) == len(problems):
        raise SourceError(f"{suite.exclude} (exclude) leaves no problem; shorten the list.")
    return [problem for problem in problems if problem.base_id not in excluded]


def read_split(
    reference: str,
    *,
    seed: int,
    lock: Location,
    environment: Mapping[str, str],
    path: str | None = None,
    hub: Hub | None = None,
) -> list[Problem]:
    """Read the problems whose sentences serve as distractors.

    Args:
        reference: Source and split, e.g. ``gsm8k/train`` or ``glassmini/train``.
        seed: The study's seed, for what the generator writes.
        lock: As for ``read_problems``.
        environment: As for ``read_problems``.
        path: Folder to look in first: that of a suite of the same source.
        hub: None for the Hugging Face hub.

    Raises:
        SourceError: no such source or split, or what ``read_problems`` raises.
    """
    source, _, split = reference.partition("/")
    if source == GLASSMINI:
        return generate(DISTRACTOR_POOL, seed=seed, split=split, max_steps=DISTRACTOR_STEPS)
    if source not in HUB_DATASETS or not split:
        raise SourceError(f"No distractors {reference!r}; write gsm8k/train or glassmini/train in glass.toml.")
    return _parse(source, split, _find_rows(source, split, path, lock, environment, hub), None)


def _write_problems(suite: Suite, seed: int) -> list[Problem]:
    if suite.path is not None:
        raise SourceError('A glassmini suite is written, not read: remove path, or set source = "jsonl".')
    if suite.complexity == "level":
        raise SourceError('glassmini has no levels: set complexity to "gold_steps" or "heuristic" in glass.toml.')
    return generate(
        suite.size,
        seed=seed,
        split=suite.split,
        max_steps=suite.max_steps,
        complexity=suite.complexity or "gold_steps",
    )


def _parse(source: str, split: str, found: Rows, suite: Suite | None) -> list[Problem]:
    try:
        return parse_problems(
            source,
            found.rows,
            split=split,
            revision=found.revision,
            answer_type=suite.answer_type if suite else None,
            # What only lends its sentences needs no declared complexity, so none may be missing.
            complexity=suite.complexity if suite else "heuristic",
        )
    except SourceError as error:
        raise SourceError(f"{found.origin}: {error}") from None


def _find_rows(
    source: str, split: str, path: str | None, lock: Location, environment: Mapping[str, str], hub: Hub | None
) -> Rows:
    variable = f"GLASS_SOURCE_{source.upper()}"
    place = path or environment.get(variable)
    if place:
        return _read_local(local_file(Path(place).expanduser(), source, split, "path" if path else variable))
    if source not in HUB_DATASETS:
        raise SourceError(f"A {source} suite has no file; set path in glass.toml or {variable}.")
    return _read_hub(source, split, lock, hub or HuggingFaceHub())


def _read_local(path: Path) -> Rows:
    rows = _read_parquet(path) if path.suffix == ".parquet" else list(_read_jsonl(path))
    if not rows:
        raise SourceError(f"{path} is empty; give it one problem a line.")
    return Rows(rows, sha256_of(path), str(path))


def _read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with _open(path) as stream:
            for number, line in enumerate(_lines(stream, path), start=1):
                if line.strip():
                    yield _parse_line(line, path, number)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise SourceError(f"{path} is not a whole gzip file ({error}); fetch or compress it again.") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error.strerror or error}); check its permissions.") from None


def _open(path: Path) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def _lines(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise SourceError(f"{path}, line {number} is longer than 16 MiB; write one problem a line.")
        yield line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


def _parse_line(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise SourceError(f"{path}, line {number} is not UTF-8; save the file as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}, line {number} is not JSON ({error}); write one JSON object a line.") from None
    if not isinstance(row, dict):
        raise SourceError(f"{path}, line {number} is not a JSON object; write one problem a line as {{…}}.")
    return row


def _read_parquet(path: Path) -> list[dict[str, Any]]:
    try:
        return pl.read_parquet(path).to_dicts()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise SourceError(f"{path} is not a readable parquet file ({error}); fetch it again.") from None


def _read_hub(source: str, split: str, lock: Location, hub: Hub) -> Rows:
    dataset = HUB_DATASETS[source]
    if split not in dataset.patterns:
        raise SourceError(f"{dataset.repo} has no split {split!r}; choose {' or '.join(dataset.patterns)}.")
    patterns = dataset.patterns[split]
    revision = _locked_revision(f"{source}/{split}", dataset.repo, lock, hub)
    with _hub_errors(source, dataset.repo):
        folder = hub.folder(dataset.repo, revision, patterns)
    files = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    rows = [row for path in files for row in _read_parquet(path)]
    if not rows:
        raise SourceError(
            f"{dataset.repo} at {revision} has no rows in {patterns[0]}; "
            f"set GLASS_SOURCE_{source.upper()} to a local file."
        )
    return Rows(rows, revision, f"{dataset.repo} at {revision}")


def _locked_revision(reference: str, repo: str, lock: Location, hub: Hub) -> str:
    """Return the commit to read, and hold it in the lock if the lock has none yet."""
    known = _revision_in(_read_lock(lock), reference, repo)
    if known is not None:
        return known
    if not isinstance(lock, Path):
        raise SourceError(
            f"{lock} holds no revision of {reference}, and none can be locked in a bucket; run base_problems and "
            "distractors of the suite with a local warehouse once and copy its source_lock.json there, or set "
            f"GLASS_SOURCE_{reference.partition('/')[0].upper()} to a local file."
        )
    with _hub_errors(reference.partition("/")[0], repo):
        newest = hub.head(repo)
    lock.parent.mkdir(parents=True, exist_ok=True)
    # Two suites may take the same data set at the same moment: the first one to get here decides the commit.
    with FileLock(f"{lock}.guard"):
        entries = _read_lock(lock)
        revision = _revision_in(entries, reference, repo) or _sibling_revision(entries, repo) or newest
        _write_lock(lock, {**entries, reference: {"repo": repo, "revision": revision}})
    return revision


def _revision_in(entries: Mapping[str, Mapping[str, str]], reference: str, repo: str) -> str | None:
    entry = entries.get(reference)
    return entry["revision"] if entry is not None and entry["repo"] == repo else None


def _sibling_revision(entries: Mapping[str, Mapping[str, str]], repo: str) -> str | None:
    """Return the commit that another split of the same data set is locked at."""
    return next((entry["revision"] for entry in entries.values() if entry["repo"] == repo), None)


def _read_lock(lock: Location) -> dict[str, dict[str, str]]:
    if not lock.exists():
        return {}
    try:
        return {
            reference: {"repo": str(entry["repo"]), "revision": str(entry["revision"])}
            for reference, entry in json.loads(lock.read_text(encoding="utf-8")).items()
        }
    except (ValueError, TypeError, KeyError, AttributeError):
        raise SourceError(f"{lock} is not a source lock; restore it, or delete it to take the newest data.") from None


def _write_lock(lock: Path, entries: Mapping[str, Mapping[str, str]]) -> None:
    unfinished = lock.with_name(f"{lock.name}.{os.getpid()}.tmp")
    unfinished.write_text(json.dumps(entries, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    unfinished.replace(lock)


@contextmanager
def _hub_errors(source: str, repo: str) -> Iterator[None]:
    from httpx2 import HTTPError
    from huggingface_hub.errors import HFValidationError

    try:
        yield
    except (HTTPError, HFValidationError, OSError) as error:
        reason = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise SourceError(
            f"The hub does not give {repo} ({reason}); set GLASS_SOURCE_{source.upper()} to a local file or folder."
        ) from error


HUB_DATASETS: Mapping[str, HubDataset] = {
    "gsm8k": HubDataset("openai/gsm8k", {"test": ("main/test-*.parquet",), "train": ("main/train-*.parquet",)}),
    "math": HubDataset(
        "EleutherAI/hendrycks_math",
        {split: tuple(f"{subject}/{split}-*.parquet" for subject in MATH_SUBJECTS) for split in ("test", "train")},
    ),
    "svamp": HubDataset(
        "ChilleD/SVAMP",
        {
            "test": ("data/test-*.parquet",),
            "train": ("data/train-*.parquet",),
            "all": ("data/train-*.parquet", "data/test-*.parquet"),
        },
    ),
}
