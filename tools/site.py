"""`make docs`: the site of the documentation, built without a warning, checked, and put where the box serves it.

The links are followed in the built pages, whatever made them: written pages, the generated reference, the theme.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

_ROOT = Path(__file__).parents[1]
_DOCS = _ROOT / "docs"
SERVED = _ROOT / "controller" / "web" / "site"
_UNSERVED = shutil.ignore_patterns(".*", "_sources", "objects.inv", "basic.css", "pygments.css", "*.png")


class _Page(HTMLParser):
    """One built page: its places, where its links lead, and what the content security policy of the box refuses."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.places, self.links, self.refused = path, {"": 0}, list[str](), list[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.places[given["id"]] = self.places.get(given["id"], 0) + 1
        self.links += [given[name] for name in ("href", "src", "action") if name in given]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.refused.append(f"<{tag}>")
        self.refused += [name for name in given if name == "style" or name.startswith("on")]


def find_mistakes(site: Path) -> Iterator[str]:
    """Yield each link of a built site that leads nowhere, each place named twice, each inline style or script."""
    pages = {path: _Page(path) for path in sorted(site.rglob("*.html"))}
    for page in pages.values():
        name = page.path.relative_to(site)
        yield from (f"{name}: two places are named {place}" for place, number in page.places.items() if number > 1)
        yield from (f"{name}: {refused} is refused by the box's content security policy" for refused in page.refused)
        for link in page.links:
            target = urlsplit(link)
            if target.scheme or target.netloc:
                if target.scheme != "https" or "." not in target.netloc:
                    yield f"{name}: {link} is no address of the web by https"
                continue
            file = (page.path.parent / unquote(target.path)).resolve() if target.path else page.path
            if not file.is_file() or not file.is_relative_to(site.resolve()):
                yield f"{name}: {link} leads to no file of the site"
            elif file in pages and unquote(target.fragment) not in pages[file].places:
                yield f"{name}: {link} leads to no place of that page"


def outward_links(site: Path) -> list[str]:
    """Return the addresses outside a built site, each once: nothing follows them, as no test uses the network."""
    links = {link for path in site.rglob("*.html") for link in _Page(path).links}
    return sorted(link for link in links if urlsplit(link).netloc)


def build(target: Path) -> int:
    """Build the site into a new folder; return the exit status of Sphinx, for which a warning is an error."""
    shutil.rmtree(target, ignore_errors=True)
    sphinx = (sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--nitpicky", "--quiet")
    places = ("--doctree-dir", str(target / ".doctrees"), str(_DOCS), str(target))
    return subprocess.run([*sphinx, "--builder", "html", *places], cwd=_ROOT, check=False).returncode  # noqa: S603


def _generate() -> int:
    if find_spec("tools.reference") is None:
        print("The site has no generated reference: there is no tools/reference.")
        return 0
    call = [sys.executable, "-m", "tools.reference", str(_DOCS / "reference" / "generated")]
    return subprocess.run(call, cwd=_ROOT, check=False).returncode  # noqa: S603


def main() -> int:
    """Generate, build, check and serve; return the exit status."""
    site = _DOCS / "_build"
    if status := _generate() or build(site):
        return status
    print("Addresses outside the site, of which only the form is checked:", *outward_links(site), sep="\n  ")
    if mistakes := list(find_mistakes(site)):
        print(*mistakes, sep="\n", file=sys.stderr)
        return 1
    shutil.rmtree(SERVED, ignore_errors=True)
    shutil.copytree(site, SERVED, ignore=_UNSERVED)
    print(f"{len(list(site.rglob('*.html')))} pages in {site.relative_to(_ROOT)}; the box serves them at /docs.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
