"""Which sentences can stand anywhere: kinds that were found by reading twins, with invented examples."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.twins.self_contained import is_self_contained

LEANING = {
    "mark without its noun": "Oscar has a 92.",
    "count without its noun": "Oscar scored 25 and has 1 more medal than Ingrid.",
    "one of each": "Oscar ate 1 of each.",
    "days without a noun": "Oscar sold 3 on Tuesday and 5 on Friday.",
    "portion of nothing": "Oscar caught 13 pieces.",
    "slices of nothing": "Oscar ate 3 slices on Monday.",
    "box of nothing": "Oscar collected 3 quarters of a box.",
    "fewer than whom": "Oscar collected 276 fewer stamps.",
    "as many as whom": "Oscar scored 3 times as many marks.",
    "as much as what": "Oscar's cart is worth twice as much.",
    "times fewer": "Oscar has 3 times fewer cats than Ingrid.",
    "he is somebody else": "Oscar gave him half of 40 stamps.",
    "she is nobody": "Oscar mends 4 bikes, she works 5 hours a day.",
    "everything": "Oscar used 720 grams of salt to bake everything.",
    "some number game": "Oscar's number is greater than 20 by a lot.",
    "a lead in some game": "Oscar is ahead by 22 points on Sunday.",
    "a race": "Oscar's snail finished 2 minutes faster than Ingrid's snail.",
    "wins in something": "Oscar won 24 times.",
    "a turn of some work": "Oscar carries two buckets each trip.",
    "that week": "Oscar bought 20 bars to eat for the week.",
    "that house": "Oscar wants to sell the house for 20 gold coins.",
    "a payment for nothing": "Oscar pays with a $20 bill.",
    "a gift to nobody": "Oscar gave 2 bags with 25 toys in a box.",
    "an age at some time": "Oscar was 5 years old.",
    "a price with the sign behind": "Oscar makes 40000$ a year.",
    "a gap in print": "Oscar bought  4 lemons and 6 limes.",
    "a word twice": "Oscar baked 30 rolls and and 20 pies.",
    "a shelf of a price": "Oscar picks 3 coats from the $15 shelf.",
}
STANDING = (
    "Oscar turned 25 in 1999.",
    "Oscar has 14 kites and half as many drums.",
    "Oscar has twice as many kites as Ingrid.",
    "Oscar's sister gave him 20 stamps.",
    "Oscar gave 10 rolls to Ingrid.",
    "Oscar ate 3 slices of melon.",
    "Oscar is 5 years old.",
    "Oscar's test scores are 80, 70, and 90.",
    "Ingrid sleeps 8 hours because she is tired.",
)


@pytest.mark.parametrize("sentence", LEANING.values(), ids=LEANING)
def test_a_sentence_with_a_missing_half_cannot(sentence: str) -> None:
    """What it counts, whom it compares with or whom it means is left to a sentence before."""
    assert not is_self_contained(sentence)


@pytest.mark.parametrize("sentence", STANDING)
def test_a_whole_sentence_can(sentence: str) -> None:
    """Near misses of the rules: the other half is in the sentence itself."""
    assert is_self_contained(sentence)
