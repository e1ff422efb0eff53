"""Holds which sentence of a problem can stand anywhere: it names a person, states a quantity and leans on nothing.

Never decides which problem such a sentence goes into (see ``math_irrelevant_context``), and repairs none.
"""

from __future__ import annotations

import re

from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.quantities import values
from glass_pipeline.domain.twins.questions import asks
from glass_pipeline.domain.twins.reference import ELLIPSIS, ORDER_WORD, REMAINDER, RUNNING_STATE, person_gender
from glass_pipeline.domain.twins.tokens import Token, tokens_of
from glass_pipeline.domain.twins.vocabulary import ANIMATE_VERBS, NEUTRAL_CAPITALS, PRONOUN_GENDER, words

FEWEST_WORDS, MOST_WORDS = 4, 40
FORBIDDEN_MARK = re.compile(r"[?:;\"“”()\[\]{}\\\n*=<>]|…|\.\.")
OPEN_WORD = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|such|both|same|which|i|me|my|we|us|our|you|your|if|suppose|assume"
    r"|assuming|unless|would|could|should|might|may|everyone|everybody|anyone|all|only|most|there|here|thing|things|ones?"
    r"|total|altogether|together|combined|average|answer|question|problem|everything|something|anything|nothing)\b",
    re.IGNORECASE,
)
DEFINITE = re.compile(r"\b(?:the|these|those)\s+([$€£\d\w-]+)", re.IGNORECASE)
FAMILIAR = words("familiar_nouns")
"""Nouns that "the" may stand before without an earlier mention."""

THE_WEEK = re.compile(r"\bfor the (?:day|week|month|year|weekend)\b|\b(?:buys?|bought|sells?|sold|rents?|rented) the\b")
"""A certain week, or a certain house."""

NUMBER = (
    r"(?:\d[\d,]*(?:\.\d+)?(?:/\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen"
    r"|twenty|thirty|forty|fifty)"
)
NOUN_LEFT_OUT = re.compile(
    rf"\b(?!(?:is|are|was|were|turned|turns|size|at|to|by|from|in|of|than|for|and|until|grade|page|between|about)\b)[a-z]+"
    rf"(?: just)? (?:an? )?{NUMBER}(?! and \d+/)"
    r"(?=[,.](?:\s|$)|(?: more| fewer| less)?\.?$| (?:and|but|while|on|of each|for|from|in|at|with|points? more)\b)"
)
"""A bare count, "has a 92", "scored 25 and"; an age or a size needs no noun."""

PORTION = re.compile(
    rf"\b(?:{NUMBER}|dozen|an?) (?:more |fewer |less )?"
    r"(?:pieces?|slices?|servings?|containers?|thermoses|scoops?|pints?|dozen|boxes|portions?|batch(?:es)?|packs?|packets?)"
    r"(?=[,.](?:\s|$)| (?:and|but|while|less|more|than|each|at|for|on|to|in)\b)|\bof a box\b|\bgrams at\b"
)
"""A portion of nothing in particular."""

COMPARISON = re.compile(r"(?:\b(?:\S+ times|twice|half|thrice|\S+) )?\b(?:as (?:many|much)|fewer|less|more)\b")
STANDARD = re.compile(r"\bthan\b|\bas\b(?! many| much)")
CLAUSE_END = re.compile(r",| and | but | while ")
ODD_COMPARISON = re.compile(
    r"\btimes (?:fewer|less|younger|shorter|smaller|lighter)\b|\bhalf times\b|\d/\d times (?:more|as)"
    r"|\bthan (?:assigned|planned|expected|usual|normal|before)\b"
)
CONTEST = re.compile(
    r"\bahead\b|\bbehind by\b|\bbeat\b|\bfinished \d|\b(?:won|scored) \S+ times\b|\btook (?:twice|half|\S+ times) as\b"
    r"|['’]s (?:number|throw|gift|turn)\b(?! of)|\b(?:each|every|per) (?:trip|round|brushing|turn|rung|pie|game)\b"
)
"""A move in some contest, or a turn of some work, that the sentence does not tell of."""

EXCHANGE = re.compile(
    r"^[A-Z]\w+ (?:gave|gives|tells|told|lends|lent|sends|sent|pays|paid|asks|asked|owes|owed|shows?|showed)"
    r" (?:him|them|her (?:an?|the|half|some|\d+|two|three|four|five)|\d+ [a-z]+ with)\b"
    r"|\b(?:pays|paid) with\b|\bgave \d(?!.*\bto\b)"
)
"""A gift or a payment whose other half is missing."""

PAST_AGE = re.compile(r"\bwas \S+ (?:years old|inches tall|feet tall)\.$")
MISPRINT = re.compile(r"  |\d ?[$€£]|[$€£] \d|\b(\w+) \1\b|\bis (?:bought|brought) \d|\bto park\.$", re.IGNORECASE)

LEANINGS = (
    OPEN_WORD,
    ORDER_WORD,
    REMAINDER,
    RUNNING_STATE,
    ELLIPSIS,
    THE_WEEK,
    NOUN_LEFT_OUT,
    PORTION,
    ODD_COMPARISON,
    CONTEST,
    EXCHANGE,
    PAST_AGE,
    MISPRINT,
)
VERB = re.compile(r"[ ](?:also |just |usually |always )?([a-z]+)")
SUBJECT_VERBS = ANIMATE_VERBS | {"is", "was", "can"}


def is_self_contained(sentence: str) -> bool:
    """Return whether a sentence states a quantity about a named person and leans on nothing outside itself."""
    core = sentence.strip()
    n_words = len(core.split())
    if not FEWEST_WORDS <= n_words <= MOST_WORDS or not core.endswith(".") or FORBIDDEN_MARK.search(core):
        return False
    if asks(core) or any(pattern.search(core) for pattern in LEANINGS):
        return False
    if any(noun.lower() not in FAMILIAR for noun in DEFINITE.findall(core)):
        return False
    if _has_open_person(core) or _compares_with_nothing(core):
        return False
    return _is_about_a_person(core) and bool(values(core))


def _has_open_person(core: str) -> bool:
    """Return whether he or she stands where nobody of that gender came before."""
    genders: set[str] = set()
    for token in tokens_of(core):
        gender = PRONOUN_GENDER.get(token.low)
        if gender and not genders & {gender, "unisex"}:
            return True
        person = None if gender else person_gender(token.text)
        genders |= {person} if person else set()
    return False


def _compares_with_nothing(core: str) -> bool:
    """Return whether "3 fewer pens" or "twice as many" has nothing to compare with, before it or after "than"."""
    for comparison in COMPARISON.finditer(core):
        clause = CLAUSE_END.split(core[comparison.end() :])[0]
        if not STANDARD.search(clause) and not values(core[: comparison.start()]):
            return True
    return False


def _is_about_a_person(core: str) -> bool:
    """Return whether the first word is a plain given name that does something, and every other capital is known."""
    tokens = tokens_of(core)
    capitals = [token for token in tokens if token.is_capitalised]
    if not capitals or tokens[0].start != 0 or not _is_plain_name(tokens[0]):
        return False
    if not all(_is_plain_name(token) or token.low in NEUTRAL_CAPITALS for token in capitals):
        return False
    verb = VERB.match(core, tokens[0].end)
    joined = re.match(r" and ([A-Z][a-z]+) ([a-z]+)", core[tokens[0].end :])
    acts = (verb is not None and verb[1] in SUBJECT_VERBS) or (joined is not None and joined[1] in given_names())
    return acts or tokens[0].is_possessive


def _is_plain_name(token: Token) -> bool:
    listed = given_names().get(token.text)
    return listed is not None and not listed.kind
