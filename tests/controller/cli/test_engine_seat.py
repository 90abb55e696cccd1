"""Engines at seats of the table: clients as any other, each of which costs its own seat alone."""

import asyncio
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.engines.seat import EngineSeat, engines_beside, split_engines
from controller.errors import BadPlayers
from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.web.client import Client
from tests.support.first_moves import play_first_moves
from tests.support.served_box import open_served_box

PATIENCE_S = 900.0
GAME = StartGame((Player("Ann"), Player("Ben")), "pub", {"first": "chosen"})
HIGHEST = shlex.join([sys.executable, "docs/samples/engines/highest.py"])


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


def engine_that(does: str, folder: Path) -> str:
    script = folder / "engine.py"
    script.write_text(f"import os, sys, time\nprint('hello 1 Bad', flush=True)\n{does}\n")
    return shlex.join([sys.executable, "-S", str(script)])


async def start(home: Home) -> None:
    async with Client(home.socket) as client:
        await client.send(GAME)


async def end_of_game(home: Home) -> Snapshot:
    async with asyncio.timeout(PATIENCE_S), Client(home.socket) as client, client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if snapshot.phase == "ended":
                return snapshot
    raise AssertionError("the daemon ended")


async def test_two_engines_play_a_whole_game_at_a_daemon(home: Home) -> None:
    told: list[str] = []
    async with open_served_box(home) as box:
        await start(home)
        async with engines_beside({"Ann": HIGHEST, "Ben": "house:casual"}, home, told.append):
            ended = await end_of_game(home)
        record = await box.terminal.ask("GET", f"/api/history/{ended.game_id}/record")
    assert told == []
    assert ended.winners
    assert "~" not in record.text.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("sys.exit(3)", "it has ended, with status 3"),
        (
            "for line in sys.stdin:\n    if line.startswith('go'): print('best 123456789', flush=True)",
            "it answers `best",
        ),
        ("while True: os.write(1, b'x' * 4096)", "bytes"),
    ],
)
async def test_an_engine_that_fails_gives_its_seat_back_and_people_play_on(
    does: str, reason: str, home: Home, tmp_path_factory: pytest.TempPathFactory
) -> None:
    told: list[str] = []
    command = engine_that(does, tmp_path_factory.mktemp("engine"))
    async with open_served_box(home):
        await start(home)
        async with asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
            await EngineSeat("Ann", command, home, told.append).run()
            assert [seat.held for seat in (await client.state()).seats] == [None, None]
            ended = await play_first_moves(client, lambda snapshot: snapshot.phase == "ended")
    assert len(told) == 1
    assert told[0].startswith("The engine of Ann has lost its seat: ")
    assert reason in told[0]
    assert ended.winners


async def test_a_seat_that_somebody_else_holds_is_left_alone(home: Home) -> None:
    told: list[str] = []
    async with open_served_box(home):
        await start(home)
        async with Client(home.socket) as ann:
            await ann.sit(["Ann"])
            async with engines_beside({"Ann": "house:casual"}, home, told.append):
                await asyncio.sleep(60)
                assert (await ann.state()).phase == "awaiting_throw"


async def test_a_program_that_is_none_is_told_and_takes_no_seat(home: Home) -> None:
    told: list[str] = []
    async with open_served_box(home):
        await start(home)
        await EngineSeat("Ann", "/nowhere/engine", home, told.append).run()
    assert told == [
        "The engine of Ann has lost its seat: engine '/nowhere/engine': it cannot be started: No such file or "
        "directory. Whoever is at the table plays on for Ann."
    ]


def test_players_name_their_engines() -> None:
    words = ["Ann", "engine:./mine", " Bob = engine:python3 'my engine.py' --deep", "House:perfect"]
    assert split_engines(words) == (
        ["Ann", "mine", "Bob", "House:perfect"],
        {"mine": "./mine", "Bob": "python3 'my engine.py' --deep"},
    )
    with pytest.raises(BadPlayers, match="NAME=engine:PROGRAM"):
        split_engines(["engine:"])


def test_the_daemon_loads_nothing_of_engines() -> None:
    question = (
        "import sys, controller.cli.run, controller.cli.daemon; print([m for m in sys.modules if '.engines.' in m])"
    )
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
