"""The pages tell the truth about the tree: its folders, its files, and the names in them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.together import together
from tests.test_house import CACHES, ROOMS, ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if not {"_build", "generated"} & {*path.parts}),
    ROOT / "hardware/README.md",
    ROOT / "tools/training/README.md",
]
README = (ROOT / "README.md").read_text("utf-8")
HOPS = re.findall(
    r"^\d+\. .*$", README.partition("### From main() to a tile moving")[2].partition("###")[0], re.MULTILINE
)
PLACES = re.compile(r"`((?:controller|firmware|vision|hardware|tests|docs|systemd|tools)/[\w./-]*)`(?: `([\w.]+)`)?")


def defined_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def told_tree() -> Iterator[str]:
    """Every path of the tree in the README: names end at two spaces, and what follows says what they are."""
    folder = "controller/"
    for line in README.partition("\n```\ncontroller/\n")[2].partition("\n```")[0].splitlines():
        names = line.strip().partition("  ")[0].split()
        if line.startswith(" "):
            yield from (f"{folder}{name}" for name in names)
        else:
            [folder] = names
            yield folder


def test_the_tree_in_the_readme_is_the_tree_on_disk() -> None:
    told = ["controller/", *told_tree()]
    left_out = CACHES | {"__init__.py", "py.typed"}
    paths = [path for room in ROOMS for path in (ROOT / room).iterdir() if path.name not in left_out]
    missing = {f"{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}" for path in paths} - set(told)

    assert not missing
    assert not [each for each in told if not (ROOT / each).exists() or each.endswith("/") != (ROOT / each).is_dir()]


@together("page", PAGES)
def test_every_file_that_a_page_names_is_there_and_has_what_it_says(page: Path) -> None:
    for place, name in PLACES.findall(page.read_text("utf-8")):
        assert (ROOT / place).exists(), place
        if name and place.endswith(".py"):
            assert name.split(".")[-1] in defined_in(ROOT / place), f"{place} {name}"


def test_from_main_to_a_tile_moving_there_are_eleven_hops() -> None:
    assert [int(hop.partition(".")[0]) for hop in HOPS] == list(range(1, 12))
    assert all(PLACES.search(hop) for hop in HOPS)
