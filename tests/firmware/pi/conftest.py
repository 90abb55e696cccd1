"""Tests of the real header run gpiozero's own factories, on recorders below them."""

from collections.abc import Iterator

import pytest

from tests.support.recorders.installed import fresh_factories
from tests.support.recorders.lines import HeaderLines


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with fresh_factories(monkeypatch):
        yield


@pytest.fixture
def lines() -> HeaderLines:
    return HeaderLines()
