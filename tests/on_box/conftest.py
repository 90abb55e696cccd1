"""`pytest -m box`: the box that is tested, the person who is asked, and the report that is written at the end."""

import inspect
from collections.abc import Generator
from datetime import datetime
from pathlib import Path

import pytest

from controller.box.table import Table
from controller.errors import ShutboxError
from firmware.drivers.bus import chip_name
from hardware.errors import BoxFault
from tests.on_box.form import Entry
from tests.on_box.visit import Visit, fail, find_visit

VISIT = pytest.StashKey[Visit]()


def pytest_configure(config: pytest.Config) -> None:
    """Find the box before the tests are made, one for each of its tiles."""

    def show(text: str) -> None:
        # A person must see the question whatever pytest does with the output of tests.
        with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print(f"\n{text}", end="", flush=True)

    wire, answers = config.getoption("wire"), config.getoption("answers")
    config.stash[VISIT] = find_visit(wire and Path(wire), answers and Path(answers), show)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    box = metafunc.config.stash[VISIT].box
    if "tile" in metafunc.fixturenames:
        metafunc.parametrize("tile", box.tile_ids, ids=str)
    if "chip" in metafunc.fixturenames:
        metafunc.parametrize("chip", box.chips, ids=chip_name)


@pytest.fixture(scope="session", autouse=True)
def servo_boards_start_at_once() -> None:
    """A real board needs its time."""


@pytest.fixture
def visit(pytestconfig: pytest.Config) -> Visit:
    return pytestconfig.stash[VISIT]


@pytest.fixture(autouse=True)
def entry(visit: Visit, request: pytest.FixtureRequest) -> Entry:
    """The answer of this test in the form. Skips all tests where there is no box, and after the person's q."""
    if visit.reason:
        pytest.skip(visit.reason)
    return visit.form.entries[_key(request.node)]


@pytest.fixture
def table(visit: Visit) -> Table:
    """The open box."""
    if visit.table is None:
        pytest.skip("the box is not open")
    return visit.table


@pytest.fixture
def chips(visit: Visit) -> None:
    """A box, and not a computer alone."""
    if not visit.answering:
        pytest.skip("no chip answers: the computer is alone")


def _key(test: pytest.Function) -> tuple[str, str]:
    return test.originalname, test.callspec.id if hasattr(test, "callspec") else ""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """Run a test in real time, on the loop on which the box is open; a fault of the box is its own sentence."""
    names = inspect.signature(pyfuncitem.obj).parameters
    fault: Exception | None = None
    try:
        pyfuncitem.config.stash[VISIT].run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    except (BoxFault, ShutboxError) as error:
        fault = error
    if fault is not None:
        fail(fault)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fill in the answer."""
    report = yield
    if call.when == "call" or report.outcome != "passed":
        entry = item.config.stash[VISIT].form.entries[_key(item)]
        entry.result = {"passed": "pass", "failed": "FAIL", "skipped": "skipped"}[report.outcome]
        entry.why = "" if call.excinfo is None else str(call.excinfo.value)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Close the box, and write the report."""
    visit = session.config.stash[VISIT]
    visit.close()
    if any(entry.result in ("pass", "FAIL") for entry in visit.form.entries.values()):
        named = session.config.getoption("report") or f"on-hardware-{datetime.now():%Y-%m-%d-%H%M}.md"
        Path(named).write_text(visit.form.page(), "utf-8")
        visit.written = Path(named).absolute()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    visit = config.stash[VISIT]
    if visit.reason:
        terminalreporter.write_line(f"The rest is skipped: {visit.reason}.")
    if visit.written is not None:
        terminalreporter.write_line(f"The report is {visit.written}. How to send it: docs/howto/lend-a-pi.md")
