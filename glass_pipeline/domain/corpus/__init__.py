"""Holds the corpus: which audited twins make a mix, labelled pairs, and the files that carry them.

Never labels anything, and never opens a file.
"""

from __future__ import annotations

from glass_pipeline.domain.corpus.labeled_pairs import build_labeled_pairs
from glass_pipeline.domain.corpus.mix import draw_mix

__all__ = ["build_labeled_pairs", "draw_mix"]
