"""The documentation as the box serves it: everybody can read it, with scripts and without."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from controller.web.pages import manual
from tests.browser.box_thread import BoxThread, serve_box
from tests.browser.node import AXE, NEEDS_PACKAGES
from tests.browser.pages.axe import find_barriers
from tools.site import build

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("sphinx") is None, reason="needs Sphinx: make lanes"),
]

WIDTHS = (320, 1280)
SEARCH = "search.html?q=calibrate"
ALIKE = 3  # of the pages that are made of one template, such as one for each fault, so many are looked at


def names_of(site: Path) -> list[str]:
    """The pages of a site, by their names in it."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


def looked_at(site: Path) -> list[str]:
    """The pages that people have written, and some of each folder of the reference that is generated."""
    written = [name for name in names_of(site) if "/generated/" not in name]
    folders = sorted(path for path in (site / "reference").rglob("*") if path.is_dir())
    generated = [path for folder in folders for path in sorted(folder.glob("*.html"))[:ALIKE]]
    return [*written, *(path.relative_to(site).as_posix() for path in generated), SEARCH]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("docs") / "site"
    assert build(site) == 0
    return site


@pytest.fixture(scope="module")
def box(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoxThread]:
    with pytest.MonkeyPatch.context() as patch, serve_box(tmp_path_factory.mktemp("home")) as box:
        patch.setattr(manual, "SITE", site)
        yield box


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    context = browser.new_context()
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    yield page
    context.close()
    assert not complaints


@pytest.fixture
def unscripted(browser: "Browser") -> Iterator["Page"]:
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.skipif(not AXE.exists(), reason=NEEDS_PACKAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_keeps_anybody_from_a_page(
    box: BoxThread, site: Path, page: "Page", theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    found = {}
    for name in looked_at(site):
        page.goto(f"{box.url}/docs/{name}")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            found[f"{name}, {width}"] = find_barriers(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
    barriers = [f"{name}: {barrier}" for name, several in found.items() for barrier in several]
    assert not barriers, "\n".join(barriers)


def test_the_search_finds_where_a_word_stands(box: BoxThread, page: "Page") -> None:
    page.goto(f"{box.url}/docs")
    page.get_by_role("searchbox").fill("calibrate")
    page.get_by_role("searchbox").press("Enter")
    page.locator("#search-results").get_by_role("link", name="Your first calibration").first.click()

    page.wait_for_url("**/tutorials/first-calibration.html*")
    assert page.get_by_role("heading", level=1).inner_text() == "Your first calibration"


def test_without_scripts_links_lead_to_every_page(box: BoxThread, site: Path, unscripted: "Page") -> None:
    unscripted.goto(f"{box.url}/docs")
    assert not unscripted.get_by_role("searchbox").is_visible()
    unscripted.get_by_role("link", name="All pages").click()
    links = unscripted.locator("main a").evaluate_all("links => links.map(link => link.href)")
    unscripted.get_by_role("link", name="Back up and restore").first.click()

    assert unscripted.get_by_role("heading", level=1).inner_text() == "Back up and restore"
    pages = {f"{box.url}/docs/{name}" for name in names_of(site)}
    assert pages - set(links) == {f"{box.url}/docs/{name}.html" for name in ("index", "search")}


def test_the_keyboard_reaches_the_text_first(box: BoxThread, page: "Page") -> None:
    page.goto(f"{box.url}/docs/howto/install.html")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "page"
