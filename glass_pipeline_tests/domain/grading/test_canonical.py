"""Canonical forms of MATH answers, choices and texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.grading.canonical import canonical
from glass_pipeline.domain.grading.numeric import AMBIGUOUS
from glass_pipeline.domain.grading.policy import GradingPolicy


@pytest.mark.parametrize(
    "spellings",
    [
        [
            "\\frac12",
            "\\frac{1}{2}",
            "\\dfrac 12",
            "1/2",
            "0.5",
            ".5",
            "½",
            "$\\tfrac{1}{2}$",
            "x=\\frac{1}{2}",
            "0.50",
        ],
        ["10\\sqrt3", "10 \\sqrt{3}", "10\\sqrt 3", "$10\\sqrt{3}$."],
        ["\\frac{\\sqrt6}3", "\\frac{\\sqrt{6}}{3}", "\\dfrac{\\sqrt 6}{3}"],
        ["204_{5}", "204_5"],
        ["1,\\!234", "1,234", "1{,}234", "1234", "1234.0"],
        ["30^\\circ", "30^{\\circ}", "30°", "30 degrees", "30\\text{ degrees}", "30"],
        ["\\{-2,1\\}", "1, -2", "-2, 1", "-2 \\text{ and } 1", "x = -2 or x = 1", "x \\in \\{1, -2\\}"],
        ["(1, 4.5)", "(1,\\frac92)", "\\left( 1, \\frac{9}{2} \\right)"],
        [
            "(-\\infty,2)\\cup(3,\\infty)",
            "\\left(-\\infty, 2\\right) \\cup \\left(3, \\infty\\right)",
            "(−∞, 2) ∪ (3, ∞)",
        ],
        ["\\text{Maya}", "maya", "Maya", "\\textbf{Maya}"],
        ["\\text{(C)}", "C", "(C)", "\\text{C}"],
        ["15\\mbox{ cm}^2", "15 \\text{ cm}^{2}", "15 cm^2", "15"],
        ["\\$10", "10", "$\\$10$", "10\\%"],
        ["x \\ge 5", "x >= 5", "x \\geq 5", "x≥5"],
        ["3\\times 10^5", "3 \\cdot 10^{5}", "300000", "300,000"],
        ["\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}", "\\begin{pmatrix}1\\\\2\\end{pmatrix}"],
        ["2\\pi r", "2 \\pi r", "2π r"],
        ["1\\frac{3}{4}", "\\frac74", "1.75"],
    ],
    ids=lambda spellings: spellings[0],
)
def test_spellings_of_one_math_answer_have_one_form(spellings: list[str]) -> None:
    """However it is written, an answer votes for the same canonical form, which is its own form."""
    forms = {canonical(spelling, answer_type="math") for spelling in spellings}
    assert len(forms) == 1
    (form,) = forms
    assert isinstance(form, str)
    assert canonical(form, answer_type="math") == form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(1,2)", "(2,1)"),
        ("(1,2)", "[1,2]"),
        ("(1,2)", "1,2"),
        ("32, 349", "32349"),
        ("204_5", "204"),
        ("\\pm 3", "3"),
        ("\\infty", "-\\infty"),
        ("x", "X"),
        ("4\\sqrt(2)", "4"),
        ("1+\\frac{1}{\\mathrm{e}}", "1-\\frac{1}{\\mathrm{e}}"),
        ("3:1", "3"),
        ("x<5", "x>5"),
        ("3.14", "\\pi"),
        ("\\frac{1}{2006!}", "\\frac{1}{2004!}"),
        ("1, 2, \\ldots, n", "1, 3, \\ldots, n"),
        ("0.333333", "\\frac13"),
    ],
)
def test_different_math_answers_have_different_forms(one: str, other: str) -> None:
    """Normalising never merges answers that differ."""
    assert canonical(one, answer_type="math") != canonical(other, answer_type="math")


@pytest.mark.parametrize("span", ["", "\\text{}", "$$", "\\left.", " . "])
def test_an_empty_math_answer_is_none(span: str) -> None:
    """Layout without content is no answer."""
    assert canonical(span, answer_type="math") is None


def test_math_policies_change_what_they_name() -> None:
    """List order and word case can be kept."""
    kept = GradingPolicy(list_order="kept", word_case="kept")
    assert canonical("2, 1", answer_type="math", policy=kept) == "2, 1"
    assert canonical("2, 1", answer_type="math") == "1, 2"
    assert canonical("Maya", answer_type="math", policy=kept) == "Maya"


@pytest.mark.parametrize(
    ("span", "label"),
    [
        ("B", "B"),
        ("(B)", "B"),
        ("B.", "B"),
        ("b", "B"),
        ("(b)", "B"),
        ("B) because it floats", "B"),
        ("option C", "C"),
        ("\\text{D}", "D"),
        ("**A**", "A"),
        ("A because", "A"),
        ("2", "2"),
        ("A dog", None),
        ("a dog", None),
        ("Both", None),
        ("", None),
        ("2.5", None),
        ("B, C", AMBIGUOUS),
        ("B or C", AMBIGUOUS),
    ],
)
def test_a_choice_is_its_label(span: str, label: object) -> None:
    """A label may be dressed, an article is none, and two labels are ambiguous."""
    assert canonical(span, answer_type="choice") == label


def test_text_answers_ignore_case_space_and_width() -> None:
    """NFKC, case folding, collapsed white space, no quotes, no full stop; nothing left is None."""
    assert canonical('  "The  Ｒed\nfox". ', answer_type="exact") == "the red fox"
    assert canonical("Straße", answer_type="exact") == canonical("STRASSE", answer_type="exact")
    assert canonical(" ** ", answer_type="exact") is None


@given(st.text(alphabet="0123456789abxyz\\{}()[]^_,./+-=$ \n½−frcsqt", max_size=50))
def test_any_math_text_has_a_form_without_an_error(text: str) -> None:
    """Broken LaTeX is read to the end, and gives text or None."""
    assert isinstance(canonical(text, answer_type="math"), str | None)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=5))
def test_lists_are_unordered_and_tuples_are_not(numbers: list[int]) -> None:
    """Reversing a bare list keeps its form; reversing a tuple keeps it only if it is a palindrome."""
    there, back = (", ".join(map(str, order)) for order in (numbers, numbers[::-1]))
    assert canonical(there, answer_type="math") == canonical(back, answer_type="math")
    is_same = canonical(f"({there})", answer_type="math") == canonical(f"({back})", answer_type="math")
    assert is_same == (numbers == numbers[::-1])
