"""A player at the other box, at a daemon of this one: camera, hands, button and people here play for nobody there."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.cli.together.box import Box
from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.runtime.home import Home
from controller.web.client import Client, DaemonGone, Refused
from tests.support.served_box import ServedBox, open_served_box

START = StartGame((Player("Bea", remote="friday"), Player("Ann")), "pub", {"first": "chosen"})
LONG_S = 60.0  # for all that the box might do by itself


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


async def do(box: ServedBox, **deed: Any) -> None:
    (await box.terminal.ask("POST", "/api/simulated/deeds", json=deed)).raise_for_status()


async def test_in_a_turn_of_the_other_box_this_one_only_mirrors(home: Home) -> None:
    async with open_served_box(home) as box, Client(home.socket) as other, Client(home.socket) as here:
        with pytest.raises(Refused, match="begun by `shutbox together`"):
            await here.send(START)
        await other.sit((), "remote")
        await other.send(START)
        await box.rest()
        with pytest.raises(Refused, match="Bea"):
            await here.sit(["Bea"])
        with pytest.raises(Refused, match="Bea"):
            await here.send(TakeThrow((5, 3)))
        await do(box, do="throw", dice=2)
        await do(box, do="press", seconds=0.2)
        await asyncio.sleep(LONG_S)
        assert (box.snapshot.phase, box.snapshot.turn, box.snapshot.throw) == ("awaiting_throw", "Bea", ())
        assert (box.snapshot.eye, box.snapshot.notice) == ("off", "")

        await other.send(TakeThrow((5, 3)))
        with pytest.raises(Refused, match="Bea"):
            await here.send(Choose(("front-8",)))
        await do(box, do="tip", tile="front-8", position="SHUT")
        await asyncio.sleep(1)
        assert box.snapshot.countdown_s is None  # which a move by hand would have
        await asyncio.sleep(LONG_S)
        # A hand has made the very move, and it is none: the tile goes back, or people are asked for it.
        assert box.snapshot.turn == "Bea"
        assert next(tile for tile in box.snapshot.tiles if tile.name == "front-8").state == "showing"
        assert box.snapshot.phase in ("choosing", "halted")


async def test_the_other_box_does_nothing_for_players_of_this_one(home: Home) -> None:
    async with open_served_box(home) as box, Client(home.socket) as other, Client(home.socket) as here:
        await other.sit((), "remote")
        await other.send(StartGame(START.players[::-1], START.game, START.options))
        await box.rest()
        with pytest.raises(Refused, match="Ann"):
            await other.send(TakeThrow((5, 3)))
        await here.send(TakeThrow((5, 3)))
        assert box.snapshot.phase == "choosing"


async def test_a_daemon_that_goes_while_the_other_box_sits_down_finds_it_seated_when_it_is_back(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit, tries = Client.sit, iter((False, True))

    async def gone_at_first(client: Client, *wanted: Any) -> None:
        if not next(tries):
            raise DaemonGone("gone")
        await sit(client, *wanted)

    monkeypatch.setattr(Client, "sit", gone_at_first)
    async with open_served_box(home) as box:
        other = Box(home, "friday", lambda: None)
        with pytest.raises(DaemonGone):
            await other.begin(START)
        await other.begin(START)
        await other.close()
        assert box.snapshot.turn == "Bea"


async def test_nobody_in_the_network_plays_for_another_box(home: Home) -> None:
    async with open_served_box(home) as box:
        for door in await box.doors():
            answer = await door.ask("POST", "/api/seats", json={"door": "remote", "names": []})
            assert (answer.status_code == 200) == (door.name.startswith("socket") and door.role is not None), door.name
