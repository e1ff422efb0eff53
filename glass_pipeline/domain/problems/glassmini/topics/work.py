"""Holds problems about earning: hourly pay, several jobs, tips, expenses, weeks.

Never spends more than was earned.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_outline
from glass_pipeline.domain.problems.glassmini.words import HOUR, WEEK, Number, dollars
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet


class Week(NamedTuple):
    """How a sentence says when: at its beginning, and at its end."""

    first: str
    last: str


EVERY_WEEK, THIS_WEEK = Week("Each week", "a week"), Week("This week", "this week")
JOBS = (
    ("walking dogs", 8, 15),
    ("tutoring", 15, 30),
    ("babysitting", 9, 16),
    ("washing cars", 7, 14),
    ("raking leaves", 6, 12),
    ("delivering newspapers", 8, 13),
    ("helping in the library", 9, 15),
    ("painting fences", 10, 20),
    ("repairing bicycles", 11, 22),
)
HALF_DOLLAR_SHARE = 0.2
EASY_PAY = 12


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about pay."""
    rng, lead = sheet.rng, sheet.lead
    outline = draw_outline(rng, sheet.steps, most_parts=4, most_extras=3)
    chosen = sorted(rng.sample(range(len(EXTRAS)), outline.extras))
    week = EVERY_WEEK if EXTRAS.index(_repeat) in chosen else THIS_WEEK
    pay = [_job(sheet, job, week) for job in rng.sample(JOBS, outline.parts)]
    earned = pay[0] if len(pay) == 1 else sheet.total(pay, f"In one week {lead.name} earns ${{}}.")
    for place in chosen:
        earned = EXTRAS[place](sheet, earned)
    saves = EXTRAS.index(_spend) in chosen
    verb = "have left" if saves else "earn in all"
    sheet.ask(
        earned,
        f"How much money does {lead.name} {verb}?",
        f"How many dollars does {lead.name} {verb}?",
    )


def _job(sheet: Worksheet, job: tuple[str, int, int], week: Week) -> Number:
    rng = sheet.rng
    task, low, high = job
    hours = rng.randint(2, 9)
    pay: Number = rng.randint(low, high if sheet.steps > 1 else max(low, EASY_PAY))
    if sheet.steps > 1 and rng.random() < HALF_DOLLAR_SHARE:
        pay += Fraction(1, 2)
    worked = sheet.many(hours, HOUR)
    sheet.tell_one_of(
        f"{sheet.who()} earns {dollars(pay)} an hour for {task} and does it for {worked} {week.last}.",
        (
            f"{sheet.who()} earns {dollars(pay)} an hour for {task}.",
            f"{week.first}, {sheet.lead.name} spends {worked} {task}.",
        ),
    )
    return sheet.times(hours, pay, f"{task.capitalize()} brings in ${{}} {week.last}.")


def _repeat(sheet: Worksheet, earned: Number) -> Number:
    weeks = sheet.rng.randint(2, 6)
    sheet.tell(f"{sheet.who()} keeps this up for {sheet.many(weeks, WEEK)}.")
    return sheet.times(earned, weeks, f"In {weeks} weeks that is ${{}}.")


def _add_tips(sheet: Worksheet, earned: Number) -> Number:
    tips = sheet.rng.randint(5, 40)
    sheet.tell_one_of(
        f"{sheet.who()} also gets {dollars(tips)} in tips during that time.",
        f"A neighbor adds a single bonus of {dollars(tips)}.",
    )
    return sheet.total([earned, tips], "With the addition it is ${}.")


def _spend(sheet: Worksheet, earned: Number) -> Number:
    spent = sheet.rng.randint(2, max(3, int(earned) // 2))
    sheet.tell_one_of(
        f"{sheet.lead.name} spends {dollars(spent)} of the money on a birthday present.",
        f"A new pair of boots costs {sheet.lead.name} {dollars(spent)} of it.",
    )
    return sheet.minus(earned, spent, "What remains is ${}.")


EXTRAS = (_repeat, _add_tips, _spend)
