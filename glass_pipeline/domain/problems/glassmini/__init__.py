"""The embedded suite: word problems from the project's own seeded generator, with gold by construction.

One file a topic under ``topics``; never holds a sentence of a published benchmark.
"""

from glass_pipeline.domain.problems.glassmini.generator import SPLITS, VERSION, generate

__all__ = ["SPLITS", "VERSION", "generate"]
