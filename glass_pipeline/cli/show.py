"""Holds ``glass show``: one item in the terminal, and why it broke.

Never prints a text of a data set or a model that could steer the terminal: each has passed ``display_text.visible``,
and none is read as markup.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from glass_pipeline.cli.errors import InputError
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.report.numerals import counted
from glass_pipeline.study import Study, known_suites, settings_from

GROUPS = {
    "broke": ("Broke", "the base was solved, this wording was not"),
    "kept": ("Kept", "both were solved"),
    "repaired": ("Repaired", "the base was not solved in its run, this wording was"),
    "never": ("Never solved", "neither was solved"),
}
STYLES = {"gone": "red strike", "new": "green underline", "same": ""}
PLAIN_MARKS = {"gone": "[-{}-]", "new": "{{+{}+}}", "same": "{}"}
"""Where nothing can be coloured, as ``wdiff`` marks words."""
EXCERPT = 400
"""Characters of an output that are shown unless all is asked for."""


class Line(NamedTuple):
    """A text and how far it stands in."""

    text: Text
    indent: int = 0


class Shown(NamedTuple):
    """What ``glass show`` was asked for."""

    item: str
    suite: str | None = None
    solver: str | None = None
    everything: bool = False
    """Every output of every sample in full."""


def show(asked: Shown, study_file: Path | None, *, as_json: bool) -> None:
    """Print one item: base, twins as word diffs, outputs, statuses, and why each twin broke."""
    study, settings = settings_from(os.environ, study_file)
    item = find(asked, study, Warehouse(settings.warehouse))
    if as_json:
        print(json.dumps(item, ensure_ascii=False, sort_keys=True))
        return
    console = Console(highlight=False, markup=False, emoji=False)
    for line in lines(item, everything=asked.everything, coloured=console.color_system is not None):
        if console.is_terminal:
            console.print(Padding(line.text, (0, 0, 0, line.indent)))
        else:
            # No line of a pipe or a file is cut or wrapped, so that it can be searched.
            print(indent(line.text.plain, " " * line.indent))


def find(asked: Shown, study: Study, warehouse: Warehouse) -> dict[str, Any]:
    """Return the item that was asked for.

    Raises:
        BadInput: no such suite, item or solver; one sentence names what there is.
    """
    from glass_pipeline.defs.item import item_tables, suite_of
    from glass_pipeline.domain.report.assembly import assemble
    from glass_pipeline.domain.report.one_item import one_item

    if asked.suite is not None:
        study.suite(asked.suite)
    suites = (asked.suite,) if asked.suite else known_suites(study, warehouse.suites_present())
    suite = suite_of(asked.item, warehouse, suites)
    tables = item_tables(suite, asked.item, warehouse, asked.solver)
    held = sorted({str(solver) for table in tables.values() if "solver" in table for solver in table["solver"]})
    if asked.solver is not None and not held:
        others = item_tables(suite, asked.item, warehouse)["base_labels"]["solver"].unique().sort().to_list()
        raise InputError(
            f"{asked.solver!r} has not answered {asked.item} of {suite}; {', '.join(others) or 'no solver'} has."
        )
    given = assemble(
        suite,
        tables,
        seed=study.study.seed,
        simulated=study.simulated_solvers,
        doses=study.doses_of(suite),
        manifest={},
        spared={},
    )
    return one_item(given)


def lines(item: dict[str, Any], *, everything: bool, coloured: bool) -> Iterator[Line]:
    """Yield the item as a person reads it.

    Args:
        item: As ``one_item`` returns it.
        everything: All outputs instead of one excerpt a break.
        coloured: Changed words are told by style, else by marks.
    """
    yield Line(Text(f"{item['base_id']} · {item['suite']}", style="bold"))
    facts = {"gold": item["gold"], "category": item["category"], "C": f"{item['declared_complexity']:g}"}
    yield Line(Text(" · ".join(f"{name} {value}" for name, value in facts.items()), style="dim"))
    yield Line(Text())
    yield Line(Text(item["text"]))
    if not item["solvers"]:
        yield Line(Text("\nNo solver has answered it yet."))
    for solver in item["solvers"]:
        yield from _solver(item, solver, everything=everything, coloured=coloured)


def _solver(item: dict[str, Any], solver: dict[str, Any], *, everything: bool, coloured: bool) -> Iterator[Line]:
    name = solver["solver"]
    yield Line(Text())
    yield Line(Text(f"{name} (simulated)" if solver["is_simulated"] else name, style="bold"))
    yield Line(Text(_pi(solver)))
    for run in (run for run in item["runs"] if run["solver"] == name):
        yield Line(Text(f"{'✓' if run['y'] else '✗'} base in run m{run['dose']}: {_score(run)}"), 2)
        yield from _outputs(run, everything=everything, wanted=not run["y"])
    for outcome, (title, meaning) in GROUPS.items():
        twins = [twin for twin in item["twins"] if twin["by"].get(name, {}).get("outcome") == outcome]
        if not twins:
            continue
        yield Line(Text())
        yield Line(Text.assemble((f"{title}: {len(twins)}", "bold"), (f"  {meaning}", "dim")))
        for twin in twins:
            yield from _twin(twin, twin["by"][name], everything=everything, coloured=coloured)


def _pi(solver: dict[str, Any]) -> str:
    n_base = solver["n_base"]
    base = f"base right in {round(solver['y_base_mean'] * n_base)} of {n_base} samples" if n_base else "no base sample"
    if solver["pi"] is None:
        why = "not solvable, so nothing can break" if solver["in_stratum"] is False else "not estimated yet"
        return f"π — ({why}); {base}"
    ends = (solver["pi_low"], solver["pi_high"])
    interval = "" if None in ends else f"; 90 % {ends[0]:.2f}–{ends[1]:.2f}, drawn towards the other items' rates"
    return f"π {solver['pi']:.2f}, {solver['k']} of {counted(solver['n'], 'twin')} broke{interval}; {base}"


def _twin(twin: dict[str, Any], label: dict[str, Any], *, everything: bool, coloured: bool) -> Iterator[Line]:
    mark = "✓" if label["outcome"] in {"kept", "repaired"} else "✗"
    doses = ", ".join(f"m{dose}" for dose in twin["doses"])
    size = f", {counted(twin['size'], 'sentence')}" if twin["size"] else ""
    yield Line(Text.assemble(f"{mark} {twin['family']}{size}, dose {doses}  ", (twin["id"], "dim")))
    yield Line(_marked(twin["diff"], coloured=coloured), 2)
    if "samples" in label:
        yield Line(Text(label.get("why") or _score(label), style="yellow" if label["outcome"] == "broke" else ""), 2)
    if twin["audit"] and (twin["audit"]["flags"] or not twin["audit"]["keep"]):
        yield Line(Text(f"audit: {'; '.join([*twin['audit']['reasons'], *twin['audit']['flags']])}", style="dim"), 2)
    yield from _outputs(label, everything=everything, wanted=label["outcome"] == "broke")


def _marked(diff: list[list[str]], *, coloured: bool) -> Text:
    """Return a word diff; no mark covers the white space after its words."""
    text = Text()
    for kind, run in diff:
        words = run.rstrip()
        text.append(words if coloured else PLAIN_MARKS[kind].format(words) if words else "", style=STYLES[kind])
        text.append(run[len(words) :] or (" " if kind == "gone" else ""))
    return text


def _score(label: dict[str, Any]) -> str:
    odd = Counter(status for status in label["statuses"] if status != "ok")
    statuses = f" ({', '.join(f'{status} {n}' for status, n in sorted(odd.items()))})" if odd else ""
    return f"{label['answer'] or 'no answer'}, {label['correct']} of {label['samples']} right{statuses}"


def _outputs(label: dict[str, Any], *, everything: bool, wanted: bool) -> Iterator[Line]:
    """Yield all outputs, or an excerpt of one that gave the modal answer, which is what decided."""
    outputs = label.get("outputs", [])
    if everything:
        for number, output in enumerate(outputs):
            found = label["answers"][number] or label["statuses"][number]
            yield Line(Text(f"sample {number + 1}: {found} by {label['rules'][number] or 'no rule'}", style="dim"), 2)
            yield Line(Text(output), 4)
    elif wanted and outputs:
        at = label["answers"].index(label["answer"]) if label["answer"] in label["answers"] else 0
        output = outputs[at] if len(outputs[at]) <= EXCERPT else f"…{outputs[at][-EXCERPT:]}"
        yield Line(Text(output, style="dim"), 4)
