"""Holds the simulated solver: words the answers that the planted truth gives, sample by sample.

Every draw is seeded from names (study, model, text, draw, sample), so order, sharding and reruns change nothing.
Whatever it touches is labelled simulated. Never sends anything and never reads a clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import AnswerType, Question
from glass_pipeline.domain.seeding import seed_of, unit_interval
from glass_pipeline.llm.asks import Ask, Message
from glass_pipeline.llm.solvers.planted_truth import DEFAULT_WORLD, PlantedWorld, Simulation, truth
from glass_pipeline.llm.solvers.protocol import Exchange, Setting
from glass_pipeline.llm.store import StoredReply

CHUNK = 20_000
"""Replies in one transaction."""
PLAIN_NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,10})?")
FAVOURITE_SHARE = 0.7
"""Share of a text's wrong samples that give its favourite wrong answer."""
LETTERS = "ABCDE"
OPENINGS = ("Working it out step by step.", "Let me add it up.", "First the parts, then the whole.")
NO_ANSWER = "I cannot tell how this should go on."


class Planted:
    """Solver of kind ``planted``."""

    simulated = True
    one_sample_a_request = False

    def __init__(self, setting: Setting, world: PlantedWorld = DEFAULT_WORLD) -> None:
        """Name the simulation after the declared model, if there is one."""
        self.simulation = Simulation(setting.study_seed, setting.solver.model or "planted", world)

    def identity(self) -> Mapping[str, Any]:
        """Return kind and name of the simulated model."""
        return {"kind": "planted", "model": self.simulation.model}

    def parameters(self) -> Mapping[str, Any]:
        """Return the planted truth and the study's seed."""
        return {"world": asdict(self.simulation.world), "study_seed": self.simulation.study_seed}

    def messages(self, question: Question) -> tuple[Message, ...]:
        """Return the question as it stands: a simulation needs no prompt."""
        return (Message("user", question.text),)

    def facts(self, question: Question) -> Mapping[str, Any]:
        """Return what the simulation knows of the item."""
        known = question.facts
        return {
            "answer_type": question.answer_type,
            "base_text": known.base_text,
            "family": known.family,
            "gold": known.gold,
            "inject_size": known.inject_size,
        }

    async def answer(self, asks: Sequence[Ask], exchange: Exchange) -> None:
        """Answer every ask from the planted truth."""
        replies: list[StoredReply] = []
        batch: list[Ask] = []
        for ask in asks:
            batch.append(ask)
            replies.extend(self._replies(ask))
            if len(replies) >= CHUNK:
                await exchange.recorder.keep(batch, replies)
                replies, batch = [], []
        if replies:
            await exchange.recorder.keep(batch, replies)

    def _replies(self, ask: Ask) -> list[StoredReply]:
        question = ask.question
        planted = truth(question.text, question.facts, self.simulation)
        path = (self.simulation.study_seed, "planted", self.simulation.model, text_hash(question.text))
        wrong = wrong_answers(question.facts.gold, question.answer_type, seed_of(*path, "wrong"))
        replies = []
        for key, round_, sample in zip(ask.keys, ask.rounds, ask.samples, strict=True):
            drawn = unit_interval(*path, question.draw, sample, *((round_,) if round_ else ()))
            answer = self._answer(drawn, planted.p_right, question.facts.gold, wrong)
            replies.append(
                StoredReply(
                    key=key,
                    round=round_,
                    request_key=ask.request_key,
                    sample=sample,
                    status="ok",
                    text=worded(answer, question.answer_type, OPENINGS[sample % len(OPENINGS)]),
                    finish_reason="stop",
                )
            )
        return replies

    def _answer(self, drawn: float, p_right: float, gold: str, wrong: Sequence[str]) -> str | None:
        unparsable = self.simulation.world.unparsable
        if drawn < unparsable:
            return None
        rest = (drawn - unparsable) / (1 - unparsable)
        if rest < p_right:
            return gold
        beyond = (rest - p_right) / (1 - p_right)
        return wrong[0] if beyond < FAVOURITE_SHARE else wrong[1]


def wrong_answers(gold: str, answer_type: AnswerType, seed: int) -> tuple[str, str]:
    """Return two different plausible wrong answers, the favourite first.

    Args:
        gold: The right answer.
        answer_type: Decides what is plausible.
        seed: Of the text, so that all its samples share them.
    """
    if answer_type == "choice":
        others = [letter for letter in LETTERS if letter != gold.strip().upper()]
        return others[seed % len(others)], others[(seed + 1) % len(others)]
    if answer_type in {"numeric", "math"} and PLAIN_NUMBER.fullmatch(gold):
        value = Decimal(gold)
        step = 1 + seed % max(2, min(int(abs(value)) // 8, 12))
        up, down = value + step, value - step
        return (str(up), str(down)) if seed >> 8 & 1 or down < 0 else (str(down), str(up))
    if answer_type == "math":
        return f"{gold}+1", f"2\\cdot({gold})"
    return f"not {gold}", f"neither {gold}"


def worded(answer: str | None, answer_type: AnswerType, opening: str) -> str:
    """Return what the simulated solver says."""
    if answer is None:
        return f"{opening} {NO_ANSWER}"
    return f"{opening}\n\\boxed{{{answer}}}" if answer_type == "math" else f"{opening}\n#### {answer}"
