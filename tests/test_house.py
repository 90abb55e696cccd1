"""Rules of the house that the import contracts cannot say."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("hardware", "firmware", "vision", "controller")
SOURCES = sorted(path.relative_to(ROOT) for room in ROOMS for path in (ROOT / room).rglob("*.py"))
OPENERS = [
    Path("controller", f"{name}.py")
    for name in (
        "real",
        "simulated",
        "fault_catalogue",
        "mock_link",
        "calibration_wiring",
        "mock_wiring",
        "guard_wiring",
    )
]
CAMPAIGNS = [path for path in SOURCES if re.fullmatch(r"controller/(bench_\w+|broken_game|cli_demo)\.py", str(path))]
RULES = [path for path in SOURCES if path.parts[:2] == ("controller", "rules")]


def imported(path: Path) -> set[str]:
    """Every module that a file imports, at the top or late."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("path", RULES, ids=str)
def test_the_rules_import_the_standard_library_and_themselves_only(path: Path) -> None:
    others = {name for name in imported(path) if name.split(".")[0] not in sys.stdlib_module_names}

    assert all(name.startswith("controller.rules") for name in others)


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_only_what_opens_a_box_names_a_real_or_a_simulated_device(path: Path) -> None:
    home = path.parts[1] if len(path.parts) > 2 and path.parts[1] in ("pi", "sim") else None
    named = {name for name in imported(path) if re.search(r"\.(pi|sim)(\.|$)", name)}

    if path in OPENERS:
        assert named
    elif path in CAMPAIGNS:
        assert all(name.startswith("hardware.sim.") for name in named)
    else:
        assert all(home is not None and f".{home}" in name for name in named)


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_nothing_waits_by_the_wall(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))) if isinstance(node, ast.Attribute)]

    assert not [node.lineno for node in calls if ast.unparse(node) in ("time.sleep", "asyncio.get_event_loop")]
