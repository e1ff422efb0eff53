"""Holds the benchmark of choice scoring: one pass an item, its prompt shared, against one pass a choice.

Never asserts anything (see the tests of ``arc_lab.scoring``). Run ``python
glass_pipeline_tests/benchmarks/arc_speed.py FOLDER``, where FOLDER holds ARC's train.jsonl and test.jsonl. The model
has the shape of Pythia-70m and random weights, the tokenizer is trained on the spot. The figures are recorded in
``glass_pipeline/domain/arc_lab/README.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from glass_pipeline.domain.arc_lab.encoding import Encode, EncodedItem, encoded_item
from glass_pipeline.domain.arc_lab.items import ChoiceItem, parse_items, sample_items
from glass_pipeline.domain.arc_lab.prompt import prompt_for
from glass_pipeline.domain.arc_lab.scoring import Scorer, Scores
from glass_pipeline.domain.comparison.reading.tables import jsonl_rows

MAX_LENGTH, WORDS = 512, 8000


def read_items(path: Path) -> tuple[ChoiceItem, ...]:
    """Read a split."""
    return parse_items(jsonl_rows(path.name, path.read_bytes()), path.name, may_repeat=True)


def train_tokenizer(items: tuple[ChoiceItem, ...]) -> Encode:
    """Train a byte-level tokenizer on prompts, so that texts have about the usual number of tokens."""
    from tokenizers import ByteLevelBPETokenizer

    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(map(prompt_for, items), vocab_size=WORDS, show_progress=False)
    return lambda text: list(tokenizer.encode(text).ids)


def random_pythia_70m() -> Any:
    """Return a GPT-NeoX of 6 layers, hidden size 512 and a vocabulary of 50,304, with random weights."""
    import torch
    from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

    torch.manual_seed(0)
    config = GPTNeoXConfig(
        vocab_size=50304, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048
    )
    return GPTNeoXForCausalLM(config).eval()


def timed(work: Callable[[], list[Scores]]) -> tuple[float, list[Scores]]:
    """Return seconds and result."""
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--items", type=int, default=100)
    asked = parser.parse_args()
    encode = train_tokenizer(read_items(asked.folder / "train.jsonl"))
    drawn = sample_items(read_items(asked.folder / "test.jsonl"), asked.items)
    items: list[EncodedItem] = [encoded_item(item, encode, max_length=MAX_LENGTH) for item in drawn]
    model = random_pythia_70m()
    shared, plain = Scorer(MAX_LENGTH, "shared"), Scorer(MAX_LENGTH, "plain")
    for scorer in (shared, plain):
        scorer.scores(model, items[:4])
    # Before and after, so that a machine that gets busier meanwhile favours neither way.
    before, found = timed(lambda: shared.scores(model, items))
    plain_seconds, expected = timed(lambda: plain.scores(model, items))
    after, _ = timed(lambda: shared.scores(model, items))
    seconds = (before + after) / 2
    gap = max(abs(a - b) for one, other in zip(found, expected, strict=True) for a, b in zip(one, other, strict=True))
    tokens = sum(len(item.prompt) for item in items) / len(items)
    print(f"{len(items)} items, {tokens:.0f} tokens a prompt, {sum(len(each) for each in found)} choices")
    print("| one pass a choice, seconds | one pass an item, seconds | ratio | largest difference of a score |")
    print("|---|---|---|---|")
    print(f"| {plain_seconds:.1f} | {seconds:.1f} | {plain_seconds / seconds:.1f} | {gap:.1e} |")


if __name__ == "__main__":
    main()
