"""Holds the words that problems are written with: nouns with their plurals, prices, numbers, articles.

Never holds a sentence, and never draws anything at random.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

Number = int | Fraction


class Noun(NamedTuple):
    """A countable noun."""

    one: str
    many: str

    def of(self, count: Number) -> str:
        """Return the form that goes with a count."""
        return self.one if count == 1 else self.many


class Ware(NamedTuple):
    """Something that is sold, with the range of its price in whole dollars."""

    noun: Noun
    low: int
    high: int


def regular(*singulars: str) -> tuple[Noun, ...]:
    """Return nouns whose plural only adds an s."""
    return tuple(Noun(one, f"{one}s") for one in singulars)


def plain(value: Number) -> str:
    """Write an exact value without sign for thousands: 1200, 12.5."""
    if Fraction(value).denominator == 1:
        return str(int(value))
    return f"{float(value):.6f}".rstrip("0")


def dollars(value: Number) -> str:
    """Write an amount of money as a shop would: $3, $2.50, $1,200."""
    return f"${int(value):,}" if Fraction(value).denominator == 1 else f"${float(value):,.2f}"


def article(word: str) -> str:
    """Return the indefinite article that goes with a word of this file."""
    return "an" if word[0].lower() in "aeiou" and not word.startswith(("uni", "uku", "use")) else "a"


NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
TIMES_WORDS = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

FRIEND = Noun("friend", "friends")
HOUR = Noun("hour", "hours")
MINUTE = Noun("minute", "minutes")
DAY = Noun("day", "days")
WEEK = Noun("week", "weeks")
YEAR = Noun("year", "years")
METER = Noun("meter", "meters")
POUND = Noun("pound", "pounds")
CHILD = Noun("child", "children")
GROUP = Noun("group", "groups")

WARES = tuple(
    Ware(Noun(one, many), low, high)
    for one, many, low, high in (
        ("pen", "pens", 1, 4),
        ("notebook", "notebooks", 2, 7),
        ("eraser", "erasers", 1, 3),
        ("umbrella", "umbrellas", 8, 19),
        ("kite", "kites", 6, 18),
        ("mug", "mugs", 4, 12),
        ("candle", "candles", 3, 9),
        ("scarf", "scarves", 7, 20),
        ("puzzle", "puzzles", 6, 16),
        ("tennis ball", "tennis balls", 2, 5),
        ("apron", "aprons", 9, 18),
        ("flower pot", "flower pots", 3, 11),
        ("sandwich", "sandwiches", 4, 9),
        ("ice cream", "ice creams", 2, 6),
        ("orange", "oranges", 1, 3),
        ("loaf of bread", "loaves of bread", 2, 6),
        ("paintbrush", "paintbrushes", 2, 8),
        ("toy car", "toy cars", 3, 9),
        ("poster", "posters", 4, 12),
        ("lamp", "lamps", 12, 30),
        ("pair of socks", "pairs of socks", 3, 8),
        ("book", "books", 5, 15),
        ("water bottle", "water bottles", 6, 14),
        ("cinema ticket", "cinema tickets", 7, 14),
        ("bag of rice", "bags of rice", 3, 9),
        ("basil plant", "basil plants", 2, 6),
        ("cushion", "cushions", 8, 22),
        ("knife", "knives", 6, 18),
        ("photo frame", "photo frames", 5, 14),
        ("envelope", "envelopes", 1, 2),
    )
)

COLLECTIBLES = (
    *regular("stamp", "marble", "sticker", "seashell", "coin", "button", "postcard", "badge", "acorn", "magnet"),
    *regular("trading card", "comic book", "key ring", "toy dinosaur", "glass bead", "fossil", "old map"),
    Noun("toy bus", "toy buses"),
    Noun("feather", "feathers"),
    Noun("music box", "music boxes"),
)

CONTAINERS = (
    Noun("box", "boxes"),
    Noun("bag", "bags"),
    Noun("basket", "baskets"),
    Noun("crate", "crates"),
    Noun("tray", "trays"),
    Noun("packet", "packets"),
)

CONTENTS = (
    *regular(
        "apple",
        "pencil",
        "muffin",
        "lemon",
        "crayon",
        "cupcake",
        "tangerine",
        "plum",
        "onion",
        "egg",
        "cookie",
    ),
    *regular(
        "carrot",
        "ribbon",
        "tea bag",
        "balloon",
        "paper lantern",
        "walnut",
        "dumpling",
        "ornament",
        "bread roll",
    ),
    Noun("peach", "peaches"),
    Noun("tomato", "tomatoes"),
    Noun("strawberry", "strawberries"),
    Noun("radish", "radishes"),
)

CROPS = (
    Noun("tomato plant", "tomato plants"),
    Noun("pepper plant", "pepper plants"),
    Noun("strawberry plant", "strawberry plants"),
    Noun("cucumber plant", "cucumber plants"),
    Noun("bean plant", "bean plants"),
    Noun("pumpkin vine", "pumpkin vines"),
    Noun("eggplant bush", "eggplant bushes"),
)

BAKES = (
    *regular("cookie", "muffin", "scone", "bread roll", "cupcake", "pretzel", "almond tart", "oatcake", "bagel"),
    Noun("brownie", "brownies"),
    Noun("pastry", "pastries"),
)
