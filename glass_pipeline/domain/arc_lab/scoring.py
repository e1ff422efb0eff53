"""Holds the score of a choice: the mean log-probability of its tokens after the prompt with all choices.

Never turns a score into a probability, and never shares a prompt in a model that was not seen to allow it.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.arc_lab.encoding import EncodedItem
from glass_pipeline.domain.arc_lab.packing import Packed, batches, pack, packed_length

Scoring = Literal["shared", "plain"]
"""One pass an item, its prompt shared among its choices; or one pass a choice."""
TOLERANCE = 1e-4
"""Largest difference of two ways to the same score."""
PROBED = 4
"""Items on which both ways are tried."""

Scores = tuple[float, ...]


class Scorer(NamedTuple):
    """How choices are scored; the same for baseline, validation, adapters and ``predict``."""

    max_length: int
    """Ids of prompt and answer together; a longer prompt loses its end."""
    scoring: Scoring

    def scores(self, model: Any, items: Sequence[EncodedItem]) -> list[Scores]:
        """Return the scores of each item's choices.

        score(c) = mean_t log p(answer_ct | prompt, answer_c1 .. answer_c(t-1)).

        Args:
            model: A causal LM of transformers, with or without an adapter.
            items: What to score.

        Source: methods §10.1.
        """
        model.eval()
        found: dict[int, Scores] = {}
        shared = [place for place, item in enumerate(items) if self._may_share(item)]
        for batch in batches([items[place] for place in shared], model.config.vocab_size):
            places = [shared[each] for each in batch]
            found.update(zip(places, shared_scores(model, [items[place] for place in places]), strict=True))
        for place, item in enumerate(items):
            if place not in found:
                found[place] = plain_scores(model, item, self.max_length)
        return [found[place] for place in range(len(items))]

    def _may_share(self, item: EncodedItem) -> bool:
        # A prompt that is too long is cut to the room that each answer leaves, so it differs between choices.
        fits = len(item.prompt) + max(len(answer) for answer in item.answers) <= self.max_length
        return self.scoring == "shared" and fits


def choose_scorer(model: Any, items: Sequence[EncodedItem], max_length: int) -> Scorer:
    """Return the fast scorer where it gives this model's scores, else the plain one.

    Both are tried on the shortest and the longest of the items: a model that takes no mask of its own, or whose
    positions are not given by ``position_ids``, fails or differs by more than 1e-4.
    """
    import torch

    ordered = sorted(items, key=packed_length)
    probe = list({item.id: item for item in (*ordered[: PROBED // 2], *ordered[-PROBED // 2 :])}.values())
    fast, plain = Scorer(max_length, "shared"), Scorer(max_length, "plain")
    try:
        tried = fast.scores(model, probe)
    except torch.OutOfMemoryError:
        raise
    except (TypeError, ValueError, RuntimeError, IndexError):
        return plain
    expected = plain.scores(model, probe)
    agree = all(np.allclose(one, other, rtol=0, atol=TOLERANCE) for one, other in zip(tried, expected, strict=True))
    return fast if agree else plain


def plain_scores(model: Any, item: EncodedItem, max_length: int) -> Scores:
    """Score an item's choices as the lab's listing does: one forward pass a choice, every logit computed."""
    import torch

    device = next(model.parameters()).device
    scores = []
    with torch.inference_mode():
        for choice, answer in enumerate(item.answers):
            prompt = item.prompt_before(choice, max_length)
            ids = torch.tensor([[*prompt, *answer]], dtype=torch.long, device=device)
            log_probs = model(input_ids=ids, use_cache=False).logits.float().log_softmax(dim=-1)
            predicted = log_probs[0, len(prompt) - 1 : -1]
            scores.append(float(predicted.gather(1, ids[0, len(prompt) :, None]).mean().cpu()))
    return tuple(scores)


def shared_scores(model: Any, items: Sequence[EncodedItem]) -> list[Scores]:
    """Score the choices of a batch of items in one forward pass."""
    import torch

    packed = pack(items)
    device = next(model.parameters()).device
    with torch.inference_mode():
        logits = (
            model(
                input_ids=torch.from_numpy(packed.input_ids).to(device),
                position_ids=torch.from_numpy(packed.position_ids).to(device),
                attention_mask=_mask(packed, model).to(device),
                use_cache=False,
                **_kept(model, packed.kept),
            )
            .logits[:, -packed.kept :]
            .float()
        )
        rows, places, targets = (torch.from_numpy(each).to(device) for each in packed[4:7])
        log_probs = (logits[rows, places, targets] - logits.logsumexp(dim=-1)[rows, places]).cpu().numpy()
    return _means(log_probs, packed.owners, [len(item.answers) for item in items])


def _mask(packed: Packed, model: Any) -> Any:
    """Return what is added to the attention scores, shape ``[B, 1, L, L]``: both eager and SDPA attention take it."""
    import torch

    dtype = next(model.parameters()).dtype
    may_see = torch.from_numpy(packed.may_see())[:, None]
    return torch.zeros(may_see.shape, dtype=dtype).masked_fill(~may_see, torch.finfo(dtype).min)


def _kept(model: Any, kept: int) -> dict[str, int]:
    """Ask for the logits of the last positions only, where the model can be asked."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    return {"logits_to_keep": kept} if "logits_to_keep" in inspect.signature(base.forward).parameters else {}


def _means(log_probs: NDArray[np.float32], owners: NDArray[np.int64], choices: Sequence[int]) -> list[Scores]:
    means = np.bincount(owners, weights=log_probs) / np.bincount(owners)
    ends = np.cumsum(choices)
    return [tuple(float(score) for score in means[end - count : end]) for end, count in zip(ends, choices, strict=True)]
