"""Holds the benchmark of the report page: build time, size, and speed in a real browser.

Never uses benchmark text: problems, twins and outputs are invented here. Run with
``python glass_pipeline_tests/benchmarks/report_size.py [--items N] [--solvers N] [--keep FILE]``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.records import DOSES, FAMILIES
from glass_pipeline.domain.report import FloorFigure, ReliabilityFigure, ReportInput, build_report
from glass_pipeline.domain.report.inputs import REPORT_TABLES
from glass_pipeline.domain.schemas import TABLES
from glass_pipeline.domain.seeding import child_rng

CHROMIUM = "/usr/bin/chromium"
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
LATIN = ("Mia", "Tom", "Nora", "Ben", "Ida", "Omar", "Lena", "Raj", "Eva", "Karl")
ARABIC = ("ليلى", "عمر", "نورة", "سامي", "هالة", "كريم", "مريم", "ياسر", "دانة", "فارس")
THINGS = ("pens", "apples", "stamps", "marbles", "tickets", "ribbons", "candles", "postcards", "shells", "buttons")
PLACES = ("shop", "fair", "library", "school", "market", "harbour", "station", "bakery")
FILLERS = (
    "The {place} near the {other} is {x} years old.",
    "A bus with {x} seats stops in front of the {place}.",
    "Last winter the {place} sold {x} {thing} in one morning.",
    "The bench outside the {place} is {x} centimetres wide.",
    "There are {x} lamps along the road to the {other}.",
)
STEPS = (
    "First we need to find how many {thing} there are in total before anything is given away. ",
    "We multiply the number of boxes by the number in each box: {x} * {y} = {z}. ",
    "Next, we subtract what was given to {name}, so we have {z} - {x} = {y} left over. ",
    "The price of one of the {thing} is ${x}, so together they come to ${z}. ",
    "Let me check this once more: {x} + {y} = {z}, which agrees with the amount above. ",
    "The information about the {place} does not change how many {thing} remain at the end. ",
)
LABEL_KEY = ("solver", "base_id", "twin_id", "text_hash", "family", "inject_size", "y_twin")
CATEGORIES = ("prices", "times", "sharing", "rates", "mixtures")


class Scale(NamedTuple):
    """How large a suite to invent."""

    items: int
    solvers: int = 1
    names: tuple[str, ...] = LATIN
    long_text: int = 0
    """Characters that the first problem has at least."""
    solve_rate: float = 0.94
    simulated: bool = False


def simulate(scale: Scale) -> ReportInput:
    """Invent a suite of that scale: m twins a problem and dose, 25 in all, five samples each."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    slugs = [f"solver-{chr(97 + at)}" for at in range(scale.solvers)]
    for at in range(scale.items):
        item = _Item(scale, at)
        rows["base_problems"].append(item.problem())
        rows["noop_audit"] += [twin.audit() for twin in item.twins] + item.dropped(rows["twins"])
        rows["declines"] += item.declines()
        for slug in slugs:
            _label(item, slug, rows)
    frames = {name: pl.DataFrame(rows[name], schema=TABLES[name].schema, orient="row") for name in rows}
    has_labels = bool(slugs and scale.items and scale.solve_rate)
    tables: dict[str, Any] = {name: frames[name] for name in REPORT_TABLES}
    return ReportInput(
        suite="glassgsm",
        **tables,
        simulated=frozenset(slugs if scale.simulated else slugs[4:]),
        floor={slug: FloorFigure(55, 4972, 1243, 0.0085, 0.0141) for slug in slugs[:1] if has_labels},
        reliability={slug: ReliabilityFigure(0.724, 0.701, 0.748, 0.831, 1243) for slug in slugs[:1] if has_labels},
        doses_held=DOSES,
        manifest={"glass_pipeline": "0.1.0", "seed": "42", "command": "glass run glassgsm", "revision": "0" * 40},
    )


class _Twin(NamedTuple):
    base_id: str
    twin_id: str
    dose: int
    family: str
    size: int | None
    text: str

    @property
    def text_hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()

    def audit(self, reasons: tuple[str, ...] = ()) -> dict[str, Any]:
        return {
            "base_id": self.base_id,
            "twin_id": self.twin_id,
            "dose": self.dose,
            "family": self.family,
            "entity_collision": "entity_collision" in reasons,
            "gold_number": "gold_number" in reasons,
            "multi_question": False,
            "altered_base": False,
            "unit_compatible": self.size is not None and self.dose == 5,
            "unverifiable_gold": False,
            "adjudicators": ["judge-a"],
            "verdicts": ["contradiction" if "adjudicated" in reasons else "no_op"],
            "rationales": ["The inserted sentence does not change what is asked."],
            "keep": not reasons,
            "reasons": list(reasons),
        }


class _Item:
    """One invented problem with its twins and planted fragility."""

    def __init__(self, scale: Scale, at: int) -> None:
        self.rng = child_rng("report_size", at)
        self.base_id = f"gsm8k-test-{at}"
        self.steps = self.rng.randint(2, 8)
        self.category = self.rng.choice(CATEGORIES)
        self.name, self.friend = self.rng.sample(scale.names, 2)
        self.names = scale.names
        self.gold = str(self.rng.randint(2, 400))
        self.sentences = self._sentences(scale.long_text if at == 0 else 0)
        self.pi = self.rng.betavariate(0.41, 3.0)
        self.pass_rate = 0.97 if self.rng.random() < scale.solve_rate else 0.2
        self.twins = list(self._twins())

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def _sentences(self, least: int) -> list[str]:
        rng, thing = self.rng, self.rng.choice(THINGS)
        sentences = [
            f"{self.name} has {rng.randint(3, 20)} boxes with {rng.randint(3, 30)} {thing} in each of them.",
            f"On Monday {self.name} gives {rng.randint(2, 9)} {thing} to {self.friend}, who already owns some.",
            f"At the {rng.choice(PLACES)} one more box costs ${rng.randint(2, 40)}.",
        ]
        sentences += [self._filler() for _ in range(self.steps // 2)]
        while sum(map(len, sentences)) < least:
            sentences.append(self._filler())
        return [*sentences, f"How many {thing} does {self.name} have left?"]

    def _filler(self) -> str:
        place, other = self.rng.sample(PLACES, 2)
        filler = self.rng.choice(FILLERS)
        return filler.format(place=place, other=other, x=self.rng.randint(2, 400), thing=self.rng.choice(THINGS))

    def _twins(self) -> Iterator[_Twin]:
        for dose in DOSES:
            for number in range(dose):
                family = FAMILIES[number % 3]
                size = (1 if dose < 7 else 3) if family == "math_irrelevant_context" else None
                twin_id = f"{self.base_id}-m{dose}-{family}-{number}"
                yield _Twin(self.base_id, twin_id, dose, family, size, self._reword(family, size))

    def _reword(self, family: str, size: int | None) -> str:
        if family == "entity_rename":
            return self.text.replace(self.name, self.rng.choice(self.names)).replace(self.friend, "Sam")
        body = self.sentences[:-1]
        if family == "sentence_reorder":
            body = self.rng.sample(body, len(body))
        else:
            at = self.rng.randrange(len(body))
            body = [*body[:at], *(self._filler() for _ in range(size or 1)), *body[at:]]
        return " ".join([*body, self.sentences[-1]])

    def problem(self) -> dict[str, Any]:
        return {
            "base_id": self.base_id,
            "text": self.text,
            "gold": self.gold,
            "answer_type": "numeric",
            "gold_solution": self.output(self.gold),
            "category": self.category,
            "level": None,
            "gold_steps": self.steps,
            "declared_complexity": float(self.steps),
            "complexity_score": 0.5,
            "revision": "0" * 40,
            "licence": "MIT",
        }

    def output(self, answer: str) -> str:
        rng = self.rng
        numbers = {key: rng.randint(2, 400) for key in "xyz"}
        steps = rng.choices(STEPS, k=rng.randint(4, 8))
        words = {"thing": rng.choice(THINGS), "place": rng.choice(PLACES), "name": self.friend}
        return "".join(step.format(**numbers, **words) for step in steps) + f"\n#### {answer}"

    def dropped(self, twins: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if self.rng.random() > 0.4:
            return []
        reason = self.rng.choice(("entity_collision", "gold_number", "adjudicated"))
        text = self._reword("math_irrelevant_context", 1)
        twin = _Twin(self.base_id, f"{self.base_id}-dropped", 1, "math_irrelevant_context", 1, text)
        twins.append(
            {
                "base_id": twin.base_id,
                "twin_id": twin.twin_id,
                "dose": 1,
                "family": twin.family,
                "inject_size": 1,
                "operator": f"{twin.family}_m1",
                "text": twin.text,
                "text_hash": twin.text_hash,
                "generator": "rules",
                "edit": "{}",
            }
        )
        return [twin.audit((reason,))]

    def declines(self) -> list[dict[str, Any]]:
        if self.rng.random() > 0.2:
            return []
        reason = self.rng.choice(("fewer than two sentences can move", "no name is sure"))
        return [{"base_id": self.base_id, "dose": dose, "family": FAMILIES[0], "reason": reason} for dose in DOSES]


def _samples(item: _Item, rate: float) -> dict[str, Any]:
    wrong = str(int(item.gold) + item.rng.randint(1, 30))
    # Samples of one question mostly agree, as those of a real solver do.
    is_right = item.rng.random() < rate
    answers = [item.gold if is_right == (item.rng.random() < 0.93) else wrong for _ in range(5)]
    right = answers.count(item.gold)
    return {
        "modal_answer": item.gold if right >= 3 else wrong,
        "n_samples": 5,
        "n_correct": right,
        "answers": answers,
        "rules": ["hash_marks"] * 5,
        "statuses": ["ok"] * 5,
        "outputs": [item.output(answer) for answer in answers],
        "prompt_tokens": 700,
        "completion_tokens": 900,
        "cost_usd": 0.0007,
    }


def _label(item: _Item, slug: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    runs: dict[int, dict[str, Any]] = {}
    for dose in DOSES:
        samples = _samples(item, item.pass_rate)
        runs[dose] = {"y": int(samples["n_correct"] >= 3), **samples}
        key = {"dose": dose, "solver": slug, "base_id": item.base_id, "run_id": f"base/m{dose}"}
        rows["base_labels"].append({**key, "y_base": runs[dose]["y"], **samples})
    solved: dict[str, dict[str, Any]] = {}
    pairs = [_pair(item, slug, twin, runs[twin.dose], solved) for twin in item.twins]
    for twin, pair in zip(item.twins, pairs, strict=True):
        key = {name: pair[name] for name in LABEL_KEY}
        rows["solver_labels"].append({"dose": twin.dose, **key, **solved[twin.text_hash]})
    rows["labeled_pairs"] += pairs
    rows["causal_difficulty"].append(_difficulty(item, slug, pairs, runs))


def _pair(
    item: _Item, slug: str, twin: _Twin, run: dict[str, Any], solved: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    if twin.text_hash not in solved:
        weight = 0.1 if twin.family == "entity_rename" else 1.4
        samples = _samples(item, item.pass_rate * (1 - min(1.0, item.pi * weight)))
        solved[twin.text_hash] = samples
    samples = solved[twin.text_hash]
    y_twin = int(samples["n_correct"] >= 3)
    shared: dict[str, Any] = {
        "solver": slug,
        "base_id": item.base_id,
        "twin_id": twin.twin_id,
        "text_hash": twin.text_hash,
    }
    shared |= {"family": twin.family, "inject_size": twin.size}
    delta = run["y"] - y_twin
    return {
        **shared,
        "operator": twin.family,
        "category": item.category,
        "complexity": "medium",
        "complexity_score": 0.5,
        "declared_complexity": float(item.steps),
        "base_text": item.text,
        "twin_text": twin.text,
        "delta": delta,
        "d_obs": float(delta),
        "d_wc": float(delta),
        "y_base_mean": run["n_correct"] / 5,
        "file_dose": twin.dose,
        "generator": "rules",
        "run_id": f"base/m{twin.dose}",
        "y_base_run": run["y"],
        "n_base_correct": run["n_correct"],
        "n_base": 5,
        "y_twin": y_twin,
        "twin_samples_correct": samples["n_correct"],
        "audit": "{}",
        "gold_steps": item.steps,
        "source_distractor_ids": [],
    }


def _difficulty(item: _Item, slug: str, pairs: list[dict[str, Any]], runs: dict[int, dict[str, Any]]) -> dict[str, Any]:
    y_mean = sum(run["n_correct"] for run in runs.values()) / 25
    eligible = [pair for pair in pairs if pair["y_base_run"]]
    broken = [pair for pair in eligible if not pair["y_twin"]]
    n, k, is_solvable = len(eligible), len(broken), y_mean >= 0.5
    pi = k / n if is_solvable and n else None
    smooth = (k + 0.4) / (n + 3.7)
    families = {
        f"{letter}_{family}": sum(pair["family"] == family for pair in held)
        for family in FAMILIES
        for letter, held in (("n", eligible), ("k", broken))
    }
    return {
        "solver": slug,
        "slice": "pooled",
        "base_id": item.base_id,
        "category": item.category,
        "declared_complexity": float(item.steps),
        "y_base_mean": y_mean,
        "n_base": 25,
        "in_stratum": is_solvable,
        "n": n,
        "k": k,
        "pi": pi,
        "pi_low": None if pi is None else max(0.0, smooth - 1.6 * (smooth * (1 - smooth) / (n + 5)) ** 0.5),
        "pi_high": None if pi is None else min(1.0, smooth + 1.6 * (smooth * (1 - smooth) / (n + 5)) ** 0.5),
        "jeffreys_low": None,
        "jeffreys_high": None,
        "d_avg": sum(pair["delta"] for pair in pairs) / len(pairs),
        "d_wc": max(pair["delta"] for pair in pairs),
        "a": None if pi is None else -2.6 + 4 * smooth,
        "b": None if pi is None else item.rng.gauss(0.1, 0.1),
        "a_inject": None if pi is None else -2.4 + 4 * smooth,
        "b_inject": None if pi is None else item.rng.gauss(0.15, 0.1),
        "crd": None if pi is None else pi - 0.11,
        "always_solved": n - k,
        "breaks": k,
        "repaired": sum(pair["delta"] == -1 for pair in pairs),
        "never_solved": sum(pair["delta"] == 0 and not pair["y_twin"] for pair in pairs),
        **families,
        "doses": list(DOSES),
    }


IN_BROWSER = """async () => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null;
  const settled = (act) => new Promise((done) => {
    const start = performance.now();
    act();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
  });
  const worst = async (acts) => {
    let most = 0;
    for (const act of acts) most = Math.max(most, await settled(act));
    return most;
  };
  const heads = [...document.querySelectorAll("#table thead button")];
  const search = document.querySelector("#filters input");
  const type = (text) => () => { search.value = text; search.dispatchEvent(new Event("input")); };
  return {
    first_paint_ms: paint,
    sort_ms: await worst(heads.flatMap((head) => [() => head.click(), () => head.click()])),
    filter_ms: await worst(["a", "an", "stamps", "stamps harbour", "zzz", ""].map(type)),
    open_ms: await settled(() => document.querySelector("#table tbody a").click()),
  };
}"""


def measure_in_browser(page: Path) -> dict[str, float]:
    """Open the page from disk and time first paint, sorting, filtering and opening an item."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.goto(page.as_uri())
        measured: dict[str, float] = tab.evaluate(IN_BROWSER)
        measured["busiest_act_ms"] = _busiest_act(browser.new_page(viewport={"width": 1440, "height": 900}), page)
        browser.close()
    return measured


ONE_ACT = """(n) => new Promise((done) => {
  const search = document.querySelector("#filters input");
  const type = (text) => () => { search.value = text; search.dispatchEvent(new Event("input")); };
  const clicks = [...document.querySelectorAll("#table thead button")].map((head) => () => head.click());
  const acts = [...clicks.flatMap((click) => [click, click]), ...["a", "stamps", "zzz", ""].map(type)];
  if (n >= acts.length) return done(false);
  acts[n]();
  requestAnimationFrame(() => setTimeout(() => done(true), 0));
})"""


def _busiest_act(tab: Any, page: Path) -> float:
    """Return the most processor time that one sort or filter takes of the page's thread, its drawing included.

    Unlike the time on the clock it does not grow while others use the machine.
    """
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.goto(page.as_uri())

    def spent() -> float:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return 1000 * float(metrics["TaskDuration"])

    most, number, before = 0.0, 0, spent()
    while tab.evaluate(ONE_ACT, number):
        after = spent()
        most, number, before = max(most, after - before), number + 1, after
    return most


def main() -> None:
    """Print what was measured as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1319)
    parser.add_argument("--solvers", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="write the page here")
    options = parser.parse_args()
    given = simulate(Scale(items=options.items, solvers=options.solvers))
    start, busy = time.perf_counter(), time.process_time()
    report = build_report(given)
    built = {"build_s": time.perf_counter() - start, "build_busy_s": time.process_time() - busy}
    with tempfile.TemporaryDirectory() as folder:
        page = options.keep or Path(folder) / "report.html"
        page.write_text(report.html, encoding="utf-8")
        measured = {**built, "size_mb": page.stat().st_size / 1e6, **measure_in_browser(page)}
    print(json.dumps({name: round(value, 2) for name, value in measured.items()}, indent=2))


if __name__ == "__main__":
    main()
