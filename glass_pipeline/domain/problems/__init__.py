"""Problems: what the rows of a source become, their declared complexity, and the project's own generator.

Never reads a file or the network (see ``glass_pipeline.llm.sources``), and never rewords a problem.
"""

from glass_pipeline.domain.problems.complexity import complexity_label
from glass_pipeline.domain.problems.glassmini import generate
from glass_pipeline.domain.problems.item import SourceError
from glass_pipeline.domain.problems.parsing import parse_problems

__all__ = ["SourceError", "complexity_label", "generate", "parse_problems"]
