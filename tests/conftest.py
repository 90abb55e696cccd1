"""What every room's tests share: an `async def test_...` runs on a jumping clock, and leaves no task behind."""

import asyncio
import gc
import inspect
import os
import random
import shutil
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import adafruit_pca9685
import pytest

from controller.runtime import mounts
from controller.runtime.clock import run_jumping

Run = Callable[[Coroutine[Any, Any, Any]], Any]


_BEGAN_S = time.monotonic()
_MEMORY, _PLENTY_BYTES = Path("/dev/shm"), 2 * 10**9  # noqa: S108  pytest makes a folder in it that is its user's alone

# There are as many workers as cores: more threads in each only wait for one another. Read when a library is loaded.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


_ON_BOX = Path(__file__).parent / "on_box"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Say at which box `pytest -m box` works, and where its report goes."""
    group = parser.getgroup("box", "the tests of a real box, pytest -m box")
    group.addoption("--wire", metavar="FOLDER", help="the home of a `shutbox mock-box`, in place of the real box")
    group.addoption("--answers", metavar="FILE", help="lines in place of what a person types")
    group.addoption("--throws", type=int, default=50, metavar="N", help="throws to read (50)")
    group.addoption("--report", metavar="FILE", help="where the report goes (on-hardware-DATE.md)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests of a real box out, unless they are asked for."""
    is_on_box = _ON_BOX in (collection_path, collection_path.parent)
    return True if is_on_box and config.option.markexpr != "box" else None


def pytest_configure(config: pytest.Config) -> None:
    """Prepare the kind of run that the marks ask for."""
    if config.option.markexpr == "box":
        # There is one box, and one person to ask: one process, and no other test is collected.
        config.option.dist, config.option.tx = "no", []
        config.option.reportchars = "fE"  # the report has the reasons of what is skipped
        if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            config.args = [str(_ON_BOX)]
    _keep_in_memory(config)


def _keep_in_memory(config: pytest.Config) -> None:
    """Keep the folders of quick tests in memory, if there is plenty: they would wait for the disk half of the time."""
    is_quick = config.option.markexpr == "not long"
    if is_quick and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _PLENTY_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among thousands of tests, while they are collected and later: they stay to the end."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Shuffle the tests by the seed that was asked for, the same in every worker; those of a real box have an order."""
    if (seed := os.environ.get("SHUTBOX_TEST_SEED")) and config.option.markexpr != "box":
        random.Random(seed).shuffle(items)


def pytest_runtest_setup() -> None:
    """Skip what begins after the time that was asked for."""
    limit_s = os.environ.get("SHUTBOX_TEST_SECONDS")
    if limit_s and time.monotonic() - _BEGAN_S > float(limit_s):
        pytest.skip(f"{limit_s} s are over; make nightly runs this")


def run_to_the_end(main: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine on a jumping loop; a task left behind fails the test."""

    async def watched() -> Any:
        result = await main
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        if left:
            pytest.fail(f"tasks left behind: {left}")
        return result

    return run_jumping(watched())


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine; others are pytest's own affair."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    # pytest's own runner takes the arguments that a function names out of all that its fixtures need.
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    run_to_the_end(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture(scope="session", autouse=True)
def servo_boards_start_at_once() -> Iterator[None]:
    """The driver of the servo board waits 5 ms in real time for an oscillator: a simulated one has started already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adafruit_pca9685, "time", SimpleNamespace(sleep=lambda _s: None))
        yield


@pytest.fixture(scope="session", autouse=True)
def homes_are_on_a_disk() -> Iterator[None]:
    """The folders of tests are in memory, of which a box would tell."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mounts, "_MOUNTINFO", Path("/nowhere"))
        yield


@pytest.fixture
def run() -> Run:
    """For tests that are no coroutine themselves, as those of properties: run one to its end on a jumping loop."""
    return run_to_the_end
