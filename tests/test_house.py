"""Rules of the house that the import contracts cannot say."""

import ast
import importlib
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("hardware", "firmware", "vision", "controller")
SOURCES = sorted(path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))
AREAS = sorted({path.parent for path in SOURCES})
FOLDERS = sorted(path.parent for path in SOURCES if path.name == "__init__.py" and len(path.parts) > 2)
RULES = [path for path in SOURCES if path.parts[:2] == ("controller", "rules")]
MOST_NAMES = {"controller": 21, "firmware": 16, "vision": 16, "hardware": 16}
COMMAND_LINE = Path("controller/cli")  # nobody imports it
CACHES = {"__pycache__", ".mypy_cache", ".ruff_cache"}


def files_in(area: Path) -> list[Path]:
    """The files of a room or folder, without those of the folders in it."""
    return [path for path in SOURCES if path.parent == area]


def source_of(path: Path) -> str:
    return (ROOT / path).read_text("utf-8")


def is_lazy(folder: Path) -> bool:
    """True for a face that loads what it exports when it is asked for."""
    return "load_on_demand" in source_of(folder / "__init__.py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(source_of(path))


def imports(path: Path) -> Iterator[ast.ImportFrom]:
    """Every `from x import y` of a file, at the top or late."""
    return (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom) and node.module)


def imported(path: Path) -> set[str]:
    """Every module that a file imports."""
    plain = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Import))
    return {alias.name for node in plain for alias in node.names} | {str(node.module) for node in imports(path)}


def names_past(file: str, node: ast.ImportFrom) -> list[str]:
    """The names that `node` takes out of a folder past its face: out of a file of it, or ones it does not export."""
    target, here = Path(*str(node.module).split(".")), Path(file).parent
    is_folder = (ROOT / target / "__init__.py").exists()
    folder = target if is_folder else target.parent
    if target.parts[0] not in ROOMS or len(folder.parts) < 2 or folder == here or folder in here.parents:
        return []  # a file in a room itself is its own face, and inside a folder its files know each other
    face = set(importlib.import_module(".".join(folder.parts)).__all__) if is_folder else set()
    return [alias.name for alias in node.names if alias.name not in face]


@pytest.mark.parametrize("area", AREAS, ids=str)
def test_nobody_imports_past_the_face_of_a_folder(area: Path) -> None:
    lines = ((path, node) for path in files_in(area) for node in imports(path))
    past = {f"{path.name}: {node.module}: {name}" for path, node in lines for name in names_past(path.as_posix(), node)}

    assert not past, "import it from the folder, whose __init__ exports what others may use"


@pytest.mark.parametrize(
    ("file", "line", "past"),
    [
        ("controller/referee/referee.py", "from controller.game.state import Game", ["Game"]),
        ("controller/referee/referee.py", "from controller.game import Game", []),
        ("controller/referee/referee.py", "from controller.game import state", ["state"]),
        ("controller/game/decide.py", "from controller.game.state import Game", []),
        ("controller/cli/daemon.py", "from hardware.errors import Fault", []),
        ("hardware/sim/server.py", "from hardware.sim.world import World", []),
        ("controller/box/remote_simulated.py", "from hardware.sim import open_server", []),
        ("controller/box/remote_simulated.py", "from hardware.sim.server import open_server", ["open_server"]),
    ],
)
def test_an_import_past_a_face_is_seen(file: str, line: str, past: list[str]) -> None:
    [node] = ast.parse(line).body
    assert isinstance(node, ast.ImportFrom)

    assert names_past(file, node) == past


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_a_folder_says_what_it_is_for_and_exports_its_face(folder: Path) -> None:
    module = importlib.import_module(".".join(folder.parts))
    first_line = (module.__doc__ or "").splitlines()[0]

    assert first_line.endswith(".")
    assert module.__all__ or folder == COMMAND_LINE, "an empty face: does nobody use this folder?"
    for name in module.__all__:
        assert not inspect.ismodule(getattr(module, name))


@pytest.mark.parametrize(
    "folder", [each for each in FOLDERS if "load_on_demand" in source_of(each / "__init__.py")], ids=str
)
def test_a_face_that_loads_on_demand_exports_nothing_that_is_called_like_a_file(folder: Path) -> None:
    """Once such a file is imported, the folder's attribute of that name is the file."""
    module = importlib.import_module(".".join(folder.parts))

    assert not [name for name in module.__all__ if (ROOT / folder / f"{name}.py").exists()]


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_inside_a_folder_nobody_goes_through_its_face(folder: Path) -> None:
    """The face is not ready yet while its own files are loaded."""
    module = ".".join(folder.parts)
    face = importlib.import_module(module).__all__
    lines = (node for path in files_in(folder) for node in imports(path) if node.module == module)
    names = [alias.name for node in lines for alias in node.names]

    assert not set(names) & set(face)


@pytest.mark.parametrize("area", AREAS, ids=str)
def test_nothing_is_exported_again_under_its_own_name(area: Path) -> None:
    aliases = [(path.name, alias) for path in files_in(area) for node in imports(path) for alias in node.names]

    assert not [(file, alias.name) for file, alias in aliases if alias.name == alias.asname]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_seen_at_a_glance(room: str) -> None:
    names = {path.name for path in (ROOT / room).iterdir()} - CACHES

    assert len(names) <= MOST_NAMES[room]


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_no_prefix_of_files_stands_for_a_folder(folder: Path) -> None:
    prefixes = Counter(path.stem.split("_")[0] for path in (ROOT / folder).glob("*_*.py") if path.stem != "__init__")

    assert not [prefix for prefix, files in prefixes.items() if files > 2]


@pytest.mark.parametrize("folder", sorted(path for path in (ROOT / "tests").iterdir() if path.name in ROOMS), ids=str)
def test_tests_stand_where_the_tested_stands(folder: Path) -> None:
    homes = {path.parent.relative_to(ROOT / "tests") for path in folder.rglob("test_*.py")}

    assert not [home for home in homes if not (ROOT / home).is_dir()]


@pytest.mark.parametrize("path", RULES, ids=str)
def test_the_rules_import_the_standard_library_and_themselves_only(path: Path) -> None:
    others = {name for name in imported(path) if name.split(".")[0] not in sys.stdlib_module_names}

    assert all(name.startswith("controller.rules") for name in others)


@pytest.mark.parametrize("area", AREAS, ids=str)
def test_nothing_waits_by_the_wall(area: Path) -> None:
    calls = [
        (path, node) for path in files_in(area) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)
    ]
    waits = ("time.sleep", "asyncio.get_event_loop")

    assert not [f"{path.name}:{node.lineno}" for path, node in calls if ast.unparse(node) in waits]


def test_what_make_test_leaves_out_is_run_by_make_test_long_and_both_by_the_continuous_integration() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")

    assert 'unit: setup\n\t$(BIN)/pytest -m "not long"\n' in makefile
    assert "test-long: setup\n\t$(BIN)/pytest -m long --numprocesses=1\n" in makefile
    asked = [line.split(" || ") for line in (ROOT / ".ci/run").read_text("utf-8").splitlines()]
    assert ["make test", "make lint types contracts test-again"] in asked, "a second try leaves none of the checks out"
    assert ["make test-long", "make test-again"] in asked
