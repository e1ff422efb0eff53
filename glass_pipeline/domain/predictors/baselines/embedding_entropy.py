"""Holds Embedding Entropy: how evenly a base and its twins resemble one another.

Never trains the vectors on labels.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.signal import SignalBaseline, twin_texts, unit
from glass_pipeline.domain.predictors.jobs import JobSet

Floats = NDArray[np.float64]
SMALLEST = 1e-10


class EmbeddingEntropy(SignalBaseline):
    """Entropy of the row-softmaxed cosine matrix of base and twins, over ln N, calibrated.

    H grows with the number of texts N, hence the division; a job without twins has 1.

    Source: methods §7.1.
    """

    name = "embedding entropy"

    def signal(self, jobs: JobSet) -> Floats:
        """Return H / ln N of each job."""
        groups = [[base, *twins] for base, twins in zip(jobs.texts, twin_texts(jobs), strict=True)]
        vectors = self.featurizer.transform([text for group in groups for text in group])
        ends = np.cumsum([len(group) for group in groups])[:-1]
        return np.array([_relative(own) for own in np.split(vectors, ends)], dtype=np.float64)


def embedding_entropy(vectors: Floats) -> float:
    """Return H = -(1/N) sum P log(P + 1e-10), P the row softmax of the cosines of N vectors.

    Args:
        vectors: Shape ``[N, d]``.

    Source: methods §7.1.
    """
    x = unit(vectors)
    p = scipy.special.softmax(x @ x.T, axis=1)
    return float(-(p * np.log(p + SMALLEST)).sum() / len(x))


def _relative(vectors: Floats) -> float:
    return embedding_entropy(vectors) / np.log(len(vectors)) if len(vectors) > 1 else 1.0
