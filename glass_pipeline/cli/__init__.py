"""The ``glass`` command: each subcommand a few lines over a function elsewhere.

Heavy packages are imported inside the commands, so that ``glass --help`` answers at once.
"""

from __future__ import annotations

import sys

from glass_pipeline.cli.app import app
from glass_pipeline.cli.errors import explained


def main() -> None:
    """Run the command line; every expected error becomes one sentence and its exit code."""
    with explained():
        app()
    sys.exit(0)
