"""How long the word of a person holds against what sensors show."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from controller.box.table import targets
from controller.game.core.commands import Believe, ConfirmTiles, StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.shutbox.state import Game
from controller.referee.jobs.outcomes import Overrides
from hardware.box import load_box
from hardware.tiles import Position, TileId
from tests.support.stories import play
from tests.support.tables import open_table_rig, until

OPEN, SHUT, BETWEEN, UNKNOWN = Position.OPEN, Position.SHUT, Position.BETWEEN, Position.UNKNOWN
ANN = (Player("Ann"),)
FRONT_8 = TileId(1, 8)


def game_with_a_believed_tile() -> Game:
    game = play(None, StartGame(ANN), ConfirmTiles())
    return replace(game, believed=frozenset({str(FRONT_8)}))


@pytest.mark.parametrize(
    ("shown", "holds"),
    [
        ((BETWEEN, BETWEEN, BETWEEN), True),
        ((BETWEEN, OPEN), False),
        ((UNKNOWN, BETWEEN, UNKNOWN), True),
        ((OPEN, OPEN), True),
        ((OPEN, SHUT, OPEN), False),
        ((SHUT, SHUT), True),
        ((SHUT, OPEN), False),
        ((SHUT, BETWEEN), False),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else str(value),
)
def test_a_word_holds_until_another_place_is_shown(shown: tuple[Position, ...], holds: bool) -> None:
    game, overrides = game_with_a_believed_tile(), Overrides()
    overrides.forget("front-8")
    *before, last = (overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: each}) for each in shown)
    assert all(before)
    assert last == ({FRONT_8: SHUT} if holds else {})


@pytest.mark.parametrize(("shown", "holds"), [(SHUT, True), (BETWEEN, True), (OPEN, False)])
def test_a_word_after_which_the_electronics_failed_at_once_holds_against_no_place(shown: Position, holds: bool) -> None:
    """A hand may have tipped the tile before its sensors could be asked."""
    game, overrides = game_with_a_believed_tile(), Overrides()
    overrides.forget("front-8")
    overrides.lose_sight()
    assert overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: shown}) == ({FRONT_8: SHUT} if holds else {})


def test_a_word_that_was_compared_before_the_electronics_failed_goes_on_holding() -> None:
    game, overrides = game_with_a_believed_tile(), Overrides()
    overrides.forget("front-8")
    overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: OPEN})
    overrides.lose_sight()
    assert overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: OPEN}) == {FRONT_8: SHUT}


@pytest.mark.parametrize(
    ("shown", "holds"),
    [((SHUT,), True), ((BETWEEN, BETWEEN), True), ((UNKNOWN,), True), ((OPEN,), False), ((BETWEEN, OPEN), False)],
)
def test_a_word_from_before_a_restart_holds_against_no_place(shown: tuple[Position, ...], holds: bool) -> None:
    game, overrides = game_with_a_believed_tile(), Overrides()
    *_, last = (overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: each}) for each in shown)
    assert last == ({FRONT_8: SHUT} if holds else {})


def test_a_new_word_holds_anew() -> None:
    game, overrides = game_with_a_believed_tile(), Overrides()
    for shown in (BETWEEN, OPEN):
        holds = overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: shown})
    assert not holds
    overrides.forget("front-8")
    assert overrides.apply(game, {FRONT_8: SHUT}, {FRONT_8: OPEN})


def test_nobody_vouches_for_the_others() -> None:
    game = game_with_a_believed_tile()
    wanted = targets(game.board, load_box("two-level-9"))
    assert set(Overrides().apply(game, wanted, wanted)) == {FRONT_8}


async def test_a_tile_that_is_vouched_for_and_then_moved_is_noticed(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.world.jam(FRONT_8)
        await referee.ask(TakeThrow((5, 3)))
        await referee.ask(Choose(("front-8",)))
        await until(referee, "halted")
        table.world.lift()
        table.world.hand_moves(FRONT_8, SHUT)
        await referee.ask(Believe())
        await until(referee, "awaiting_throw")
        table.world.hand_moves(FRONT_8, OPEN)
        fault = (await until(referee, "halted")).fault
        assert fault is not None
        assert (fault.code, fault.part, fault.expected, fault.seen) == ("H-303", "front-8", "SHUT", "OPEN")
        await asyncio.sleep(3)
        assert referee.snapshot.phase == "halted", "the word of before says nothing of it"
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert table.world.position(FRONT_8) is SHUT, "the box has put it back"
