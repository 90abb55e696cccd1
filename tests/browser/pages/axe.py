"""axe-core, the judge of accessibility, called inside a page."""

from typing import TYPE_CHECKING, Any

from tests.browser.node import AXE

if TYPE_CHECKING:
    from playwright.sync_api import Page

# All that WCAG 2.2 asks for up to AA, and what axe-core's authors hold to be good practice.
_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def find_barriers(page: "Page") -> list[str]:
    """What keeps people from this page as it is now, one line for each rule that it breaks."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    options = {"runOnly": list(_RULES), "resultTypes": ["violations"]}
    found: list[dict[str, Any]] = page.evaluate(
        "options => axe.run(options).then(({violations}) => violations)", options
    )
    return [f"{each['id']}: {each['help']}: {_places(each['nodes'])}" for each in found]


def _places(nodes: list[dict[str, Any]]) -> str:
    return "; ".join(" ".join(map(str, node["target"])) for node in nodes)
