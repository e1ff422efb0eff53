"""What Dagster loads: one call of ``build_definitions``, and the graph's only read of the environment."""

from __future__ import annotations

import os

from glass_pipeline.defs.build import build_definitions
from glass_pipeline.study import settings_from

_study, _settings = settings_from(os.environ)
defs = build_definitions(_study, _settings)
