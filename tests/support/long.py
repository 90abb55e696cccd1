"""Of a test with many cases of one kind, `make test` takes some and `make test-long` the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def long_but_every(step: int, cases: Iterable[Any]) -> list[Any]:
    """The cases of a test: the first of every `step` as it is, the others marked `long`."""
    return [case if place % step == 0 else _long(case) for place, case in enumerate(cases)]


def _long(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
