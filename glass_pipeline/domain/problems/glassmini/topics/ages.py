"""Holds problems about ages: older, younger, twice as old, the sum in some years.

Never makes anybody older than 90.
"""

from __future__ import annotations

from glass_pipeline.domain.problems.glassmini.topics.comparison import Wording, tell_chain
from glass_pipeline.domain.problems.glassmini.words import YEAR
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

MOST_LINKS = 5
OLDEST = 66


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about ages."""
    rng, steps = sheet.rng, sheet.steps
    start = rng.randint(24, 33) if sheet.lead.is_titled else rng.randint(5, 14)
    sheet.tell(f"{sheet.lead.name} is {sheet.many(start, YEAR)} old.")
    # Beyond the links: 0 asks one age, 1 the sum, 3 the sum in some years (which takes a product and a sum).
    beyond = rng.choice([count for count in (0, 1, 3) if 0 < steps - count <= MOST_LINKS])
    links = steps - beyond
    ages = tell_chain(sheet, _wording(sheet), start, links, free=beyond > 0)
    if not beyond:
        last = sheet.people[links].name
        sheet.ask(ages[-1], f"How old is {last}?", f"How many years old is {last}?")
        return
    now = sheet.total(ages, "Their ages add up to {} years.")
    if beyond == 1:
        sheet.ask(now, "What is the sum of their ages?", "How old are they all together, in years?")
        return
    wait = rng.randint(2, 9)
    gained = sheet.times(len(ages), wait, "Together they gain {} years.")
    later = sheet.total([now, gained], "By then the sum is {} years.")
    sheet.ask(later, f"What will the sum of the ages of all {len(ages)} people be in {sheet.many(wait, YEAR)}?")


def _wording(sheet: Worksheet) -> Wording:
    return Wording(
        more=lambda a, b, gap: f"{a} is {sheet.many(gap, YEAR)} older than {b}.",
        fewer=lambda a, b, gap: f"{a} is {sheet.many(gap, YEAR)} younger than {b}.",
        multiple=lambda a, b, ratio: f"{a} is {ratio} as old as {b}.",
        line=lambda a: f"{a} is {{}} years old.",
        highest=OLDEST,
    )
