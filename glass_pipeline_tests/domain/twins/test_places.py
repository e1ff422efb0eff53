"""Where a foreign sentence may stand: kinds that were found by reading twins, with invented examples."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.twins.operator import Declined
from glass_pipeline.domain.twins.places import safe_slots
from glass_pipeline.domain.twins.segmentation import sentences_of

FRONT_ONLY = {
    "they have": "Susan has 3 red pens. Paula has 4 red pens. What number of pens do they have?",
    "they all": "Susan, Paula and Rita have pens. Rita has 3 pens. What number of pens do they all own?",
    "the two": "Susan has 3 pens. Rita has 4 pens. What is the number of pens of the two now?",
    "the boys": "Susan and Rita ran with Peter and Paul. Rita ran as far as the boys. What did Rita run?",
    "each of them": "Susan and Rita own pens. Pens are dear to each of them. What do pens cost?",
    "among them": "Susan bakes rolls for guests. Susan counts 6 girls among them. How many rolls does Susan bake?",
    "weekdays join nobody": "A clinic saw 10 dogs. On Monday and Tuesday they saw 6 dogs. How many dogs died?",
    "it of the sentence before": "Rita mends a bike. The town asks Rita to sell it. How many bikes has Rita?",
    "it to fill": "Rita fills a pool. How much does it cost to fill?",
    "he behind it": "Peter plants a tree. How many years will it take before he sells a tree?",
    "she behind somebody": "Rita mends bikes. A customer brings 3 bikes. How many bikes did she mend?",
    "he behind animals": "Peter counts 6 birds. How many birds does he count?",
    "he behind a firm": "Peter opens a farm with 5 cows. Milk Cows Limited brings him 20 cows. How many cows are his?",
    "count without noun": "Rita has 20 pupils. Rita likes 5 pupils. How many are left?",
    "count in dollars": "Rita spent half of $50. How much, in dollars, is left?",
    "twice as many": "On Monday 32 buses came. Twice as many came on Friday. How many buses came?",
    "has one": "Rita has two books. Susan has one. How many books have Rita and Susan?",
    "there are": "Rita sews curtains for a hall. There are five windows. How many curtains does Rita sew?",
    "bridge to a part": "Rita has 3 boxes. The walls are 1 inch thick. How wide is a box?",
    "bridge in the middle": "In May, a toy was $40. In June, the price rose by 80%. What did a toy cost in June?",
    "agreed": "Rita asked Susan for pens. Susan agreed. How many pens has Rita?",
    "behind half a sentence": "Rita mends bikes. If Rita mends 3 bikes in May. How many bikes does Rita mend?",
    "no word of the text": "Rita plays darts with Peter. A dart is thrown 4 times. How much money is used?",
    "our ages": "I am older than Rita. Rita is 5 years old. Adding all our ages, Rita gets 87. How old am I?",
}
LEANING = {
    "the boys": 1,
    "each of them": 1,
    "among them": 1,
    "weekdays join nobody": 1,
    "it of the sentence before": 1,
    "he behind a firm": 1,
    "twice as many": 1,
    "has one": 1,
    "there are": 1,
    "bridge to a part": 1,
    "bridge in the middle": 1,
    "agreed": 1,
    "our ages": 2,
}
"""Index of the sentence that leans, where it is not the last."""

FRONT_OPEN = {
    "their yard": "How many birds did Peter see in their yard?",
    "she": "She has 3 pens. How many pens has she?",
}
INSIDE = {
    "named again": "Susan has 3 pens. Peter has 4 pens. How many pens does Susan have?",
    "it for nothing": "Rita cleans 3 rooms. How long does it take to clean the rooms?",
    "they gathered again": "Susan has 3 pens. Susan and Peter share pens. How many pens do they share?",
    "she bound again": "Susan has 3 pens. Susan buys 2 pens. How many pens does she have?",
    "the tree named": "Rita plants a tree. The tree costs $90. How much does the tree cost Rita?",
}


@pytest.mark.parametrize("name", FRONT_ONLY)
def test_no_newcomer_before_a_sentence_that_leans(name: str) -> None:
    """The sentence that leans, mostly the last, is never what a newcomer stands before; the front is free."""
    sentences = sentences_of(FRONT_ONLY[name])
    slots = safe_slots(sentences)

    assert LEANING.get(name, len(sentences) - 1) not in slots
    assert 0 in slots


@pytest.mark.parametrize("text", FRONT_OPEN.values(), ids=FRONT_OPEN)
def test_no_newcomer_before_a_text_that_opens_with_an_open_pronoun(text: str) -> None:
    """At its front a newcomer would be whom the text means."""
    with pytest.raises(Declined, match="no safe position"):
        safe_slots(sentences_of(text))


@pytest.mark.parametrize("text", INSIDE.values(), ids=INSIDE)
def test_a_sentence_that_speaks_of_its_own_may_follow_a_newcomer(text: str) -> None:
    """Where the next sentence names whom it means, the place before it is free."""
    assert 1 in safe_slots(sentences_of(text))
