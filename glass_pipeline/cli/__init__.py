"""The ``glass`` command: each subcommand a few lines over a function elsewhere.

Heavy packages are imported inside the commands, so that ``glass --help`` answers at once.
"""

from __future__ import annotations

import gc
import sys

from glass_pipeline.cli.app import app
from glass_pipeline.cli.errors import explained

COLLECT_AFTER = (100_000, 20, 50)
"""Objects made before the cyclic garbage collector looks for what nobody holds; Python's 700 took a fifth of a run."""


def main() -> None:
    """Run the command line; every expected error becomes one sentence and its exit code."""
    gc.set_threshold(*COLLECT_AFTER)
    with explained():
        app()
    sys.exit(0)
