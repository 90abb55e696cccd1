"""Rules of the house that the import contracts cannot express. Each test collects every offence before it fails."""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("hardware", "firmware", "vision", "controller")
SOURCES = sorted(path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))
AREAS = sorted({path.parent for path in SOURCES})
MOST_NAMES = {"controller": 18, "firmware": 17, "vision": 17, "hardware": 20}
MOST_LINES = 450
# Packages and single modules of the controller that import one another: what a newcomer has to keep in mind.
MOST_ARROWS = 75
CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache"}


def source_of(path: Path) -> str:
    return (ROOT / path).read_text("utf-8")


def tree_of(path: Path) -> ast.Module:
    """Parse a file; no tree is kept, since what they hold of memory costs more time than parsing again."""
    return ast.parse(source_of(path))


def files_in(area: Path) -> list[Path]:
    """The files of a room or folder, without those of the folders in it."""
    return [path for path in SOURCES if path.parent == area]


def module_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in SOURCES}


def statements_in(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Every statement of a block and of the blocks in it; no expressions, which are most of a tree."""
    for statement in block:
        yield statement
        for part in ("body", "orelse", "finalbody"):
            yield from statements_in(getattr(statement, part, []))
        for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from statements_in(inner.body)


@cache
def imports(path: Path) -> tuple[tuple[str, str], ...]:
    """Every module that a file imports from, with the name that it takes: at the top, late, or for types alone."""
    found: list[tuple[str, str]] = []
    for node in statements_in(tree_of(path).body):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            found += ((alias.name, "") for alias in node.names)
    return tuple(found)


def imported_modules(path: Path) -> set[str]:
    """The modules of this project that a file imports."""
    asked = {f"{module}.{name}" if f"{module}.{name}" in MODULES else module for module, name in imports(path)}
    return asked & MODULES.keys()


@cache
def names_defined_in(module: str) -> frozenset[str]:
    """The names that a module makes itself, rather than importing them."""
    found: set[str] = set()
    for node in statements_in(tree_of(MODULES[module]).body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return frozenset(found)


def test_a_package_holds_a_docstring_and_nothing_else() -> None:
    folders = [path for path in SOURCES if path.name == "__init__.py"]

    assert not [
        str(path)
        for path in folders
        if len(tree_of(path).body) != 1 or not (ast.get_docstring(tree_of(path)) or "").splitlines()[0].endswith(".")
    ]


def test_a_name_is_imported_from_the_module_that_defines_it() -> None:
    everywhere = [*SOURCES, *sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py"))]

    assert not [
        f"{path}: {module}.{name}"
        for path in everywhere
        for module, name in imports(path)
        if module in MODULES
        and name
        and f"{module}.{name}" not in MODULES
        and name not in names_defined_in(module)
        and not name.startswith("__")
    ]


def test_modules_import_one_another_in_no_circle() -> None:
    graph = {module: imported_modules(path) - {module} for module, path in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle: {error.args[1]}") from None


def test_the_controller_has_few_arrows() -> None:
    arrows: dict[str, set[str]] = defaultdict(set)
    for module, path in MODULES.items():
        here = module.split(".")[:2]
        if here[0] == "controller" and len(here) > 1:
            others = {other.split(".")[1] for other in imported_modules(path) if other.startswith("controller.")}
            arrows[here[1]] |= others - {here[1]}

    assert sum(map(len, arrows.values())) <= MOST_ARROWS


def test_no_file_is_long() -> None:
    assert not [str(path) for path in SOURCES if source_of(path).count("\n") > MOST_LINES]


def test_a_room_is_seen_at_a_glance() -> None:
    names = {room: {path.name for path in (ROOT / room).iterdir()} - CACHES for room in ROOMS}

    assert not [room for room in ROOMS if len(names[room]) > MOST_NAMES[room]]


def test_no_prefix_of_files_stands_for_a_folder() -> None:
    prefixes = Counter((path.parent, path.stem.split("_")[0]) for path in SOURCES if "_" in path.stem.strip("_"))

    assert not [f"{folder}/{prefix}" for (folder, prefix), files in prefixes.items() if files > 2]


def test_tests_stand_where_the_tested_stands() -> None:
    tests = [path.relative_to(ROOT / "tests") for room in ROOMS for path in (ROOT / "tests" / room).rglob("test_*.py")]

    assert not [str(path) for path in tests if not (ROOT / path.parent).is_dir()]


def test_the_rules_import_the_standard_library_and_themselves_only() -> None:
    rules = [path for path in SOURCES if path.parts[:2] == ("controller", "rules")]

    assert not [
        f"{path}: {module}"
        for path in rules
        for module, _ in imports(path)
        if module.split(".")[0] not in sys.stdlib_module_names and not module.startswith("controller.rules")
    ]


def test_the_product_imports_neither_its_tests_nor_its_makers_tools() -> None:
    assert not [
        str(path) for path in SOURCES for module, _ in imports(path) if module.split(".")[0] in ("tests", "tools")
    ]


def test_the_product_does_not_read_its_own_source() -> None:
    assert not [str(path) for path in SOURCES for module, _ in imports(path) if module == "ast"]


def test_nothing_waits_by_the_wall() -> None:
    forbidden = ("time.sleep", "asyncio.get_event_loop")
    suspects = [path for path in SOURCES if any(name.split(".")[1] in source_of(path) for name in forbidden)]

    assert not [
        f"{path}:{node.lineno}"
        for path in suspects
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in forbidden
    ]
