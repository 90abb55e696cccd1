"""The site of the documentation: Sphinx with MyST, in the colours of the box's own pages (`make docs`)."""

import os
import re
from importlib.metadata import version as version_of
from pathlib import Path

from sphinx.application import Sphinx

_DOCS = Path(__file__).parent
_ROOT = _DOCS.parent
# Files beside the docs that the site includes, by the page that does so.
_INCLUDED = {
    "CONTRIBUTING.md": "howto/contribute.md",
    "README.md": "explanation/rooms.md",
    "SECURITY.md": "explanation/security.md",
    "hardware/README.md": "howto/build/electric.md",
}

project = "shutbox"
author = "the authors of shutbox"
version = release = version_of("shutbox")
language = "en"
extensions = ["myst_parser"]
exclude_patterns = ["_build", "samples", "theme"]
myst_heading_anchors = 4
highlight_language = "none"
nitpicky = True
smartquotes = False

html_theme = "theme"
html_theme_path = ["."]
html_title = "shutbox"
html_static_path = [f"../controller/web/pages/static/{name}" for name in ("base.css", "icon.svg")]
html_favicon = "../controller/web/pages/static/icon.svg"
html_use_index = False
html_copy_source = False
html_show_copyright = False
html_permalinks = False

_LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
_TO_GENERATED = re.compile(r"\[([^]]*)\]\(/reference/generated/[^)\s]*\)")
_EMPTY_HEAD = re.compile(r"<th[^>]*>(<p></p>)?</th>")
_GENERATED = "generated/index"  # made by tools.reference
_PICTURES = (".svg", ".webp", ".jpg")


def _from_docs(text: str, folder: Path) -> str:
    """Return a Markdown text whose links count from docs, wherever they stood.

    Only a picture may lie elsewhere: any other link out of the site leads nowhere, and MyST warns of it. A site without
    the generated reference has the words of the links into it.
    """

    def lead(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / link[2])).relative_to(_ROOT).as_posix()
        page = _INCLUDED.get(target, target.removeprefix("docs/"))
        outside = page == target and target.endswith(_PICTURES) and not (_DOCS / page).exists()
        return f"{link[1]}/{'../' if outside else ''}{page}{link[3]}"

    led = _LINK.sub(lead, text)
    return led if _is_generated() else _TO_GENERATED.sub(r"\1", led)


def _is_generated() -> bool:
    return (_DOCS / "reference" / _GENERATED).with_suffix(".md").exists()


def _read_page(_app: Sphinx, page: str, text: list[str]) -> None:
    if page == "reference/index" and not _is_generated():
        text[0] = text[0].replace(f"{_GENERATED}\n", "")
    text[0] = _from_docs(text[0], (_DOCS / page).parent)


def _read_included(_app: Sphinx, path: Path, _page: str, text: list[str]) -> None:
    text[0] = _from_docs(text[0], (_DOCS / path).resolve().parent)


def _let_keyboards_scroll(_app: Sphinx, _page: str, _template: str, context: dict[str, object], _tree: object) -> None:
    """Put each table into a frame of its own, which scrolls where it is narrow: by the keyboard as well.

    An empty corner of a table is no heading of anything.
    """
    if isinstance(body := context.get("body"), str):
        frame = '<div class="scroll" tabindex="0" role="group" aria-label="Table">'
        body = _EMPTY_HEAD.sub("<td></td>", body)
        body = body.replace("<table", f"{frame}<table").replace("</table>", "</table></div>")
        context["body"] = body.replace("<pre>", '<pre tabindex="0">')


def setup(app: Sphinx) -> None:
    """Have links counted and tables framed."""
    app.connect("source-read", _read_page)
    app.connect("include-read", _read_included)
    app.connect("html-page-context", _let_keyboards_scroll)
