"""The panel at the table: button and lid give commands, the lamp tells who is waited for."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from controller.game.core.actions import ActionKind
from controller.game.core.commands import GoOn, Park, PutRight, StartGame, TryAgain
from controller.game.core.message import compose
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, RollDice
from controller.game.table.snapshot import Snapshot
from controller.referee.panel import command_for, light_for, serve_panel
from controller.runtime.threads import run_in_background
from firmware.panel import ButtonHeld, ButtonPressed, LidClosed, LidOpened, Light
from tests.support.stories import offers
from tests.support.tables import open_table_rig, until


def at(phase: PhaseName, *actions: ActionKind, house: bool = False) -> Snapshot:
    return Snapshot(1, "two-level-9", "", phase=phase, house=house, actions=offers(*actions))


def test_a_press_is_the_next_thing_and_a_long_one_or_the_lid_a_pause() -> None:
    assert command_for(ButtonPressed(long=False), at("awaiting_throw", "roll", "dice")) == RollDice()
    assert command_for(ButtonPressed(long=False), at("awaiting_throw", "dice")) is None, "they are being read"
    assert command_for(ButtonPressed(long=False), at("turn_lost", "accept")) == AcceptLoss()
    assert command_for(ButtonPressed(long=False), at("halted", "try_again", "believe")) == TryAgain()
    assert command_for(ButtonPressed(long=False), at("differing", "put_right", "correct_game")) == PutRight()
    assert command_for(ButtonPressed(long=False), at("parked", "go_on")) == GoOn()
    assert command_for(ButtonPressed(long=True), at("choosing")) == Park()
    assert command_for(LidClosed(), at("choosing")) == Park()
    assert command_for(LidOpened(), at("parked")) is None
    assert command_for(ButtonHeld(0.0), at("awaiting_throw", "roll")) is None


@pytest.mark.parametrize(
    ("phase", "house", "light"),
    [
        ("idle", False, Light.OFF),
        ("awaiting_throw", False, Light.STEADY),
        ("choosing", False, Light.STEADY),
        ("choosing", True, Light.SLOW),
        ("moving", False, Light.SLOW),
        ("halted", False, Light.FAST),
        ("differing", False, Light.FAST),
        ("ended", False, Light.OFF),
    ],
)
def test_the_lamp_tells_who_is_waited_for(phase: PhaseName, house: bool, light: Light) -> None:
    assert light_for(at(phase, house=house)) is light


def test_the_lamp_asks_while_a_device_waits_to_be_an_operator_s() -> None:
    asks = compose("access.pairing", name="Ann's phone", number="4711")

    assert light_for(replace(at("idle"), messages=(asks,))) is Light.FAST


def test_the_lamp_asks_for_help_where_no_game_can_begin() -> None:
    fault = compose("fault", code="C-103", part="calibration", expected="end points", seen="none", cure="")

    assert light_for(replace(at("idle"), messages=(fault,))) is Light.FAST


async def test_the_button_of_the_box_throws_the_dice_and_a_long_press_parks(tmp_path: Path) -> None:
    async with (
        open_table_rig(tmp_path) as table,
        table.referee() as referee,
        run_in_background(serve_panel(table.table.firmware.panel, referee)),
    ):
        await referee.ask(StartGame((Player("Ann"),)))
        await until(referee, "awaiting_throw")
        table.world.press_button(0.2)
        await until(referee, "choosing")
        table.world.press_button(1.5)
        await until(referee, "parked")


async def test_a_lid_that_was_down_before_anybody_looked_is_shown_so(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        table.world.close_lid()
        await asyncio.sleep(1)
        async with table.referee() as referee:
            assert referee.snapshot.lid == "closed"
