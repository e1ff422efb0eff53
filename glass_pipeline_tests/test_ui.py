"""The Dagster web page and daemon, started by `glass ui` and used in a real browser."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from glass_pipeline.defs.keys import Cell, cells_of
from glass_pipeline.defs.warehouse import Warehouse

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PROJECT = Path(__file__).resolve().parents[1]
SCRIPTS = Path(sys.executable).parent
CHROMIUM = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
STARTS_WITHIN_S = 120
FILLS_WITHIN_S = 420
PAGE_MS = 60_000
SETTLES_MS = 4_000
"""The page asks for what is materialized after it has drawn the graph; a click before that opens nothing."""
DOSE_PARTITIONED = " or ".join(f'key:"mini/{stage}"' for stage in ("twins", "declines", "noop_audit", "multiop_mix"))
DOWN_FROM_TWINS = 'key:"mini/twins"+'
STUDY = """
[study]
adjudicator = "none"
doses = [1, 3]
[suites.mini]
source = "glassmini"
size = 8
[solvers.planted]
kind = "planted"
"""


class Site(NamedTuple):
    """A running web page and where its study lies."""

    url: str
    folder: Path
    environment: dict[str, str]
    warehouse: Warehouse

    def glass(self, *arguments: str) -> None:
        """Run a glass command on the same study."""
        subprocess.run([SCRIPTS / "glass", *arguments], cwd=self.folder, env=self.environment, check=True)

    def has(self, *cells: Cell) -> bool:
        """Whether every cell is on disk."""
        return all(self.warehouse.path(cell).is_file() for cell in cells)


def wait_until(condition: Callable[[], bool], within_s: float, what: str) -> None:
    """Poll until a condition holds."""
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, f"{what}: not within {within_s} s"
        time.sleep(0.5)


def answers(url: str) -> bool:
    """Whether the web page answers and has loaded the graph."""
    try:
        with urlopen(f"{url}/server_info", timeout=5) as reply:
            return reply.status == 200
    except (URLError, OSError):
        return False


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`glass ui` on a tiny study of its own, stopped with Ctrl-C at the end."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "glass.toml").write_text(STUDY)
    (folder / ".dagster").mkdir()
    shutil.copy(PROJECT / "workspace.yaml", folder)
    shutil.copy(PROJECT / ".dagster" / "dagster.yaml", folder / ".dagster")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "GLASS_STUDY": str(folder / "glass.toml"), "DAGSTER_HOME": str(folder / ".dagster")}
    with (folder / "ui.log").open("w") as log:
        process = subprocess.Popen(
            [SCRIPTS / "glass", "ui", "--port", str(port)],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: answers(url), STARTS_WITHIN_S, "the web page")
            yield Site(url, folder, environment, Warehouse(folder / "warehouse"))
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=60)


def test_the_graph_shows_and_materializes_and_a_backfill_fills_the_grid(site: Site, chromium: str) -> None:
    """The graph is drawn, `twins` anchors a backfill launched from it, and job `label` fills the dose-solver grid."""
    from playwright.sync_api import expect, sync_playwright

    site.glass("run", "mini", "--select", "base_problems", "--select", "distractors")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=CHROMIUM)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PAGE_MS)
        materialize_all(page, f"{site.url}/asset-groups~{quote(DOWN_FROM_TWINS, safe='')}/")
        expect(page.get_by_text("mini / twins").first).to_be_visible(timeout=PAGE_MS)
        materialize_all(page, f"{site.url}/asset-groups~{quote(DOSE_PARTITIONED, safe='')}/")
        page.get_by_text("All", exact=True).last.click()
        page.get_by_role("button", name="Launch backfill").click()
        free = [cell for stage in ("twins", "noop_audit", "multiop_mix") for cell in grid(stage)]
        wait_until(lambda: site.has(*free), FILLS_WITHIN_S, "the backfill launched from the page")
        browser.close()

    subprocess.run(
        [SCRIPTS / "dagster", "job", "backfill", "-w", "workspace.yaml", "-j", "label", "--all", "all", "--noprompt"],
        cwd=site.folder,
        env=site.environment,
        check=True,
    )
    labels = [cell for stage in ("base_labels", "solver_labels", "labeled_pairs") for cell in grid(stage)]
    wait_until(lambda: site.has(*labels), FILLS_WITHIN_S, "the backfill of job label")


def materialize_all(page: Page, url: str) -> None:
    """Open a part of the graph and press the button that materializes all of it."""
    page.goto(url)
    for group in ("twins", "audit", "corpus"):
        page.get_by_text(group, exact=True).first.wait_for(timeout=PAGE_MS)
    page.wait_for_timeout(SETTLES_MS)
    page.get_by_role("button", name="Materialize all").click()


def grid(stage: str) -> list[Cell]:
    """Every cell of a stage in this study."""
    return list(cells_of("mini", stage, doses=(1, 3), solvers=("planted",)))
