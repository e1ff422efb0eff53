"""Holds problems about a garden: area, plants, harvest, bags, what the harvest brings.

Never harvests from a plant that died.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_removal
from glass_pipeline.domain.problems.glassmini.words import CROPS, METER, POUND, Noun, dollars
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

MOST_BAG_POUNDS = 5


class Garden(NamedTuple):
    """How far the year has come: a quantity, and the question that would end here."""

    quantity: int
    question: str


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps that follows a garden through the year."""
    rng = sheet.rng
    crop = rng.choice(CROPS)
    opening = _plant_area if sheet.steps == 8 or rng.random() < 0.5 else _plant_rows
    garden = opening(sheet, crop)
    for season in SEASONS:
        if len(sheet.lines) == sheet.steps:
            break
        garden = season(sheet, crop, garden.quantity)
    sheet.ask(garden.quantity, garden.question)


def _plant_rows(sheet: Worksheet, crop: Noun) -> Garden:
    rows, each = sheet.rng.randint(3, 9), sheet.rng.randint(4, 12)
    sheet.tell_one_of(
        f"{sheet.who()} plants {sheet.say(rows)} rows of {sheet.say(each)} {crop.many} each.",
        (
            f"{sheet.lead.owner} garden has {sheet.say(rows)} rows.",
            f"There are {sheet.say(each)} {crop.many} in every row.",
        ),
    )
    plants = sheet.times(rows, each, f"There are {{}} {crop.many}.")
    return Garden(int(plants), f"How many {crop.many} are there in {sheet.lead.owner} garden?")


def _plant_area(sheet: Worksheet, crop: Noun) -> Garden:
    rng = sheet.rng
    length, width = rng.randint(4, 9), rng.randint(2, 6)
    sides = f"{sheet.many(length, METER)} long and {sheet.many(width, METER)} wide"
    sheet.tell(f"{sheet.lead.owner} garden is a rectangle {sides}.")
    area = sheet.times(length, width, "The garden measures {} square meters.")
    if sheet.steps == 1:
        return Garden(int(area), f"What is the area of {sheet.lead.owner} garden in square meters?")
    density = rng.randint(2, 4)
    sheet.tell(f"There are {sheet.say(density)} {crop.many} on every square meter of it.")
    plants = sheet.times(area, density, f"There are {{}} {crop.many}.")
    return Garden(int(plants), f"How many {crop.many} are there in {sheet.lead.owner} garden?")


def _lose_plants(sheet: Worksheet, crop: Noun, plants: int) -> Garden:
    lost = sheet.rng.randint(2, plants // 3)
    sheet.tell_one_of(
        f"A late frost kills {sheet.many(lost, crop)}.",
        f"Snails destroy {sheet.many(lost, crop)} in the spring.",
    )
    alive = sheet.minus(plants, lost, f"{{}} {crop.many} survive.")
    return Garden(int(alive), f"How many {crop.many} survive?")


def _harvest(sheet: Worksheet, crop: Noun, plants: int) -> Garden:
    each = sheet.rng.randint(2, 5)
    sheet.tell(f"Every surviving {crop.one} yields {sheet.many(each, POUND)} of food.")
    pounds = sheet.times(plants, each, "The harvest is {} pounds.")
    return Garden(int(pounds), f"How many pounds of food does {sheet.lead.name} harvest?")


def _keep_some(sheet: Worksheet, crop: Noun, pounds: int) -> Garden:
    # Every bag size up to five divides what is left, whichever the next season draws.
    kept = draw_removal(sheet.rng, pounds, sheet.rng.randint(2, MOST_BAG_POUNDS), most=max(2, pounds // 4))
    sheet.tell(f"{sheet.who()} keeps {sheet.many(kept, POUND)} of the harvest for the family.")
    rest = sheet.minus(pounds, kept, "There are {} pounds to sell.")
    return Garden(int(rest), f"How many pounds of the harvest can {sheet.lead.name} sell?")


def _fill_bags(sheet: Worksheet, crop: Noun, pounds: int) -> Garden:
    size = sheet.rng.choice([size for size in range(2, MOST_BAG_POUNDS + 1) if pounds % size == 0])
    sheet.tell(f"All the food for sale goes into bags of {sheet.many(size, POUND)}.")
    bags = sheet.over(pounds, size, "That fills {} bags.")
    return Garden(int(bags), f"How many bags does {sheet.lead.name} fill?")


def _sell(sheet: Worksheet, crop: Noun, bags: int) -> Garden:
    price = sheet.rng.randint(3, 9)
    sheet.tell(f"{sheet.who()} sells every bag for {dollars(price)}.")
    income = sheet.times(bags, price, "The bags bring in ${}.")
    return Garden(int(income), f"How many dollars does {sheet.lead.name} get for the bags?")


def _pay_seeds(sheet: Worksheet, crop: Noun, income: int) -> Garden:
    cost = sheet.rng.randint(1, max(1, income // 2))
    sheet.tell(f"Seeds and soil cost {dollars(cost)} at the start of the year.")
    profit = sheet.minus(income, cost, "What is left is ${}.")
    return Garden(int(profit), f"How much money is left for {sheet.lead.name} after paying for seeds and soil?")


SEASONS: tuple[Callable[[Worksheet, Noun, int], Garden], ...] = (
    _lose_plants,
    _harvest,
    _keep_some,
    _fill_bags,
    _sell,
    _pay_seeds,
)
