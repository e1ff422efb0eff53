"""The walls of the house: who may import whom, how long an asset body may be, what importing costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import glass_pipeline

PACKAGE = Path(glass_pipeline.__file__).parent
LONGEST_BODY = 15
LONGEST_FILE = 400
DOMAIN_ORDER = (
    "stats",
    "problems",
    "twins",
    "audit",
    "corpus",
    "grading",
    "estimands",
    "reliability",
    "predictors",
    "comparison",
    "synth_cd",
    "arc_lab",
    "report",
)


def imported_by(path: Path) -> set[str]:
    """Names of all modules that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("folder", DOMAIN_ORDER)
def test_a_domain_folder_imports_only_those_before_it(folder: str) -> None:
    """Inside domain, data flows from problems to report and never back."""
    later = DOMAIN_ORDER[DOMAIN_ORDER.index(folder) + 1 :]
    forbidden = {f"glass_pipeline.domain.{name}" for name in later}

    offenders = {
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in (PACKAGE / "domain" / folder).rglob("*.py")
        for name in imported_by(path)
        if any(name == wall or name.startswith(f"{wall}.") for wall in forbidden)
    }
    assert offenders == set()


def test_only_defs_imports_dagster() -> None:
    """Dagster is the shell: nothing but defs and the command that opens its instance knows it."""
    offenders = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(name.split(".")[0] == "dagster" for name in imported_by(path))
        and path.relative_to(PACKAGE).parts[0] != "defs"
    }

    assert offenders == set()


def test_an_asset_body_is_read_call_return() -> None:
    """No asset body has more than fifteen lines, a loop or a regular expression."""
    offenders = []
    for path in (PACKAGE / "defs" / "assets").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any("asset" in ast.unparse(each) for each in node.decorator_list):
                length = (node.end_lineno or 0) - node.body[0].lineno + 1
                loops = any(isinstance(inner, ast.For | ast.While) for inner in ast.walk(node))
                if length > LONGEST_BODY or loops:
                    offenders.append(f"{path.name}:{node.name}")

    assert offenders == []


def test_no_file_outgrows_its_idea() -> None:
    """A file of more than four hundred lines holds a second idea that deserves a room of its own."""
    lengths = {
        str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")
    }

    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    """There is no utils, helpers, common or misc."""
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}

    assert [path for path in PACKAGE.rglob("*.py") if path.stem in vague] == []


def test_help_imports_nothing_heavy() -> None:
    """`glass --help` answers at once: torch, transformers, dagster, polars and aiohttp stay unimported."""
    code = (
        "import sys, contextlib\n"
        "from glass_pipeline.cli import app\n"
        "with contextlib.suppress(SystemExit): app(['--help'])\n"
        "heavy = {'torch', 'transformers', 'dagster', 'polars', 'aiohttp', 'scipy', 'sklearn'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert "HEAVY []" in output


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("glass_pipeline.llm.solve", {"dagster", "torch", "transformers", "openai", "scipy", "sklearn", "math_verify"}),
        ("glass_pipeline.defs.run", {"torch", "transformers", "openai", "scipy.stats", "sklearn", "math_verify"}),
    ],
)
def test_solving_starts_light(module: str, heavy: set[str]) -> None:
    """What computes no statistic loads no part of scipy, and nothing that asks an endpoint loads a neural network."""
    code = f"import sys, {module}; print('HEAVY', sorted({heavy!r} & sys.modules.keys()))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert "HEAVY []" in output


def test_every_module_opens_with_its_charter() -> None:
    """Each module says in its first lines what belongs there."""
    silent = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]

    assert silent == []
