"""Holds problems about shares of a hundred: groups at a camp, and prices with a discount.

Never leaves a fraction of a person.
"""

from __future__ import annotations

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_divisor
from glass_pipeline.domain.problems.glassmini.words import CHILD, WARES, article, dollars
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

SHARES = (10, 20, 25, 30, 40, 50, 60, 75)
# Of any multiple of 50 they leave what teams of 2 to 6 divide.
LATER_SHARES = (10, 20, 40, 50, 60)
CAMPS = ("summer camp", "music camp", "science camp", "sports camp", "art camp")
PAIRS = (("swimming", "hiking"), ("pottery", "dancing"), ("archery", "climbing"), ("chess", "drama"))


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 7 steps about percentages."""
    if 2 <= sheet.steps <= 4 and sheet.rng.random() < 0.5:
        _write_discount(sheet)
    else:
        _write_camp(sheet)


def _write_camp(sheet: Worksheet) -> None:
    rng, steps = sheet.rng, sheet.steps
    first, second = rng.choice(PAIRS)
    share = rng.choice(SHARES)
    whole = rng.randint(1, 4) * 200 if steps > 2 else rng.randint(2, 20) * 20
    camp = rng.choice(CAMPS)
    sheet.tell(f"{sheet.who()} runs {article(camp)} {camp} with {sheet.many(whole, CHILD)}.")
    sheet.tell_one_of(
        f"{share}% of the children choose {first}.",
        f"Of the children, {share}% choose {first}.",
    )
    chosen = sheet.percent(share, whole, f"{{}} children choose {first}.")
    if steps == 1:
        sheet.ask(chosen, f"How many children choose {first}?")
        return
    sheet.tell_one_of(f"The rest choose {second}.", f"All the other children choose {second}.")
    rest = int(sheet.minus(whole, chosen, f"{{}} children choose {second}."))
    if steps == 2:
        sheet.ask(rest, f"How many children choose {second}?")
        return
    _continue_camp(sheet, second, rest)


def _continue_camp(sheet: Worksheet, second: str, rest: int) -> None:
    rng, steps = sheet.rng, sheet.steps
    share = rng.choice(LATER_SHARES)
    sheet.tell(f"Of the children who choose {second}, {share}% are new this year.")
    new = sheet.percent(share, rest, f"{{}} of the {second} children are new.")
    if steps == 3:
        sheet.ask(new, f"How many of the {second} children are new this year?")
        return
    old = int(sheet.minus(rest, new, f"{{}} of the {second} children are not new."))
    if steps == 4:
        sheet.ask(old, f"How many of the {second} children are not new this year?")
        return
    size = draw_divisor(rng, old, 2, 6) or old
    sheet.tell(f"Those {second} children who are not new form teams of {sheet.say(size)}.")
    teams = int(sheet.over(old, size, "They form {} teams."))
    if steps == 5:
        sheet.ask(teams, "How many teams do they form?")
        return
    balls = rng.randint(2, 6)
    sheet.tell(f"Every team needs {sheet.say(balls)} flags.")
    needed = int(sheet.times(teams, balls, "They need {} flags."))
    if steps == 6:
        sheet.ask(needed, "How many flags do the teams need in all?")
        return
    owned = rng.randint(1, needed - 1)
    sheet.tell(f"The camp already owns {sheet.say(owned)} {'flag' if owned == 1 else 'flags'}.")
    missing = sheet.minus(needed, owned, "They lack {} flags.")
    sheet.ask(missing, f"How many flags does {sheet.lead.name} still have to buy?")


def _write_discount(sheet: Worksheet) -> None:
    rng, steps = sheet.rng, sheet.steps
    ware = rng.choice([ware for ware in WARES if ware.high >= 12])
    price, share = rng.choice((20, 40, 60, 80)), rng.choice(SHARES[:6])
    name = f"{article(ware.noun.one)} {ware.noun.one}".capitalize()
    sheet.tell(f"{name} at the big store usually costs {dollars(price)}.")
    sheet.tell(f"This week everything in the store is {share}% cheaper.")
    off = sheet.percent(share, price, "The reduction is ${}.")
    reduced = sheet.minus(price, off, f"Now one {ware.noun.one} costs ${{}}.")
    if steps == 2:
        sheet.ask(reduced, f"How much does {sheet.lead.name} pay for one {ware.noun.one} this week?")
        return
    count = rng.randint(2, 6)
    sheet.tell(f"{sheet.who()} buys {sheet.many(count, ware.noun)} this week.")
    bill = sheet.times(count, reduced, f"The {ware.noun.many} cost ${{}}.")
    if steps == 3:
        sheet.ask(bill, f"How much does {sheet.lead.name} pay?")
        return
    _finish_discount(sheet, int(bill))


def _finish_discount(sheet: Worksheet, bill: int) -> None:
    rng = sheet.rng
    note = (bill // 10 + rng.randint(1, 4)) * 10
    sheet.tell(f"{sheet.who()} pays with {dollars(note)} in cash.")
    change = sheet.minus(note, bill, f"{sheet.lead.name} gets back ${{}}.")
    sheet.ask(change, f"How much change does {sheet.lead.name} get?")
