"""The pages in a folder: written, and those of an earlier call that are no longer made removed."""

from collections.abc import Mapping
from pathlib import Path

# Of the pages that the last call wrote: nothing else in the folder is touched.
_LIST = ".pages"


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Write every page by its path below `folder`, and remove those that an earlier call wrote and that are gone."""
    for gone in sorted(_written(folder) - pages.keys()):
        (folder / gone).unlink(missing_ok=True)
        _remove_empty((folder / gone).parent, folder)
    for name, page in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, "utf-8")
    (folder / _LIST).write_text("".join(f"{name}\n" for name in sorted(pages)), "utf-8")


def _written(folder: Path) -> set[str]:
    """Return the pages that the last call wrote. A name that leads out of the folder is none of them."""
    listed = folder / _LIST
    names = listed.read_text("utf-8").splitlines() if listed.exists() else []
    return {name for name in names if (folder / name).resolve().is_relative_to(folder.resolve())}


def _remove_empty(below: Path, folder: Path) -> None:
    """Remove a folder in which nothing is left, and those above it up to `folder`."""
    while below != folder and below.is_dir() and not any(below.iterdir()):
        below.rmdir()
        below = below.parent
