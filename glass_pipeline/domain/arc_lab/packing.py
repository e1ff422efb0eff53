"""Holds the layout in which all choices of an item are scored in one forward pass, the prompt's keys shared.

Never runs a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.arc_lab.encoding import EncodedItem

Ints = NDArray[np.int64]

PADDING, PROMPT = -1, 0
"""Segments; choice c is segment c + 1."""
MOST_TOKENS = 1024
"""Tokens of one batch, padding counted."""
MOST_LOGITS = 64_000_000
"""Logits of one batch: kept positions times vocabulary."""


class Packed(NamedTuple):
    """A batch of items; every row is padding, prompt, then the answers beside each other, without their last ids."""

    input_ids: Ints
    """Shape ``[B, L]``."""
    position_ids: Ints
    """Shape ``[B, L]``; every answer goes on where the prompt ends."""
    segments: Ints
    """Shape ``[B, L]``: padding, prompt or choice."""
    kept: int
    """Positions at the end of the rows whose logits are needed."""
    rows: Ints
    """Row of each of N answer tokens, shape ``[N]``."""
    places: Ints
    """Kept position that predicts it, shape ``[N]``."""
    targets: Ints
    """Its id, shape ``[N]``."""
    owners: Ints
    """Number of the choice that it belongs to, counted over the batch, shape ``[N]``."""

    def may_see(self) -> NDArray[np.bool_]:
        """Return which position may attend to which, shape ``[B, L, L]``: a choice sees the prompt and itself."""
        length = self.segments.shape[1]
        query, key = self.segments[:, :, None], self.segments[:, None, :]
        earlier = np.tril(np.ones((length, length), dtype=np.bool_))
        # Padding sees itself, or its softmax would be over nothing.
        return np.asarray(
            earlier & (key != PADDING) & ((key == PROMPT) | (key == query)) | np.eye(length, dtype=np.bool_)
        )


def packed_length(item: EncodedItem) -> int:
    """Return the tokens of an item's row."""
    return len(item.prompt) + kept_length(item) - 1


def kept_length(item: EncodedItem) -> int:
    """Return the positions whose logits an item needs: the end of its prompt, and all of its answers but their ends."""
    return 1 + sum(len(answer) - 1 for answer in item.answers)


def batches(items: Sequence[EncodedItem], vocabulary: int) -> list[list[int]]:
    """Return the places of the items that go together: of about one length, in bounded memory."""
    found: list[list[int]] = []
    kept = 0
    for place in sorted(range(len(items)), key=lambda place: (packed_length(items[place]), place)):
        # The newest item is the longest of its batch.
        length, own = packed_length(items[place]), kept_length(items[place])
        size = len(found[-1]) + 1 if found else 1
        fits = size * length <= MOST_TOKENS and size * max(kept, own) * vocabulary <= MOST_LOGITS
        if found and fits:
            found[-1].append(place)
            kept = max(kept, own)
        else:
            found.append([place])
            kept = own
    return found


def pack(items: Sequence[EncodedItem]) -> Packed:
    """Lay out a batch of items, padded on the left."""
    length = max(packed_length(item) for item in items)
    kept = max(kept_length(item) for item in items)
    shape = (len(items), length)
    input_ids, position_ids = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    segments = np.full(shape, PADDING, dtype=np.int64)
    tokens: list[tuple[int, int, int, int]] = []
    owner = 0
    for row, item in enumerate(items):
        start = length - packed_length(item)
        end = start + len(item.prompt)
        input_ids[row, start:end] = item.prompt
        position_ids[row, start:end] = np.arange(len(item.prompt))
        segments[row, start:end] = PROMPT
        place = end
        for choice, answer in enumerate(item.answers):
            seen = len(answer) - 1
            input_ids[row, place : place + seen] = answer[:-1]
            position_ids[row, place : place + seen] = len(item.prompt) + np.arange(seen)
            segments[row, place : place + seen] = choice + 1
            predictors = [end - 1, *range(place, place + seen)]
            tokens += [
                (row, predictor - (length - kept), target, owner)
                for predictor, target in zip(predictors, answer, strict=True)
            ]
            place += seen
            owner += 1
    rows, places, targets, owners = np.array(tokens, dtype=np.int64).T
    return Packed(input_ids, position_ids, segments, kept, rows, places, targets, owners)
