"""Holds the parts of the report, one a module, in the order in which they are read.

Never holds how a part looks. A new part is one module with ``section(evidence) -> Section`` and one line here.
"""

from __future__ import annotations

from collections.abc import Callable

from glass_pipeline.domain.report.blocks import Section
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.sections import (
    audit,
    beyond_difficulty,
    break_rates,
    budgets,
    dose_response,
    figures,
    items,
    limits,
    manifest,
    predictors,
    published_values,
    specimens,
    spending,
    verdict,
)

SECTIONS: tuple[Callable[[Evidence], Section], ...] = (
    verdict.section,
    figures.section,
    break_rates.section,
    specimens.section,
    items.section,
    dose_response.section,
    budgets.section,
    beyond_difficulty.section,
    predictors.section,
    audit.section,
    spending.section,
    published_values.section,
    limits.section,
    manifest.section,
)
