"""Holds problems about time: minutes a day, lessons, hours, a time budget.

Never reads a clock: the answer is always a length of time.
"""

from __future__ import annotations

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_outline
from glass_pipeline.domain.problems.glassmini.words import DAY, MINUTE, Number
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

ACTIVITIES = (
    ("practices the violin", "Practicing the violin"),
    ("goes jogging", "Jogging"),
    ("reads a novel", "Reading"),
    ("does exercises", "Exercising"),
    ("works in the garden", "Gardening"),
    ("studies Spanish", "Studying Spanish"),
    ("plays chess", "Playing chess"),
    ("draws in a sketchbook", "Drawing"),
    ("rides a bike", "Riding a bike"),
)
CLOCK_SHARE = 0.12
HALF_HOUR = 30


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about time spent."""
    rng, lead = sheet.rng, sheet.lead
    outline = draw_outline(rng, sheet.steps, most_parts=5, most_extras=2)
    if rng.random() < CLOCK_SHARE:
        sheet.tell(f"{sheet.who()} gets up at {rng.randint(5, 8)}:{rng.choice((15, 30, 45))} a.m. every day.")
    spend = _spend_alone if outline.parts == 1 else _spend
    parts = [spend(sheet, *activity) for activity in rng.sample(ACTIVITIES, outline.parts)]
    minutes = int(parts[0] if len(parts) == 1 else sheet.total(parts, "In all that is {} minutes."))
    if outline.extras == 0:
        sheet.ask(
            minutes,
            f"How many minutes does {lead.name} spend on this in total?",
            f"For how many minutes is {lead.name} busy in all?",
        )
    elif outline.extras == 1:
        _ask_with_extra(sheet, minutes)
    elif rng.random() < 0.5:
        _ask_hours(sheet, minutes)
    else:
        _ask_budget(sheet, _rest_break(sheet, minutes, rng.randint(2, 9) * 5))


def _draw_minutes(sheet: Worksheet) -> int:
    return sheet.rng.choice((10, 15, 20, 25, 30, 40)) if sheet.steps == 1 else sheet.rng.randint(3, 15) * 5


def _spend(sheet: Worksheet, verb: str, noun: str) -> Number:
    minutes, days = _draw_minutes(sheet), sheet.rng.randint(2, 7)
    sheet.tell_one_of(
        f"{sheet.who()} {verb} for {minutes} minutes on each of {sheet.many(days, DAY)}.",
        f"On {sheet.many(days, DAY)} of the month, {sheet.lead.name} {verb} for {minutes} minutes.",
    )
    return sheet.times(minutes, days, f"{noun} takes {{}} minutes.")


def _spend_alone(sheet: Worksheet, verb: str, noun: str) -> Number:
    minutes, days = _draw_minutes(sheet), sheet.rng.randint(2, 7)
    sheet.tell(f"{sheet.who()} {verb} on {sheet.many(days, DAY)} of the month.")
    sheet.tell_one_of(f"Each session lasts {minutes} minutes.", f"{noun} takes {minutes} minutes each time.")
    return sheet.times(minutes, days, f"{noun} takes {{}} minutes.")


def _ask_with_extra(sheet: Worksheet, minutes: int) -> None:
    if sheet.rng.random() < 0.5:
        _ask_budget(sheet, minutes)
        return
    longer = _rest_break(sheet, minutes, sheet.rng.randint(2, 9) * 5)
    sheet.ask(longer, f"How many minutes does all of it take {sheet.lead.name}?")


def _rest_break(sheet: Worksheet, minutes: int, pause: int) -> int:
    sheet.tell(f"Packing and unpacking takes {sheet.lead.name} another {sheet.many(pause, MINUTE)} altogether.")
    return int(sheet.total([minutes, pause], "With the packing it is {} minutes."))


def _ask_hours(sheet: Worksheet, minutes: int) -> None:
    # Fill up to a whole or half hour, so that the answer is short.
    pause = HALF_HOUR - minutes % HALF_HOUR
    longer = _rest_break(sheet, minutes, pause + HALF_HOUR * sheet.rng.randint(0, 2))
    hours = sheet.over(longer, 60, "That is {} hours.")
    sheet.ask(hours, f"How many hours does all of it take {sheet.lead.name}?")


def _ask_budget(sheet: Worksheet, minutes: int) -> None:
    budget = minutes + sheet.rng.randint(2, 40) * 5
    sheet.tell(f"{sheet.who()} has set {sheet.many(budget, MINUTE)} aside for all of this.")
    left = sheet.minus(budget, minutes, "There are {} minutes left.")
    sheet.ask(left, f"How many of those minutes does {sheet.lead.name} have left?")
