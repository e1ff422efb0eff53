"""Holds LoRA adapters: where they go, their bytes, and their coming and going on one base model.

Never guesses a target module, never reads or writes a file, and never unpickles.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.protocol import LabConfig

WEIGHTS, SETTINGS = "adapter_model.safetensors", "adapter_config.json"
"""Names under which PEFT looks for an adapter's files."""


class Adapter(NamedTuple):
    """An adapter as the bytes of the two files that PEFT reads."""

    weights: bytes
    settings: bytes


def target_modules(config: LabConfig, architecture: str) -> tuple[str, ...]:
    """Return the modules that get an adapter: those asked for, else those that PEFT knows for the architecture.

    Args:
        config: Names them, or leaves them to the architecture.
        architecture: The model's ``model_type``, e.g. ``gpt_neox``.

    Raises:
        LabError: the architecture is unknown and none are named.
    """
    if config.target_modules:
        return config.target_modules
    from peft.utils import TRANSFORMERS_MODELS_TO_LORA_TARGET_MODULES_MAPPING as KNOWN

    known = KNOWN.get(architecture)
    if known is None:
        raise LabError(
            f"No LoRA target modules are known for the architecture {architecture!r}; name them with --target-module."
        )
    return (known,) if isinstance(known, str) else tuple(sorted(known))


def new_adapter(base: Any, config: LabConfig) -> Any:
    """Put a fresh adapter on a base model and return the two as one model.

    Raises:
        LabError: the target modules are unknown, or the model has none of that name.
    """
    from peft import LoraConfig, TaskType

    settings = LoraConfig(
        task_type=TaskType.CAUSAL_LM,
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=config.dropout,
        target_modules=list(target_modules(config, base.config.model_type)),
    )
    return _attached(base, settings)


def adapter_of(model: Any, base_name: str, base_revision: str | None) -> Adapter:
    """Return a model's adapter as bytes.

    Args:
        model: With an adapter.
        base_name: Identity of its base model, kept in the settings for whoever loads the adapter elsewhere.
        base_revision: Commit of the base model.
    """
    from peft import get_peft_model_state_dict
    from safetensors.torch import save

    tensors = {
        name: tensor.detach().cpu().contiguous()
        for name, tensor in get_peft_model_state_dict(model, save_embedding_layers=False).items()
    }
    settings = model.peft_config["default"].to_dict()
    settings |= {"inference_mode": True, "base_model_name_or_path": base_name, "revision": base_revision}
    text = json.dumps(settings, indent=2, sort_keys=True, default=_listed)
    return Adapter(save(tensors, metadata={"format": "pt"}), f"{text}\n".encode())


@contextmanager
def attached(base: Any, adapter: Adapter) -> Iterator[Any]:
    """Put an adapter on a base model for the time of the block, then take it off again.

    Raises:
        LabError: the bytes are no LoRA adapter, or none for this model.
    """
    from peft import set_peft_model_state_dict
    from safetensors import SafetensorError
    from safetensors.torch import load

    settings = _settings(adapter.settings)
    try:
        tensors = load(adapter.weights)
    except SafetensorError as error:
        raise LabError(f"{WEIGHTS} is not a safetensors file ({error}); train the series again.") from None
    model = _attached(base, settings)
    try:
        try:
            outcome: Any = set_peft_model_state_dict(model, tensors)
        except (RuntimeError, ValueError, KeyError) as error:
            raise LabError(f"The adapter does not fit the base model ({_first_line(error)}).") from None
        missing = [name for name in outcome.missing_keys if "lora_" in name]
        if missing or outcome.unexpected_keys:
            wrong = [*missing, *outcome.unexpected_keys][0]
            raise LabError(f"The adapter does not fit the base model (first difference: {wrong}).")
        yield model
    finally:
        detach(model)


def detach(model: Any) -> Any:
    """Take the adapter off and return the base model, which was never merged with it."""
    base = model.unload()
    if hasattr(base, "peft_config"):
        del base.peft_config
    return base


def _attached(base: Any, settings: Any) -> Any:
    from peft import get_peft_model

    try:
        with warnings.catch_warnings():
            # PEFT 0.21 still asks for a name that transformers 5 has renamed.
            warnings.filterwarnings("ignore", message="`is_gradient_checkpointing`", category=FutureWarning)
            return get_peft_model(base, settings)
    except ValueError as error:
        named = ", ".join(sorted(settings.target_modules or ()))
        raise LabError(
            f"LoRA cannot be put on {named} ({_first_line(error)}); name modules of this model with --target-module."
        ) from None


def _settings(data: bytes) -> Any:
    from peft import LoraConfig

    try:
        found = json.loads(data)
        if found.get("peft_type") != "LORA":
            raise LabError(f"{SETTINGS} describes {found.get('peft_type')!r}, not LORA; name an adapter of the lab.")
        return LoraConfig(**{**found, "base_model_name_or_path": None, "revision": None, "inference_mode": True})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, LabError):
            raise
        raise LabError(f"{SETTINGS} does not describe an adapter ({_first_line(error)}).") from None


def _listed(found: Any) -> Any:
    return sorted(found) if isinstance(found, set | frozenset) else str(found)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:160]
