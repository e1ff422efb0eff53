"""Holds the sentence that says why a question was marked wrong: what was answered, what is right, how it was read.

Never marks anything: the label it explains was decided by ``grading``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from glass_pipeline.domain.report.numerals import listed

STATUS_WORDS = {
    "length": "cut off at the token limit",
    "content_filter": "stopped by a content filter",
    "refusal": "refused",
    "unparsed": "without a readable answer",
    "ambiguous": "with two different answers",
    "empty": "empty",
}


def break_reason(gold: str, label: Mapping[str, Any]) -> str:
    """Return why the samples of one label did not give the gold answer.

    Args:
        gold: Gold answer.
        label: A label as ``item_details`` holds it: ``answer`` (modal), ``correct``, ``samples``, ``answers``,
            ``rules`` and ``statuses``, each list one entry a sample.
    """
    samples, modal, answers = label["samples"], label["answer"], label["answers"]
    lost = Counter(status for status in label["statuses"] if status != "ok")
    without = listed([f"{n} of {samples} {STATUS_WORDS.get(status, status)}" for status, n in lost.most_common()])
    if modal is None:
        return f"no answer, gold is {gold}: {without or 'no sample has one'}"
    votes = answers.count(modal)
    rules = Counter(rule for answer, rule in zip(answers, label["rules"], strict=False) if answer == modal)
    parts = [f"{votes} of {samples} answered {modal}, gold is {gold}"]
    parts += [f"found by {listed([rule or 'no rule' for rule, _ in rules.most_common()])}"] if rules else []
    parts += [without] if without else []
    if label["correct"]:
        parts.append(f"{label['correct']} of {samples} right")
    return "; ".join(parts)
