"""A short form of the campaign of clients, and that it notices what must not be."""

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.game.core.players import Origin
from controller.game.table.caller import Caller
from controller.journal.keys import UsedKeys
from controller.referee.loop import RefereeLoop
from controller.referee.seats import Seating
from controller.runtime.output import Exit
from tests.campaigns.clients.clients import bench_clients, play_busy_table
from tests.support.long import long_but_every

BUSY = 1  # a seed by which answers are lost, commands repeated, and the daemon is cut off


@pytest.mark.long
def test_each_command_is_done_once_or_never_whatever_is_lost_and_restarted(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_clients(2, BUSY, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["runs"] == told["done"]["start"] == 2
    assert min(told["counts"][what] for what in ("events", "repeated", "lost answers", "cuts")) > 0
    assert set(told["refused"]) >= {"403", "409"}


def forget_keys(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(UsedKeys, "use_of", lambda _keys, _key: "new")


def let_all_act(patch: pytest.MonkeyPatch) -> None:
    caller: Callable[[Seating, str | None], Caller] = Seating.caller
    patch.setattr(Seating, "caller", lambda seating, token: replace(caller(seating, token), taken=frozenset()))


def lose_seats(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("controller.referee.loop.origin_of", lambda _game, _kind, caller: Origin(caller.door))


def take_late_ones(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RefereeLoop, "_check_in_time", lambda _loop, _command: None)


@pytest.mark.parametrize(
    ("spoil", "problem"),
    long_but_every(
        4,
        [
            (let_all_act, "is not for"),
            (forget_keys, "UNIQUE constraint failed|was done, and is answered with 409"),
            (lose_seats, "stands there as"),
            (take_late_ones, "became event"),
        ],
    ),
)
def test_what_is_done_twice_late_or_by_another_is_noticed(
    monkeypatch: pytest.MonkeyPatch, spoil: Callable[[pytest.MonkeyPatch], None], problem: str
) -> None:
    """Which answers are lost depends on the machine's sockets too: one evening is enough.

    A late command is among those of about every third evening.
    """
    spoil(monkeypatch)
    evenings = ("; ".join(play_busy_table(seed).problems) for seed in range(BUSY, BUSY + 24))
    assert any(re.search(problem, problems) for problems in evenings)
