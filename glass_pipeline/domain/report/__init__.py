"""Holds the page people read: a pure function from a suite's tables to HTML, Markdown and a summary.

Never computes an estimand, never fits a model, never touches a file but its own templates.
"""

from glass_pipeline.domain.report.build import Report, build_report
from glass_pipeline.domain.report.inputs import FloorFigure, ReliabilityFigure, ReportInput

__all__ = ["FloorFigure", "ReliabilityFigure", "Report", "ReportInput", "build_report"]
