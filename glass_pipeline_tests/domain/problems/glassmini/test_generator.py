from __future__ import annotations

import hashlib
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import inflect
import pytest

from glass_pipeline.domain.problems import SourceError
from glass_pipeline.domain.problems.glassmini import generate
from glass_pipeline.domain.problems.glassmini.cast import FEMALE, MALE
from glass_pipeline.domain.problems.glassmini.words import NUMBER_WORDS
from glass_pipeline.domain.records import Problem

CALCULATION = re.compile(r"<<([0-9.+*/-]+)=([0-9]+(?:\.[0-9]+)?)>>([0-9]+(?:\.[0-9]+)?)")
FEW = 4000


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    """Half a thousand problems of each number of steps."""
    return generate(FEW, seed=42, split="test", max_steps=8)


def evaluate(calculation: str) -> Fraction:
    """Calculate sums of products by hand, without the generator's own arithmetic."""
    total = Fraction(0)
    for sign, product in re.findall(r"([+-]?)([0-9.*/]+)", calculation):
        first, *rest = re.split(r"([*/])", product)
        value = Fraction(first)
        for operator, operand in zip(rest[::2], rest[1::2], strict=True):
            value = value * Fraction(operand) if operator == "*" else value / Fraction(operand)
        total += -value if sign == "-" else value
    return total


def numbers_in(text: str) -> set[Fraction]:
    """Read every number of a problem: digits, prices, number words, and the factors that words imply."""
    found = {Fraction(match.replace(",", "")) for match in re.findall(r"[0-9][0-9,]*(?:\.[0-9]+)?", text)}
    words = re.findall(r"[a-z]+", text.lower())
    found |= {Fraction(NUMBER_WORDS.index(word)) for word in words if word in NUMBER_WORDS}
    return found | ({Fraction(2)} if {"twice", "half"} & set(words) else set())


def test_evaluate_by_hand() -> None:
    """The test's own arithmetic is right: 2+3*4-6/2 = 11."""
    assert evaluate("2+3*4-6/2") == 11


def test_gold_follows_from_the_worked_lines(problems: list[Problem]) -> None:
    """Every line calculates right, and the gold is the last line's result."""
    for problem in problems:
        *lines, final = (problem.gold_solution or "").split("\n")
        worked = [CALCULATION.findall(line) for line in lines]
        assert all(len(found) == 1 for found in worked), problem
        results = [(evaluate(calculation), Fraction(a), Fraction(b)) for ((calculation, a, b),) in worked]

        assert all(value == a == b for value, a, b in results), problem
        assert final == f"#### {problem.gold}"
        assert results[-1][0] == Fraction(problem.gold)


def test_every_operand_is_told_or_was_worked_out(problems: list[Problem]) -> None:
    """No line uses a number that is neither in the text nor an earlier result, and every result is used."""
    # 100 belongs to percent, 60 to hours; people who share or age are counted, not told.
    for problem in problems:
        known = numbers_in(problem.text) | {Fraction(60), Fraction(100)}
        people = {Fraction(count) for count in range(2, 7)}
        unused: list[Fraction] = []
        for calculation, result, _ in CALCULATION.findall(problem.gold_solution or ""):
            operands = [Fraction(number) for number in re.findall(r"[0-9]+(?:\.[0-9]+)?", calculation)]
            assert set(operands) <= known | people, problem
            unused = [value for value in unused if value not in operands] + [Fraction(result)]
            known.add(Fraction(result))
        if problem.category not in {"collections", "ages"}:
            assert unused == [Fraction(problem.gold)], problem


def test_each_step_is_a_line_and_all_difficulties_occur(problems: list[Problem]) -> None:
    """Problem k has 1 + k mod 8 steps, each a line of the solution."""
    assert [problem.gold_steps for problem in problems] == [1 + number % 8 for number in range(FEW)]
    assert all((problem.gold_solution or "").count("\n") == problem.gold_steps for problem in problems)


def test_amounts_are_sensible(problems: list[Problem]) -> None:
    """Results are positive; only money and hours have fractions, of at most two places."""
    for problem in problems:
        for line in (problem.gold_solution or "").split("\n")[:-1]:
            ((_, result, _),) = CALCULATION.findall(line)
            assert Fraction(result) > 0, problem
            assert "." not in result or "$" in line or line.endswith("hours."), problem
            assert len(result.partition(".")[2]) <= 2, problem


def test_texts_are_distinct_and_golds_spread() -> None:
    """Twenty thousand problems have as many texts, every topic, and no gold that is common."""
    problems = generate(20_000, seed=7, split="test", max_steps=8)
    golds = Counter(problem.gold for problem in problems)

    assert len({problem.text for problem in problems}) == 20_000
    assert len({problem.base_id for problem in problems}) == 20_000
    assert len({problem.category for problem in problems}) == 10
    assert golds.most_common(1)[0][1] < 400


def test_one_step_problems_are_distinct_and_mostly_multiplications() -> None:
    """The easiest suite repeats nothing, and at least two thirds of it are what a small model can do."""
    problems = generate(5000, seed=42, split="test", max_steps=1)
    multiplications = sum("*" in (problem.gold_solution or "") for problem in problems)

    assert len({problem.text for problem in problems}) == 5000
    assert {problem.gold_steps for problem in problems} == {1}
    assert multiplications > 0.66 * 5000
    assert all("." not in problem.gold for problem in problems)


def test_a_problem_does_not_depend_on_how_many_are_asked_for(problems: list[Problem]) -> None:
    """The first problems of a large suite are those of a small one."""
    assert generate(24, seed=42, split="test", max_steps=8) == problems[:24]


def test_the_texts_of_a_version_are_fixed() -> None:
    """A change of any text must raise VERSION, so that what depends on it is made anew."""
    written = "\n".join(problem.text for problem in generate(400, seed=42, split="test", max_steps=8))
    revision = generate(1, seed=42, split="test", max_steps=8)[0].revision

    assert (revision, hashlib.sha256(written.encode()).hexdigest()[:16]) == ("glassmini-1-seed-42", "ddc4df1f5d58f887")


def test_splits_and_seeds_share_no_text(problems: list[Problem]) -> None:
    """Train is other people's problems, another seed other problems."""
    texts = {problem.text for problem in problems}
    train = generate(FEW, seed=42, split="train", max_steps=8)
    other = generate(FEW, seed=43, split="test", max_steps=8)

    assert texts.isdisjoint(problem.text for problem in train)
    assert len(texts & {problem.text for problem in other}) < FEW / 1000


def test_splits_share_no_name(problems: list[Problem]) -> None:
    """Nobody of the train half occurs in a test problem."""
    absent = {*FEMALE[1::2], *MALE[1::2]}
    # June, April and Will … are matched as whole words with their capital.
    words = {word for problem in problems for word in re.findall(r"\b[A-Z][a-z]+\b", problem.text)}

    assert not words & absent


def test_sentences_are_well_formed(problems: list[Problem]) -> None:
    """Capital first, full stop last, one question at the end, single spaces, no gap left in a template."""
    for problem in problems:
        text = re.sub(r"\b(Mrs|Ms|Mr|Dr|a\.m)\.", r"\1", problem.text)
        *setup, question = re.split(r"(?<=[.?]) ", text)
        assert question.endswith("?") and text.count("?") == 1, problem
        assert setup and all(sentence.endswith(".") for sentence in setup), problem
        assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in (*setup, question)), problem
        assert not re.search(r"  |[{}]| [.,?]|\.\.", text), problem
        assert not re.search(r"(?<![.?]) (?:She|He)\b", text), problem
        assert not re.match(r"(?:She|He)\b", text), problem


def test_a_and_an_are_right(problems: list[Problem]) -> None:
    """The indefinite article goes with the sound that follows, as inflect has it."""
    speller = inflect.engine()
    pairs = {pair for problem in problems for pair in re.findall(r"\b([Aa]n?) ([a-z]+)\b", problem.text)}

    assert len(pairs) > 20
    assert all(speller.a(word).split()[0] == article.lower() for article, word in pairs)


def test_one_takes_the_singular(problems: list[Problem]) -> None:
    """After 1 or one stands no plural, after any other number no singular unit."""
    text = "\n".join(problem.text for problem in problems)
    after_one = set(re.findall(r"(?<![\d,.$:])\b(?:1|one) (?:more |fewer )?([a-z]+)", text))
    after_many = set(re.findall(r"(?<![\d,.$])\b(?:[2-9]|1\d|two|nine) (year|hour|day|minute|friend|child)\b", text))

    assert after_one and not {word for word in after_one if re.search(r"[^s]s$", word)}
    assert not after_many


def test_rewording_finds_something_to_do(problems: list[Problem]) -> None:
    """Most problems have two or more setup sentences, nearly all a name, a good share a pronoun or a trap."""
    setups = [len(re.findall(r"[.](?= [A-Z0-9])", re.sub(r"\b(Mrs|Ms|Mr|Dr|a\.m)\.", "", p.text))) for p in problems]
    share = len(problems)

    assert sum(count >= 2 for count in setups) > 0.9 * share
    assert sum(bool(re.search(r"\b(?:She|He)\b", problem.text)) for problem in problems) > 0.1 * share
    assert sum(problem.text.count("$") >= 2 for problem in problems) > 0.2 * share
    assert sum(bool(re.search(r"\$\d+\.\d\d", problem.text)) for problem in problems) > 0.03 * share
    assert sum(bool(re.search(r"\b(?:Mrs|Ms|Mr|Dr)\.", problem.text)) for problem in problems) > 0.04 * share
    assert sum(bool(re.search(r"\b(?:Grace|May|Hope|Mark|Bill|Frank)\b", p.text)) for p in problems) > 0.05 * share


def test_pronouns_agree(problems: list[Problem]) -> None:
    """In a problem about one untitled person, she or he is that person's own pronoun."""
    untitled = [problem for problem in problems if not re.search(r"\b(?:Mrs|Ms|Mr|Dr)\.", problem.text)]
    for problem in untitled:
        women = {name for name in FEMALE if re.search(rf"\b{name}\b", problem.text)}
        men = {name for name in MALE if re.search(rf"\b{name}\b", problem.text)}
        if women and not men:
            assert not re.search(r"\b(?:He|he|his)\b", problem.text), problem
        if men and not women:
            assert not re.search(r"\b(?:She|she|her)\b", problem.text), problem


def test_complexity_is_gold_steps_unless_asked(problems: list[Problem]) -> None:
    """C is the number of steps; the heuristic can be had instead; a level cannot."""
    scores = [problem.complexity_score for problem in problems[:8]]
    heuristic = generate(8, seed=42, split="test", max_steps=8, complexity="heuristic")

    assert [problem.declared_complexity for problem in problems[:8]] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(low < high for low, high in pairwise(scores))
    assert all(problem.declared_complexity < 1 for problem in heuristic)
    with pytest.raises(SourceError, match="the item has no level"):
        generate(1, seed=42, split="test", max_steps=8, complexity="level")


@pytest.mark.parametrize(
    ("size", "split", "max_steps", "message"),
    [
        (1, "validation", 8, "no split 'validation'; choose test or train"),
        (0, "test", 8, "cannot write 0 problems"),
        (100_001, "test", 8, "cannot write 100001 problems"),
        (1, "test", 0, "cannot write problems of 0 steps"),
        (1, "test", 9, "cannot write problems of 9 steps"),
    ],
)
def test_an_impossible_request_is_refused(size: int, split: str, max_steps: int, message: str) -> None:
    """What cannot be written is refused before anything is."""
    with pytest.raises(SourceError, match=message):
        generate(size, seed=1, split=split, max_steps=max_steps)


@pytest.mark.slow
def test_a_hundred_thousand_distinct_problems() -> None:
    """The largest suite has no two problems alike."""
    problems = generate(100_000, seed=42, split="test", max_steps=8)

    assert len({problem.text for problem in problems}) == 100_000
