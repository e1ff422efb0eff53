"""Tests of the page in a real browser, opened from disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.report import ReportInput, build_report

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOSTILE = "</script><script>window.ran=1</script><img src=x onerror=window.ran=1> \u202e&lt;b&gt; {{7*7}}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium on the path")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield running
        running.close()


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a report and collect what the page complains of; nothing but the file may be asked for."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    complaints: list[str] = []
    asked: list[str] = []

    def open_report(given: ReportInput, fragment: str = "", width: int = 1440) -> Any:
        path = tmp_path / "report.html"
        path.write_text(build_report(given).html, encoding="utf-8")
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri() + fragment)
        return page

    yield open_report
    context.close()

    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.fixture(scope="module")
def many(rows: Any, make_input: Callable[..., ReportInput]) -> ReportInput:
    """130 items of two solvers; item-k has π = k / 200 for alpha, and one broken and one kept twin."""
    names = [f"item-{n}" for n in range(130)]
    pairs = [
        rows.pair(
            name,
            f"{name}-{letter}",
            solver=solver,
            twin_text=f"Problem number {at} of {other}.",
            y_twin=y_twin,
            delta=1 - y_twin,
        )
        for at, name in enumerate(names[:3])
        for solver in ("alpha", "beta")
        for letter, y_twin, other in (("a", 0, "Nora"), ("b", 1, "Ida"))
    ]
    jobs = [rows.job(name, n=200, k=at, crd=None if at % 2 else 0.01) for at, name in enumerate(names)]
    return make_input(
        base_problems=[
            rows.problem(name, category="prices" if at < 100 else "times", text=f"Problem number {at} of Mia.")
            for at, name in enumerate(names)
        ],
        base_labels=[rows.base_label(name, solver=solver) for name in names[:3] for solver in ("alpha", "beta")],
        solver_labels=[rows.twin_label(pair) for pair in pairs[:-1]]
        + [rows.twin_label(pairs[-1], statuses=["ok", "ok", "ok", "ok", "length"])],
        labeled_pairs=pairs,
        causal_difficulty=[*jobs, *({**job, "solver": "beta", "k": 0, "pi": 0.0} for job in jobs)],
    )


def ids(page: Any) -> list[str]:
    """Items of the table, in order."""
    return page.locator("#table tbody th a").all_inner_texts()


def test_the_table_opens_with_the_most_fragile_items(visit: Callable[..., Any], many: ReportInput) -> None:
    """Sorted by π from the top, sixty rows, more on demand."""
    page = visit(many)

    assert ids(page)[:2] == ["item-129", "item-128"]
    assert page.locator("#found").inner_text() == "130 of 130 items, the first 60 shown"
    page.click("#more")
    assert len(ids(page)) == 120


def test_headers_sort_both_ways_and_say_so(visit: Callable[..., Any], many: ReportInput) -> None:
    """Names go in natural order; a second click turns it; what has no value stays last."""
    page = visit(many)
    page.click("#table th[data-key=id] button")
    assert ids(page)[:3] == ["item-0", "item-1", "item-2"]
    assert page.get_attribute("#table th[data-key=id]", "aria-sort") == "ascending"

    page.click("#table th[data-key=crd] button")
    page.click("#table th[data-key=crd] button")
    page.click("#more")
    page.click("#more")
    assert page.get_attribute("#table th[data-key=crd]", "aria-sort") == "ascending"
    assert page.locator("#table tbody tr:last-child td[data-key=crd]").inner_text() == "—"


def test_filters_narrow_the_table(visit: Callable[..., Any], many: ReportInput) -> None:
    """By words of the problem, by category, by outcome, by solver."""
    page = visit(many)
    page.fill("#filters input", "NUMBER 42 mia")
    assert ids(page) == ["item-42"]

    page.fill("#filters input", "")
    page.select_option("#filters [data-name=category]", "times")
    assert page.locator("#found").inner_text() == "30 of 130 items"

    page.select_option("#filters [data-name=solver]", "1")
    page.select_option("#filters [data-name=outcome]", "broke")
    assert ids(page) == []
    page.select_option("#filters [data-name=outcome]", "lost")
    assert ids(page) == []
    page.select_option("#filters [data-name=category]", "prices")
    assert ids(page) == ["item-2"]


def test_an_item_opens_with_its_twins_and_outputs(visit: Callable[..., Any], many: ReportInput) -> None:
    """Broken twin first, the changed word marked, each output with the rule that found its answer."""
    page = visit(many)
    page.fill("#filters input", "item-2")
    page.click("#table th[data-key=id] button")
    page.click("#table tbody a >> text=item-2")
    page.wait_for_selector("dialog[open] .twin")

    assert page.evaluate("location.hash") == "#item/item-2/alpha"
    assert page.locator("dialog section h4").all_inner_texts() == [
        "Broke: 1 the base was solved, this wording was not",
        "Kept: 1 both were solved",
    ]
    assert page.locator("dialog .twin.broke del").inner_text() == "Mia"
    assert page.locator("dialog .twin.broke ins").inner_text() == "Nora"
    page.click("dialog .twin.broke summary")
    page.wait_for_selector("dialog .twin.broke .samples li")
    assert page.locator("dialog .twin.broke .samples li").first.inner_text().split("\n") == [
        "9 found by hash_marks",
        "",
        "So it is 9.",
    ]


def test_a_link_opens_its_item_and_escape_closes_it(visit: Callable[..., Any], many: ReportInput) -> None:
    """The fragment is enough, names the solver, and is gone once the item is closed."""
    page = visit(many, "#item/item-1/beta")
    page.wait_for_selector("dialog[open] .twin")

    assert page.locator("#item-title").inner_text() == "item-1"
    assert page.locator("#filters [data-name=solver]").input_value() == "1"
    page.keyboard.press("Escape")
    page.wait_for_function("location.hash === '#items'")

    assert page.locator("dialog[open]").count() == 0


@pytest.mark.parametrize("fragment", ["#item/nowhere/alpha", "#item/%E0%A4%A/alpha", "#item", "#item/"])
def test_a_broken_link_says_so(visit: Callable[..., Any], many: ReportInput, fragment: str) -> None:
    """An unknown or malformed id is answered, not ignored."""
    page = visit(many, fragment)
    page.wait_for_selector("dialog[open]")

    assert "This page holds no item" in page.locator("dialog").inner_text()


def test_the_keyboard_reaches_an_item(visit: Callable[..., Any], many: ReportInput) -> None:
    """Enter on a focused item opens it, and focus moves into it."""
    page = visit(many)
    page.focus("#table tbody tr:first-child a")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")

    assert page.evaluate("document.activeElement.id") == "item-title"


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_page_is_never_wider_than_the_screen(visit: Callable[..., Any], many: ReportInput, width: int) -> None:
    """Wide tables scroll in themselves."""
    page = visit(many, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_a_linked_section_is_not_behind_the_masthead(visit: Callable[..., Any], many: ReportInput, width: int) -> None:
    """The masthead stays on top, and at some widths it takes two lines."""
    page = visit(many, "#items", width=width)
    heading, masthead = (page.locator(which).bounding_box() for which in ("#items-title", ".masthead"))

    assert heading["y"] >= masthead["y"] + masthead["height"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(visit: Callable[..., Any], many: ReportInput, scheme: str) -> None:
    """Every text colour of the page reaches WCAG's 4.5 to 1 on its paper."""
    page = visit(many)
    page.emulate_media(color_scheme=scheme)
    ratios = page.evaluate(CONTRASTS)

    assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}


CONTRASTS = """() => {
  const style = getComputedStyle(document.documentElement);
  const channel = (x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const light = (name) => {
    const hex = style.getPropertyValue(name).trim();
    const [r, g, b] = [1, 3, 5].map((at) => channel(parseInt(hex.slice(at, at + 2), 16) / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const inks = ["ink", "soft", "broke", "kept", "chance", "line-0", "line-1", "line-2", "line-3"];
  const pairs = inks.map((ink) => [ink, "paper"]);
  const grounds = [["ink", "raised"], ["soft", "raised"], ["ink", "broke-tint"], ["ink", "kept-tint"]];
  return Object.fromEntries([...pairs, ...grounds].map(([a, b]) => [`${a} on ${b}`, contrast(`--${a}`, `--${b}`)]));
}"""


def test_hostile_text_never_runs(visit: Callable[..., Any], rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Scripts, images and direction marks in every field stay text, on the page and in the opened item."""
    pair = rows.pair(HOSTILE, HOSTILE, twin_text=f"{HOSTILE} twin", base_text=HOSTILE, generator=HOSTILE)
    samples = rows.samples((HOSTILE,) * 5, outputs=[HOSTILE] * 5, rules=[HOSTILE] * 5, statuses=[HOSTILE] * 5)
    audit = {"adjudicators": [HOSTILE], "verdicts": [HOSTILE], "rationales": [HOSTILE]}
    given = make_input(
        base_problems=[rows.problem(HOSTILE, text=HOSTILE * 40, gold=HOSTILE, category=HOSTILE)],
        noop_audit=[rows.audit(HOSTILE, HOSTILE, reasons=[HOSTILE], **audit)],
        base_labels=[rows.base_label(HOSTILE, **samples)],
        solver_labels=[rows.twin_label(pair, **samples)],
        labeled_pairs=[pair],
        causal_difficulty=[rows.job(HOSTILE, category=HOSTILE)],
        settings={"manifest": {HOSTILE: HOSTILE}},
    )
    page = visit(given)
    page.click("#table tbody a")
    page.wait_for_selector("dialog[open] .twin")
    page.click("dialog .twin summary")
    page.wait_for_selector("dialog .samples")

    assert page.evaluate("window.ran") is None
    assert page.locator("img").count() == 0
    assert "⟦U+202E⟧" in page.locator("#item-title").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_even_unescaped_markup_could_not_run(browser: Any, tmp_path: Path, toy: ReportInput) -> None:
    """The page's own policy refuses a script that reaches the document by any way."""
    path = tmp_path / "report.html"
    path.write_text(build_report(toy).html, encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = 1";
          addEventListener("securitypolicyviolation", () => { window.refused = true; });
          document.body.append(script);
        }"""
    )
    page.wait_for_function("window.refused")

    assert page.evaluate("window.ran") is None
    page.close()


def test_a_name_in_arabic_does_not_turn_an_english_sentence(
    visit: Callable[..., Any], rows: Any, make_input: Callable[..., ReportInput]
) -> None:
    """The problem reads from left to right, an Arabic one from right to left."""
    texts = {"english": "ليلى has 3 boxes of 6 pens.", "arabic": "لدى ليلى ٣ علب."}
    given = make_input(base_problems=[rows.problem(name, text=text) for name, text in texts.items()])

    for name, direction in (("english", "ltr"), ("arabic", "rtl")):
        page = visit(given, f"#item/{name}/")
        page.wait_for_selector("dialog[open] p.words")
        assert page.get_attribute("dialog p.words", "dir") == direction
