"""Sharing a prompt among its choices changes nothing but the time it takes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from glass_pipeline.domain.arc_lab.encoding import EncodedItem
from glass_pipeline.domain.arc_lab.packing import PADDING, batches, pack
from glass_pipeline.domain.arc_lab.scoring import Scorer, choose_scorer, plain_scores

FIRST = EncodedItem("a", (5, 6, 7), ((1, 2), (3,)))
SECOND = EncodedItem("b", (8,), ((4,), (4, 5)))


def test_a_choice_sees_the_prompt_and_itself() -> None:
    """Row 5 6 7 1: prompt, then the first answer without its last id; the second row is padded by 2 on the left."""
    packed = pack([FIRST, SECOND])

    assert packed.input_ids.tolist() == [[5, 6, 7, 1], [0, 0, 8, 4]]
    assert packed.position_ids.tolist() == [[0, 1, 2, 3], [0, 0, 0, 1]]
    assert packed.segments.tolist() == [[0, 0, 0, 1], [PADDING, PADDING, 0, 2]]
    assert packed.kept == 2
    assert list(zip(packed.rows, packed.places, packed.targets, packed.owners, strict=True)) == [
        (0, 0, 1, 0),
        (0, 1, 2, 0),
        (0, 0, 3, 1),
        (1, 0, 4, 2),
        (1, 0, 4, 3),
        (1, 1, 5, 3),
    ]


def test_one_choice_does_not_see_another() -> None:
    """Prompt 1, answers of three ids each: the second answer's first input sees 1 and itself only."""
    seen = pack([EncodedItem("c", (1,), ((2, 3, 4), (5, 6, 7)))]).may_see()[0].astype(int)

    assert seen.tolist() == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 0, 0, 1, 0],
        [1, 0, 0, 1, 1],
    ]


def test_every_item_is_in_one_batch_and_batches_are_bounded() -> None:
    """500 prompts of 100 ids: at most 1,024 tokens and 64 million logits a batch."""
    items = [EncodedItem(str(number), (1,) * (50 + number % 51), ((1, 2),)) for number in range(500)]

    found = batches(items, vocabulary=50_000)
    assert sorted(place for batch in found for place in batch) == list(range(500))
    assert max(len(batch) * max(len(items[place].prompt) + 1 for place in batch) for batch in found) <= 1024
    assert max(len(batch) for batch in batches(items, vocabulary=16_000_000)) == 2


def test_both_ways_give_the_same_scores(tiny: Any) -> None:
    """To 1e-4, whatever the lengths of prompts and answers; items are given back in their order."""
    encoded = tiny.questions.encoded

    fast = Scorer(512, "shared").scores(tiny.model, encoded)
    assert [len(scores) for scores in fast] == [len(item.answers) for item in encoded]
    for scores, item in zip(fast, encoded, strict=True):
        np.testing.assert_allclose(scores, plain_scores(tiny.model, item, 512), rtol=0, atol=1e-5)


def test_a_score_is_the_mean_log_probability(tiny: Any) -> None:
    """By hand: two ids after a prompt, log-softmax at the positions before them."""
    import torch

    item = EncodedItem("x", (11, 12, 13), ((21, 22),))
    with torch.inference_mode():
        logits = tiny.model(torch.tensor([[11, 12, 13, 21, 22]])).logits[0].double()
    log_probs = logits - logits.exp().sum(dim=-1, keepdim=True).log()
    expected = float((log_probs[2, 21] + log_probs[3, 22]) / 2)

    assert Scorer(512, "shared").scores(tiny.model, [item])[0][0] == pytest.approx(expected, abs=1e-5)
    assert plain_scores(tiny.model, item, 512)[0] == pytest.approx(expected, abs=1e-5)


def test_a_prompt_that_is_too_long_is_cut_as_in_the_plain_way(tiny: Any) -> None:
    """With 30 ids at most, every prompt here is cut, by another amount for each choice."""
    encoded = tiny.questions.encoded[:3]

    assert Scorer(30, "shared").scores(tiny.model, encoded) == [plain_scores(tiny.model, each, 30) for each in encoded]


def test_the_fast_way_is_chosen_only_where_it_is_right(tiny: Any) -> None:
    """A model that ignores position_ids gives other scores; one that takes no such argument fails: both go plain."""
    encoded = tiny.questions.encoded
    assert choose_scorer(tiny.model, encoded, 512) == Scorer(512, "shared")

    class Blind:
        """Forgets the positions, as a model without position_ids would."""

        config = SimpleNamespace(vocab_size=400)
        takes_mask = True

        def eval(self) -> None:
            """Do nothing: it is already."""

        def parameters(self) -> Any:
            """Return those of the model inside."""
            return tiny.model.parameters()

        def forward(self, input_ids: Any, use_cache: bool, attention_mask: Any = None, position_ids: Any = None) -> Any:
            """Run the model inside."""
            if attention_mask is not None and not self.takes_mask:
                raise ValueError("only masks of two dimensions")
            return tiny.model(input_ids=input_ids, attention_mask=attention_mask, use_cache=use_cache)

        __call__ = forward

    blind = Blind()
    assert choose_scorer(blind, encoded, 512) == Scorer(512, "plain")
    blind.takes_mask = False
    assert choose_scorer(blind, encoded, 512) == Scorer(512, "plain")
