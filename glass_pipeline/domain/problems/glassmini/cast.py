"""Holds the people of the problems: names, pronouns, titles.

Never holds a name in both splits: a sentence of ``glassmini/train`` that is spliced into a problem of
``glassmini/test`` can therefore never speak of somebody who is already there.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

TITLED_SHARE = 0.08

# Some are also words, months or coins (Rose, May, Mark, Will, Penny): a trap for naive renaming.
FEMALE = (
    "Mia", "Ana", "Grace", "Rose", "May", "June", "Hope", "Faith", "Penny", "Daisy", "Ruby", "Summer",
    "Joy", "Lily", "Amara", "Beatriz", "Chloe", "Dalia", "Elena", "Fatima", "Greta", "Hana", "Ingrid",
    "Jasmine", "Keiko", "Leila", "Maeve", "Nadia", "Olivia", "Priya", "Quinn", "Renata", "Sofia",
    "Tamsin", "Uma", "Valentina", "Wanda", "Ximena", "Yara", "Zoe", "April", "Ivy", "Alice", "Bianca",
    "Carmen", "Delphine", "Esther", "Fiona", "Gloria", "Helga", "Irene", "Josephine", "Katya", "Lucia",
    "Marta", "Noor", "Odette", "Paloma", "Rosalind", "Saskia", "Thandi", "Vera", "Willa", "Zainab",
)  # fmt: skip
MALE = (
    "Leo", "Ben", "Mark", "Will", "Bill", "Jack", "Frank", "Art", "Drew", "Chase", "Rich", "Grant", "Rob",
    "Pat", "Ahmed", "Boris", "Carlos", "Diego", "Emil", "Felix", "George", "Hugo", "Ivan", "James",
    "Kofi", "Liam", "Mateo", "Niko", "Omar", "Pavel", "Quentin", "Ravi", "Samuel", "Tomas", "Umar",
    "Victor", "Walter", "Xavier", "Yusuf", "Zane", "Miles", "Reed", "Aaron", "Bruno", "Caleb", "Dmitri",
    "Enzo", "Farid", "Gareth", "Henrik", "Isaac", "Jonas", "Kenji", "Luca", "Malik", "Nathan", "Oscar",
    "Pedro", "Rafael", "Stefan", "Theo", "Vikram", "Wesley", "Zachary",
)  # fmt: skip
SURNAMES = (
    "Alvarez", "Okafor", "Lindqvist", "Baker", "Young", "Fields", "Tanaka", "Novak", "Price", "Stone",
    "O'Brien", "Haddad", "Moreau", "Singh", "Kowalski", "Brooks",
)  # fmt: skip
TITLES = {"she": ("Mrs.", "Ms.", "Dr."), "he": ("Mr.", "Mr.", "Dr.")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody in a problem, always called by the same name and the same pronouns."""

    name: str
    subject: str
    """``she`` or ``he``."""
    is_titled: bool = False
    """True for Mrs., Ms., Mr. and Dr.: an adult."""

    @property
    def owner(self) -> str:
        """The name in the genitive."""
        return f"{self.name}'s"


def draw_people(rng: random.Random, split: str, count: int) -> tuple[Person, ...]:
    """Draw people with different names, the first of whom may bear a title.

    Args:
        rng: The problem's own generator.
        split: ``test`` or ``train``: each has its own half of the names.
        count: How many.
    """
    half = 0 if split == "test" else 1
    pool = [(name, "she") for name in FEMALE[half::2]] + [(name, "he") for name in MALE[half::2]]
    people = [Person(name=name, subject=subject) for name, subject in rng.sample(pool, count)]
    if rng.random() < TITLED_SHARE:
        title, surname = rng.choice(TITLES[people[0].subject]), rng.choice(SURNAMES[half::2])
        people[0] = Person(name=f"{title} {surname}", subject=people[0].subject, is_titled=True)
    return tuple(people)
