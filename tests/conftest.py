"""Fixtures for every room: a loop whose clock jumps, and a check that no test leaves a task behind."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from controller.process.clock import run_jumping

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture
def run() -> Run:
    """Run a coroutine to its end on a jumping loop; a task left behind fails the test."""

    async def watched(main: Coroutine[Any, Any, Any]) -> Any:
        result = await main
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        if left:
            pytest.fail(f"tasks left behind: {left}")
        return result

    return lambda main: run_jumping(watched(main))
