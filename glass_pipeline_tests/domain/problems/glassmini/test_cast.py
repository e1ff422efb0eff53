from __future__ import annotations

import random

from glass_pipeline.domain.problems.glassmini.cast import FEMALE, MALE, draw_people


def test_names_are_listed_once() -> None:
    """No name is in both halves, or both a woman's and a man's."""
    names = [*FEMALE, *MALE]

    assert len(names) == len(set(names))


def test_people_have_their_own_pronouns() -> None:
    """A drawn person bears the pronoun of the list the name is from; a title agrees with it."""
    for seed in range(300):
        lead, *others = draw_people(random.Random(seed), "test", 6)

        assert len({lead.name, *(person.name for person in others)}) == 6
        assert all((person.subject == "she") == (person.name in FEMALE) for person in others)
        if lead.is_titled:
            assert lead.name.split()[0] in ({"Mrs.", "Ms.", "Dr."} if lead.subject == "she" else {"Mr.", "Dr."})
