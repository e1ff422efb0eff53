"""Holds Prompt Clarity: likeness of a base and its twins, by cosine as published for this task, or by divergence.

Never trains the vectors on labels.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.signal import SignalBaseline, mean_cosines, twin_texts
from glass_pipeline.domain.predictors.features.surface import WORD
from glass_pipeline.domain.predictors.jobs import JobSet

UNSEEN = 2e-10
"""Probability of a word that the variant lacks. The published numbers add the constant 1e-10 twice: once for the
unseen word, once under the logarithm."""


class PromptClarity(SignalBaseline):
    """mean_T cos(e_J, e_T), calibrated.

    Source: methods §7.
    """

    name = "prompt clarity"

    def signal(self, jobs: JobSet) -> NDArray[np.float64]:
        """Return the mean cosine of each job's twins."""
        return mean_cosines(self.featurizer, jobs)


class KlClarity(SignalBaseline):
    """Mean of the non-zero divergences of a job's twins from its base, calibrated.

    Source: methods §7.1.
    """

    name = "prompt clarity (kl)"

    def signal(self, jobs: JobSet) -> NDArray[np.float64]:
        """Return the mean divergence of each job's twins."""
        pairs = zip(jobs.texts, twin_texts(jobs), strict=True)
        return np.array([mean_divergence(base, twins) for base, twins in pairs], dtype=np.float64)


def divergence(base: str, variant: str) -> float:
    """Return KL(base || variant) of the texts' unigrams, words unseen in the variant at probability 2e-10.

    It is 0 for a pure reordering.

    Source: methods §7.1.
    """
    p, q = (Counter(word.lower() for word in WORD.findall(text)) for text in (base, variant))
    words, others = p.total(), max(q.total(), 1)
    return sum(
        count / words * math.log(count / words / (q[word] / others if q[word] else UNSEEN)) for word, count in p.items()
    )


def mean_divergence(base: str, variants: Sequence[str]) -> float:
    """Return the mean of the non-zero divergences; 0 if there is none."""
    scores = [score for variant in variants if abs(score := divergence(base, variant)) > 1e-12]
    return sum(scores) / len(scores) if scores else 0.0
