"""What faults expect and see, and closer cures than that of their class: read from the places that raise them."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ROOMS = ("hardware", "firmware", "vision", "controller")
UNKNOWN = "…"  # in place of what only the box knows
_FIELDS = 5  # of a fault: code, part, expected, seen, cure
_NOTHING = ast.Constant("")
_LONGEST = 3  # names that stand for names: no constant does so more often


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One way in which a fault is found: what is expected, what is seen, and a cure of its own, if it has one."""

    expected: str
    seen: str
    cure: str = ""


_NOTHING_KNOWN = Finding(UNKNOWN, UNKNOWN)


@cache
def findings() -> Mapping[str, tuple[Finding, ...]]:
    """Return the findings by the class that is raised, or by the code (or its name) of one without a class."""
    found = defaultdict[str, dict[Finding, None]](dict)
    for path in source_files():
        source = path.read_text("utf-8")
        if "seen=" not in source and "Fault(" not in source:
            continue
        tree = ast.parse(source)
        constants = _constants(tree)
        for call in ast.walk(tree):
            if isinstance(call, ast.Call):
                for name, finding in _findings_of(call, constants):
                    if finding != _NOTHING_KNOWN:
                        found[name][finding] = None
    return {name: tuple(sorted(each)) for name, each in found.items()}


def source_files() -> Iterator[Path]:
    """Yield the files of the product, in order."""
    for room in _ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def _constants(tree: ast.Module) -> Mapping[str, ast.expr]:
    """Return what the names of a module stand for, where each stands for one thing in all of it."""
    found = defaultdict[str, list[ast.expr]](list)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id].append(node.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def _findings_of(call: ast.Call, constants: Mapping[str, ast.expr]) -> Iterator[tuple[str, Finding]]:
    named = {each.arg: each.value for each in call.keywords if each.arg}
    called = call.func.id if isinstance(call.func, ast.Name) else ""
    if called and {"expected", "seen"} <= named.keys():
        yield called, _finding((named["expected"], named["seen"], named.get("cure", _NOTHING)), constants)
    elif called == "Fault" and len(call.args) == _FIELDS and isinstance(call.args[0], ast.Name):
        known = _say(call.args[0], constants)
        yield call.args[0].id if known == UNKNOWN else known, _finding(call.args[2:], constants)


def _finding(words: Sequence[ast.expr], constants: Mapping[str, ast.expr]) -> Finding:
    """Return a finding of its three expressions. A cure that is put together elsewhere is left out."""
    expected, seen, cure = (_say(each, constants) for each in words)
    return Finding(expected, seen, "" if UNKNOWN in cure else cure)


def _say(node: ast.expr, constants: Mapping[str, ast.expr], depth: int = 0) -> str:
    """Return the words of an expression, with `…` for what is known only then."""
    match node:
        case ast.Constant(str(value)):
            return value
        case ast.JoinedStr(values):
            return _together(values, constants, depth)
        case ast.BinOp(left, ast.Add(), right):
            return _together((left, right), constants, depth)
        case ast.BoolOp(ast.Or(), values):
            return _alternatives(values, constants, depth)
        case ast.IfExp(_, body, orelse):
            return _alternatives((body, orelse), constants, depth)
        case ast.Name(name) if name in constants and depth < _LONGEST:
            return _say(constants[name], constants, depth + 1)
    return UNKNOWN


def _together(nodes: Sequence[ast.expr], constants: Mapping[str, ast.expr], depth: int) -> str:
    return "".join(_say(node, constants, depth) for node in nodes)


def _alternatives(nodes: Sequence[ast.expr], constants: Mapping[str, ast.expr], depth: int) -> str:
    return ", or ".join(dict.fromkeys(_say(node, constants, depth) for node in nodes))
