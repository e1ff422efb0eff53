"""Holds problems about journeys: speed and time, distance left, fuel and what it costs.

Never drives further than the journey is long.
"""

from __future__ import annotations

from typing import NamedTuple

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_divisor, draw_outline
from glass_pipeline.domain.problems.glassmini.words import HOUR, WEEKDAYS, Number, dollars
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about a journey."""
    rng, lead = sheet.rng, sheet.lead
    outline = draw_outline(rng, sheet.steps, most_parts=4, most_extras=3)
    first = rng.randrange(len(WEEKDAYS) - outline.parts + 1)
    drive = _drive_alone if outline.parts == 1 else _drive
    legs = [drive(sheet, day) for day in WEEKDAYS[first : first + outline.parts]]
    distance = int(legs[0] if len(legs) == 1 else sheet.total(legs, "That is {} miles in all."))
    if outline.extras == 0:
        sheet.ask(
            distance,
            f"How many miles does {lead.name} drive?",
            f"How far does {lead.name} drive in total, in miles?",
        )
    elif outline.extras == 1 and rng.random() < 0.5:
        _ask_rest(sheet, distance)
    else:
        _ask_fuel(sheet, distance, outline.extras)


class Leg(NamedTuple):
    """One stretch of road; speed times hours is a multiple of 10, so that some fuel economy divides it."""

    hours: int
    speed: int


def _draw_leg(sheet: Worksheet) -> Leg:
    hours = sheet.rng.randint(2, 5)
    speeds = (30, 35, 40, 45, 50, 55, 60, 65) if hours % 2 == 0 and sheet.steps > 1 else (20, 30, 40, 50, 60)
    return Leg(hours, sheet.rng.choice(speeds))


def _drive(sheet: Worksheet, day: str) -> Number:
    leg, lead = _draw_leg(sheet), sheet.lead.name
    hours = sheet.many(leg.hours, HOUR)
    sheet.tell_one_of(
        f"On {day}, {lead} drives for {hours} at {leg.speed} miles per hour.",
        f"On {day}, {lead} drives at {leg.speed} miles per hour for {hours}.",
    )
    return sheet.times(leg.speed, leg.hours, f"On {day}, {lead} drives {{}} miles.")


def _drive_alone(sheet: Worksheet, day: str) -> Number:
    leg, lead = _draw_leg(sheet), sheet.lead.name
    sheet.tell(f"On {day}, {lead} drives for {sheet.many(leg.hours, HOUR)}.")
    sheet.tell_one_of(
        f"{sheet.who()} keeps a steady speed of {leg.speed} miles per hour.",
        f"{sheet.lead.owner} speed is {leg.speed} miles per hour all the way.",
    )
    return sheet.times(leg.speed, leg.hours, f"{lead} drives {{}} miles.")


def _ask_rest(sheet: Worksheet, distance: int) -> None:
    whole = distance + sheet.rng.randint(2, 30) * 5
    sheet.tell(f"The whole journey is {whole:,} miles long.")
    rest = sheet.minus(whole, distance, "There are {} miles left.")
    sheet.ask(rest, f"How many miles does {sheet.lead.name} still have to drive?")


def _ask_fuel(sheet: Worksheet, distance: int, extras: int) -> None:
    rng, lead = sheet.rng, sheet.lead
    economy = draw_divisor(rng, distance, 20, 40) or 10
    sheet.tell(f"{lead.owner} car goes {economy} miles on each gallon of gas.")
    gallons = sheet.over(distance, economy, "The car needs {} gallons.")
    if extras == 1:
        sheet.ask(gallons, f"How many gallons of gas does {lead.name} use?")
        return
    price = rng.randint(3, 5)
    sheet.tell(f"Gas costs {dollars(price)} per gallon.")
    cost = sheet.times(gallons, price, "The gas costs ${}.")
    if extras == 2:
        sheet.ask(cost, f"How much does {lead.name} spend on gas?", "How many dollars does the gas cost?")
        return
    budget = (int(cost) // 10 + rng.randint(1, 5)) * 10
    sheet.tell(f"{sheet.lead.name} set aside {dollars(budget)} for gas.")
    left = sheet.minus(budget, cost, "There is ${} left.")
    sheet.ask(left, f"How much of that money does {lead.name} have left?")
