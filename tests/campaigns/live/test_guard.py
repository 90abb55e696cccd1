"""`guard`: one trial in earnest, with every process; and what is told of many."""

import asyncio
import json
import signal
import socket
from asyncio.subprocess import Process
from collections.abc import Callable
from typing import Any

import pytest

from controller.runtime.home import Home
from controller.runtime.output import Exit
from tests.campaigns.live import guard_report as bench_guard_report
from tests.campaigns.live.box import open_live_box, start_program
from tests.campaigns.live.guard import GuardedBox, Outcome, Trial, has_looked_first
from tests.campaigns.live.guard_report import bench_guard, draw_trials

KILL, STOP = Trial(False, "1/kill -9/0"), Trial(True, "1/SIGSTOP/0")
GOOD = Outcome(KILL, True, 0.012, True, True)


@pytest.mark.long
def test_a_daemon_that_is_stopped_amid_a_reset_is_cut_off_and_the_next_one_looks_and_finishes() -> None:
    async def story() -> Outcome:
        async with open_live_box(GuardedBox, 1) as box:
            return await box.attempt(STOP)

    outcome = asyncio.run(story())

    assert (outcome.problem, outcome.looked_first, outcome.finished) == ("", True, True)
    assert outcome.quiet_s < 1.0


def test_whoever_breaks_off_while_a_process_starts_leaves_none_behind(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("home")

    async def story() -> Process:
        seen: asyncio.Queue[Process] = asyncio.Queue()
        before = asyncio.create_subprocess_exec

        async def noted(*words: str, **more: Any) -> Process:
            process = await before(*words, **more)
            seen.put_nowait(process)
            return process

        with pytest.MonkeyPatch.context() as patch, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as states:
            states.bind(str(folder / "notify"))
            states.setblocking(False)
            patch.setattr(asyncio, "create_subprocess_exec", noted)
            starting = asyncio.ensure_future(start_program(Home(folder, folder, fixed=True), states, "mock-box"))
            process = await seen.get()
            starting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await starting
        return process

    assert asyncio.run(story()).returncode == -signal.SIGKILL


def test_as_many_trials_of_each_kind_and_the_same_ones_for_a_seed() -> None:
    trials = draw_trials(5, 3)
    assert sum(trial.stops for trial in trials) == 5
    assert len({trial.seed for trial in trials}) == 10
    assert draw_trials(5, 3) == trials != draw_trials(5, 4)


@pytest.mark.parametrize(
    ("moments", "is_so"),
    [
        (["look", "enable", "drive"], True),
        (["look"], True),
        (["cut", "release", "look", "enable"], True),
        ([], False),
        (["enable", "look", "drive"], False),
        (["drive", "look", "enable"], False),
        (["enable", "drive"], False),
    ],
)
def test_looking_first_is_reading_a_sensor_before_any_output(moments: list[str], is_so: bool) -> None:
    assert has_looked_first(moments) is is_so


Told = Callable[..., tuple[Exit, str]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    def tell(*outcomes: Outcome, as_json: bool = True, end: type[BaseException] | None = None) -> tuple[Exit, str]:
        async def run(_trials: object, _seed: int, _rigs: int, into: list[Outcome]) -> None:
            into.extend(outcomes)
            if end is not None:
                raise end

        monkeypatch.setattr(bench_guard_report, "_run", run)
        status = bench_guard(1, 1, 1, as_json=as_json)
        return status, capsys.readouterr().out

    return tell


def test_a_good_run_is_told_by_kind(told: Told) -> None:
    status, out = told(GOOD, Outcome(STOP, True, 0.5, True, True), Outcome(STOP, False, 0.0, True, True))
    answer = json.loads(out)
    assert (status, answer["passed"], answer["failures"]) == (Exit.DONE, True, [])
    assert answer["SIGSTOP"] == {
        "trials": 2,
        "amid_pulses": 1,
        "median_s": 0.5,
        "worst_s": 0.5,
        "looked_first": 2,
        "finished": 2,
    }
    _, table = told(GOOD, as_json=False)
    assert "No pulse later than 1 s after the signal" in table


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (Outcome(STOP, True, 1.2, True, True), "pulses until 1.200 s after the signal"),
        (Outcome(STOP, True, float("inf"), True, True), "pulses without end"),
        (Outcome(STOP, True, 0.5, False, True), "the next start did not look first"),
        (Outcome(STOP, True, 0.5, True, False), "the game was not finished"),
        (Outcome(STOP, False, float("inf"), False, False, "RuntimeError: no"), "RuntimeError: no"),
    ],
)
def test_one_failure_is_named_and_the_answer_is_no(told: Told, outcome: Outcome, says: str) -> None:
    status, out = told(GOOD, outcome)
    assert "Infinity" not in out
    [failure] = json.loads(out)["failures"]
    assert (status, failure["problem"]) == (Exit.NO, says)
    assert says in told(GOOD, outcome, as_json=False)[1]


def test_what_was_measured_before_ctrl_c_is_told(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt):
        told(GOOD, end=KeyboardInterrupt)
    assert json.loads(capsys.readouterr().out)["kill -9"]["trials"] == 1
