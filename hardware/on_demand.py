"""A room's face, or a library, that costs nothing until a name of it is asked for.

Most faces simply import what they export. A few rooms hold things as different as a socket and a camera: who wants the
one must not load the other, least of all the guard's small process, or `shutbox --help`. Their `__init__` names its
exports under `if TYPE_CHECKING`, for people and mypy, and gets its `__getattr__` (PEP 562) from here. It lies in the
lowest room because every room may need it.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any


def load_on_demand(package: str, file: str) -> Callable[[str], Any]:
    """The `__getattr__` of `package`: loads the module that `file` imports a name from under `if TYPE_CHECKING`."""
    homes = dict(_type_checking_imports(ast.parse(Path(file).read_text("utf-8"))))

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)  # from now on without a detour
        return found

    return load


def _type_checking_imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name with the module it comes from."""
    for block in tree.body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for line in block.body:
                if isinstance(line, ast.ImportFrom) and line.module:
                    yield from ((alias.name, line.module) for alias in line.names)


class LibraryOnDemand:
    """A stand-in for a library that is loaded when one of its names is first used.

    A daemon that waits for a game reads no dice and computes no odds. Without OpenCV and NumPy, its largest libraries,
    it starts sooner. Concurrency: any thread.
    """

    def __init__(self, library: str) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._library), name)
        setattr(self, name, found)  # later uses find the attribute directly
        return found
