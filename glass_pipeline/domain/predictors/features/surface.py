"""Holds the surface features of a text: counts of words, numbers, marks and sentences that need no model.

Never understands what a problem asks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Self

import numpy as np

from glass_pipeline.domain.predictors.features.featurizer import FeatureState, Floats
from glass_pipeline.domain.problems.complexity import NUMERAL
from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.segmentation import split_sentences

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
CAPITALISED = re.compile(r"[A-Z][a-z]+")
QUANTITY_MARK = re.compile(
    r"%|[$€£]|\b(?:percent|half|halves|thirds?|quarters?|fifths?|tenths?|dollars?|cents?|pounds?|ounces?|grams?|kg|kilograms?"
    r"|miles?|km|kilomet(?:er|re)s?|met(?:er|re)s?|cm|inch(?:es)?|feet|foot|yards?|gallons?|lit(?:er|re)s?|hours?|minutes?"
    r"|seconds?|days?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
NUMBER_WORDS = frozenset((
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty",
    "thirty", "forty", "fifty", "sixty", "hundred", "thousand", "million", "dozen", "twice", "double", "triple",
))  # fmt: skip
PRONOUNS = frozenset((
    "he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs", "himself", "herself",
    "itself", "themselves",
))  # fmt: skip
CONDITIONALS = frozenset(("if", "when", "unless", "whenever", "until"))
COMPARATIVES = frozenset((
    "more", "less", "fewer", "greater", "larger", "smaller", "longer", "shorter", "taller", "older", "younger",
    "faster", "slower", "higher", "lower", "heavier", "lighter", "cheaper", "most", "least", "than",
))  # fmt: skip
NEGATIONS = frozenset(("no", "not", "never", "none", "without", "neither", "nor"))
LATEX_COMMAND = re.compile(r"\\[a-zA-Z]+")
LARGEST_NUMBER = 1e15

NAMES = (
    "chars", "words", "sentences", "words_per_sentence", "mean_word_length", "type_token_ratio", "numbers",
    "distinct_numbers", "log_max_number", "log10_range", "number_words", "quantity_marks", "capitalised_names",
    "pronouns", "conditionals", "comparatives", "negations", "question_words", "question_position", "commas",
    "setup_sentences", "latex_commands", "latex_fractions", "dollar_signs", "has_asy",
)  # fmt: skip


class Surface:
    """The features ``NAMES``, unscaled.

    Source: methods §7.
    """

    name = "surface"

    def fit(self, texts: Sequence[str]) -> Self:
        """Do nothing: there is nothing to learn."""
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return one row a text, shape ``[J, 25]``, columns as in ``NAMES``."""
        return np.array([surface_features(text) for text in texts], dtype=np.float64).reshape(len(texts), len(NAMES))

    def state(self) -> FeatureState:
        """Return the name alone."""
        return FeatureState(self.name, {}, {})

    def restored(self, state: FeatureState) -> Self:
        """Return a new featurizer."""
        return type(self)()


def surface_features(text: str) -> tuple[float, ...]:
    """Return the values of ``NAMES`` for one text."""
    sentences = [sentence.strip() for sentence in split_sentences(text) if sentence.strip()]
    words = WORD.findall(text)
    return (
        float(len(text)),
        float(len(words)),
        float(len(sentences)),
        len(words) / max(len(sentences), 1),
        sum(map(len, words)) / max(len(words), 1),
        len({word.lower() for word in words}) / max(len(words), 1),
        *_numbers(text),
        *_word_counts(text, words),
        *_question(sentences),
        float(text.count(",")),
        float(max(len(sentences) - 1, 0)),
        float(len(LATEX_COMMAND.findall(text))),
        float(text.count(r"\frac")),
        float(text.count("$")),
        float("[asy]" in text),
    )


def _numbers(text: str) -> tuple[float, float, float, float]:
    values = [min(float(numeral.replace(",", "")), LARGEST_NUMBER) for numeral in NUMERAL.findall(text)]
    if not values:
        return 0.0, 0.0, 0.0, 0.0
    spread = math.log10(1 + max(values)) - math.log10(1 + min(values))
    return float(len(values)), float(len(set(values))), math.log1p(max(values)), spread


def _word_counts(text: str, words: Sequence[str]) -> tuple[float, ...]:
    lower = [word.lower() for word in words]
    lists = (PRONOUNS, CONDITIONALS, COMPARATIVES, NEGATIONS)
    names = sum(1 for word in words if CAPITALISED.fullmatch(word) and word in given_names())
    number_words = sum(word in NUMBER_WORDS for word in lower)
    marks = len(QUANTITY_MARK.findall(text))
    counts = tuple(float(sum(word in listed for word in lower)) for listed in lists)
    return (float(number_words), float(marks), float(names), *counts)


def _question(sentences: Sequence[str]) -> tuple[float, float]:
    """Return the words of the first question and where it stands, from 0 (first sentence) to 1 (last)."""
    asked = question_indices(sentences)
    if not asked:
        return 0.0, 1.0
    return float(len(WORD.findall(sentences[asked[0]]))), asked[0] / max(len(sentences) - 1, 1)
