"""The flag for a gold answer that names an option which the text does not have."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.audit.unverifiable_gold import lacks_its_options, unverifiable_gold

LISTED = "Which of the following is a prime?\n(A) 8\n(B) 9\n(C) 11\nEnter the letter of the correct option."


@pytest.mark.parametrize(
    ("text", "gold", "is_flagged"),
    [
        (LISTED, r"\text{(C)}", False),
        (LISTED, "C", False),
        (LISTED, r"\text{(D)}", True),
        (LISTED.replace("(C) 11\n", ""), r"\text{(C)}", True),
        ("Which of the following is a prime?\n8\n9\n11\nEnter 'A' for the first.", "C", True),
        ("Which of the following are primes? List all, such as 'A, C'.", "B, C", True),
        ("Which of the following is a prime?  A. 8 B. 9 C. 11  Express your answer as A, B or C.", r"\text{C}", False),
        ("Which is it? Express your answer as A, B, or C.", r"\text{C}", True),
        ('Enter the letter of the graph. label("A",(1,1)); label("B",(2,2));', "B", False),
        ("Which of the following is least? $$A=2, \\quad B=3.$$", "A", False),
        (r"What letter is at place 10 of MATHMATH\ldots?", r"\text{A}", False),
        ("Which of the following is least?", "3", False),
        ("Which of the following is least?", r"\frac{A}{2}", False),
        ("Simplify $A + D - A$.", "D", False),
    ],
)
def test_a_letter_needs_its_option(text: str, gold: str, is_flagged: bool) -> None:
    """A letter that stands for an option must label one; a letter that is the answer itself need not."""
    case = Case(base_text=text, twin_text=text, gold=gold, inserted=(), new_names=(), is_base_kept=True)

    assert unverifiable_gold(case) is is_flagged


def test_the_known_gap_in_published_items_is_found(shared: Path) -> None:
    """Of 5,000 items one asks for letters of options that its stored text does not letter."""
    lines = gzip.decompress((shared / "data" / "math_test" / "math_test.jsonl.gz").read_bytes()).splitlines()
    items = [json.loads(line) for line in lines]

    flagged = [number for number, item in enumerate(items) if lacks_its_options(item["problem"], item["answer"])]

    assert flagged == [2400]
