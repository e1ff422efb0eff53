"""Holds one problem while it is being written: its people, its facts, its worked lines, its question.

Never draws a number: topics draw, the worksheet writes down and calculates exactly.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from glass_pipeline.domain.problems.glassmini.cast import Person, draw_people
from glass_pipeline.domain.problems.glassmini.words import NUMBER_WORDS, Noun, Number, plain

CAST_SIZE = 6
NUMBER_WORD_SHARE = 0.2
PRONOUN_SHARE = 0.45
SCENERY_SHARE = 0.3
SCENERY = (
    "It is a quiet {weekday} morning.",
    "{name} likes to plan ahead.",
    "{name} lives in a small town by the sea.",
    "The weather has been mild all week.",
    "{name} keeps a careful record of everything.",
    "{name} has been looking forward to this for a long time.",
    "{name} shares a house with an old dog and a very lazy cat.",
    "It has been raining since {weekday}.",
)


class Worksheet:
    """A problem in the making."""

    def __init__(self, rng: random.Random, split: str, steps: int) -> None:
        self.rng = rng
        self.steps = steps
        self.people = draw_people(rng, split, CAST_SIZE)
        self.facts: list[str] = []
        self.lines: list[str] = []
        self.question = ""
        self.answer: Number = 0
        # A one-step problem is meant for the smallest models: digits only.
        self._number_words = steps > 1 and rng.random() < NUMBER_WORD_SHARE
        self._pronouns = rng.random() < PRONOUN_SHARE
        self._introduced = False

    @property
    def lead(self) -> Person:
        """The person the problem is about."""
        return self.people[0]

    @property
    def text(self) -> str:
        """The problem: facts in the order told, question last."""
        return " ".join([*self.facts, self.question])

    @property
    def solution(self) -> str:
        """The worked solution in the style of GSM8K."""
        return "\n".join([*self.lines, f"#### {plain(self.answer)}"])

    def set_scene(self, weekday: str) -> None:
        """Open, now and then, with a sentence that has nothing to do with the question."""
        if self.rng.random() < SCENERY_SHARE:
            self.tell(self.rng.choice(SCENERY).format(name=self.lead.name, weekday=weekday))

    def who(self) -> str:
        """Return the lead as the first word of a sentence: by name at first, later perhaps by pronoun."""
        if self._introduced and self._pronouns:
            return self.lead.subject.capitalize()
        return self.lead.name

    def say(self, count: int) -> str:
        """Write a count in digits or, in some problems, small ones in words."""
        if self._number_words and 0 <= count < len(NUMBER_WORDS):
            return NUMBER_WORDS[count]
        return f"{count:,}"

    def many(self, count: int, noun: Noun) -> str:
        """Write a count with its noun: ``1 apple``, ``3 apples``."""
        return f"{self.say(count)} {noun.of(count)}"

    def tell(self, *sentences: str) -> None:
        """Add setup sentences."""
        self.facts.extend(sentences)
        self._introduced = self._introduced or any(self.lead.name in sentence for sentence in sentences)

    def tell_one_of(self, *variants: str | Sequence[str]) -> None:
        """Add one of several wordings of the same fact, each a sentence or several."""
        chosen = self.rng.choice(variants)
        self.tell(*([chosen] if isinstance(chosen, str) else chosen))

    def ask(self, answer: Number, *questions: str) -> None:
        """Close with one of several wordings of the question whose answer is given."""
        self.answer = answer
        self.question = self.rng.choice(questions)

    def total(self, values: Sequence[Number], line: str) -> Number:
        """Add a worked line ``a+b+…``; ``{}`` in the line takes the calculation."""
        return self._work("+".join(map(plain, values)), sum(values), line)

    def minus(self, left: Number, right: Number, line: str) -> Number:
        """Add a worked line ``a-b``."""
        return self._work(f"{plain(left)}-{plain(right)}", left - right, line)

    def times(self, left: Number, right: Number, line: str) -> Number:
        """Add a worked line ``a*b``."""
        return self._work(f"{plain(left)}*{plain(right)}", left * right, line)

    def over(self, left: Number, right: Number, line: str) -> Number:
        """Add a worked line ``a/b``."""
        return self._work(f"{plain(left)}/{plain(right)}", Fraction(left) / right, line)

    def percent(self, share: int, whole: Number, line: str) -> Number:
        """Add a worked line ``a*p/100``."""
        return self._work(f"{plain(whole)}*{share}/100", Fraction(whole) * share / 100, line)

    def _work(self, calculation: str, value: Number, line: str) -> Number:
        unit = "$" if "${}" in line else ""
        worked = f"{calculation}={unit}<<{calculation}={plain(value)}>>{plain(value)}"
        self.lines.append(line.replace("${}", "{}").replace("{}", worked))
        return int(value) if Fraction(value).denominator == 1 else value
