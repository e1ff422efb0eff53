"""Holds problems about buying things: quantities and prices, fees, coupons, change, a shared bill.

Never lets anybody pay less than nothing.
"""

from __future__ import annotations

from fractions import Fraction

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_outline
from glass_pipeline.domain.problems.glassmini.words import FRIEND, WARES, Number, Ware, article, dollars
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

MULTIPLICATION_SHARE = 0.7
CENTS_SHARE = 0.25
EASY_PRICE = 12


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about a purchase."""
    rng, lead = sheet.rng, sheet.lead
    if sheet.steps == 1 and rng.random() > MULTIPLICATION_SHARE:
        _write_single_sum(sheet)
        return
    outline = draw_outline(rng, sheet.steps, most_parts=5, most_extras=3)
    cents = sheet.steps > 1 and rng.random() < CENTS_SHARE
    costs = [_buy(sheet, ware, cents, brief=outline.parts > 2) for ware in rng.sample(_wares(sheet), outline.parts)]
    bill = costs[0] if len(costs) == 1 else sheet.total(costs, "All of it costs ${}.")
    is_settled = outline.extras == 3 or (outline.extras > 0 and rng.random() < 0.6)
    for adjust in rng.sample((_add_fee, _take_coupon), outline.extras - is_settled):
        bill = adjust(sheet, bill)
    if is_settled:
        _settle(sheet, bill)
    else:
        sheet.ask(
            bill,
            f"How much does {lead.name} pay in total?",
            f"How many dollars does {lead.name} spend altogether?",
            f"What is the total cost of {lead.owner} shopping in dollars?",
        )


def _wares(sheet: Worksheet) -> tuple[Ware, ...]:
    return WARES if sheet.steps > 1 else tuple(ware for ware in WARES if ware.high <= EASY_PRICE)


def _buy(sheet: Worksheet, ware: Ware, cents: bool, *, brief: bool) -> Number:
    count, price = sheet.rng.randint(2, 9), _price(sheet, ware, cents)
    goods = sheet.many(count, ware.noun)
    one_sentence = f"{sheet.who()} buys {goods} at {dollars(price)} each."
    apart = (
        f"{article(ware.noun.one).capitalize()} {ware.noun.one} costs {dollars(price)}.",
        f"{sheet.who()} buys {goods}.",
    )
    if brief:
        sheet.tell(one_sentence)
    else:
        sheet.tell_one_of(one_sentence, apart, apart)
    return sheet.times(count, price, f"The {ware.noun.many} cost ${{}}.")


def _price(sheet: Worksheet, ware: Ware, cents: bool) -> Number:
    price = sheet.rng.randint(ware.low, ware.high)
    return price + Fraction(sheet.rng.choice((1, 2, 3)), 4) if cents else price


def _add_fee(sheet: Worksheet, bill: Number) -> Number:
    fee = sheet.rng.randint(2, 9)
    sheet.tell_one_of(
        f"The shop charges {dollars(fee)} for delivery.",
        f"Having everything gift-wrapped costs another {dollars(fee)}.",
    )
    return sheet.total([bill, fee], "With the extra charge that is ${}.")


def _take_coupon(sheet: Worksheet, bill: Number) -> Number:
    off = sheet.rng.randint(1, min(10, int(bill) - 1))
    sheet.tell_one_of(
        f"{sheet.who()} has a coupon for {dollars(off)} off the whole order.",
        f"A gift card takes {dollars(off)} off the bill.",
    )
    return sheet.minus(bill, off, "After the reduction it is ${}.")


def _settle(sheet: Worksheet, bill: Number) -> None:
    rng, lead = sheet.rng, sheet.lead
    sharers = [count for count in (2, 3, 4, 5) if (Fraction(bill) / count * 4).denominator == 1]
    if sharers and rng.random() < 0.4:
        people = rng.choice(sharers)
        sheet.tell(f"{sheet.who()} splits the bill equally with {sheet.many(people - 1, FRIEND)}.")
        share = sheet.over(bill, people, f"There are {people} people, so each pays ${{}}.")
        sheet.ask(share, "How much does each person pay?", "How many dollars does each of them pay?")
        return
    note = (int(bill) // 10 + rng.randint(1, 3)) * 10
    sheet.tell_one_of(f"{sheet.who()} pays with {dollars(note)} in cash.", f"{sheet.who()} hands over {dollars(note)}.")
    change = sheet.minus(note, bill, f"{lead.name} gets back ${{}}.")
    sheet.ask(
        change,
        f"How much change does {lead.name} get?",
        f"How many dollars does {lead.name} get back?",
    )


def _write_single_sum(sheet: Worksheet) -> None:
    rng, lead = sheet.rng, sheet.lead
    first, second = rng.sample(_wares(sheet), 2)
    one, other = rng.randint(first.low, first.high), rng.randint(second.low, second.high)
    names = [f"{article(ware.noun.one)} {ware.noun.one}" for ware in (first, second)]
    if rng.random() < 0.5:
        sheet.tell_one_of(
            f"{sheet.who()} buys {names[0]} for {dollars(one)} and {names[1]} for {dollars(other)}.",
            (
                f"{sheet.who()} buys {names[0]} for {dollars(one)}.",
                f"{sheet.who()} also buys {names[1]} for {dollars(other)}.",
            ),
        )
        bill = sheet.total([one, other], "Together that is ${}.")
        sheet.ask(bill, f"How much does {lead.name} spend?", f"How many dollars does {lead.name} pay in all?")
        return
    purse = one + rng.randint(1, 20)
    sheet.tell(f"{sheet.who()} has {dollars(purse)}.", f"{sheet.who()} buys {names[0]} for {dollars(one)}.")
    left = sheet.minus(purse, one, f"{lead.name} has ${{}} left.")
    sheet.ask(left, f"How much money does {lead.name} have left?", f"How many dollars does {lead.name} still have?")
