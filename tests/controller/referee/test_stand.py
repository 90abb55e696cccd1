"""The box at a table, and the one that comes in its place when a game needs another."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.access.access import Access
from controller.box.choose import choose_box
from controller.cli.daemon import Kept, keep_table
from controller.errors import BoxTooSmall, NotNow
from controller.game.core.commands import Abandon, Park, StartGame
from controller.game.core.players import Player
from controller.journal.store import Journal
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.home import Home
from controller.settings import Settings

ANN = (Player("Ann"),)


@asynccontextmanager
async def open_stand(folder: Path, *, simulated: bool = True) -> AsyncIterator[tuple[BoxSlot, Referee]]:
    home, settings = Home(folder, folder, fixed=True), Settings()
    chosen = choose_box("two-level-9", settings, home, mock=True, faults=(), seed=1)
    stand = BoxSlot(chosen if simulated else replace(chosen, another=None))
    with Journal(home.journal) as journal:
        async with keep_table(stand, Kept(journal, home, settings, Access(), Meters())) as referee:
            yield stand, referee


async def test_a_simulated_box_makes_room_for_the_one_that_a_game_needs(tmp_path: Path) -> None:
    async with open_stand(tmp_path) as (stand, referee):
        await stand.make_fit(rules_of("the-300"), referee)
        begun = await referee.ask(StartGame(ANN, "the-300"))
        await referee.ask(Abandon())
        await stand.make_fit(rules_of("two-level"), referee)
        after = referee.snapshot

    assert (begun.box, len(begun.tiles)) == ("the-300", 24)
    assert (after.box, after.phase, after.can("start")) == ("two-level-9", "idle", True)


async def test_every_game_starts_one_after_another(tmp_path: Path) -> None:
    async with open_stand(tmp_path) as (stand, referee):
        for game in GAMES:
            rules = rules_of(game)
            await stand.make_fit(rules, referee)
            begun = await referee.ask(StartGame(ANN, game))
            await referee.ask(Abandon())
            assert (begun.game, len(begun.tiles)) == (game, len(rules.layout.by_name))


async def test_a_box_that_fits_stays(tmp_path: Path) -> None:
    async with open_stand(tmp_path) as (stand, referee):
        number = referee.snapshot.number
        await stand.make_fit(rules_of("pub"), referee)
        assert referee.snapshot.number == number


@pytest.mark.parametrize("pause", [False, True])
async def test_no_box_is_exchanged_while_a_game_is_on(tmp_path: Path, pause: bool) -> None:
    async with open_stand(tmp_path) as (stand, referee):
        await referee.ask(StartGame(ANN))
        if pause:
            await referee.ask(Park())
        before = referee.snapshot
        with pytest.raises(NotNow, match="a game is on"):
            await stand.make_fit(rules_of("the-300"), referee)
        assert (referee.snapshot.box, referee.snapshot.game_id) == (before.box, before.game_id)


async def test_a_box_of_metal_stays_whatever_the_game_needs(tmp_path: Path) -> None:
    async with open_stand(tmp_path, simulated=False) as (stand, referee):
        with pytest.raises(BoxTooSmall, match="the-300 needs 1 x 24 tiles"):
            await stand.make_fit(rules_of("the-300"), referee)


async def test_a_game_that_was_left_on_the_other_box_is_taken_up_there(tmp_path: Path) -> None:
    home = Home(tmp_path, tmp_path, fixed=True)
    other = choose_box("the-300", Settings(), home, mock=True, faults=(), seed=1)
    with Journal(home.journal) as journal:
        async with keep_table(BoxSlot(other), Kept(journal, home, Settings(), Access(), Meters())) as referee:
            left = await referee.ask(StartGame(ANN, "the-300"))
    async with open_stand(tmp_path) as (stand, referee):
        await stand.make_fit(rules_of("the-300"), referee)
        assert (referee.snapshot.game_id, referee.snapshot.is_game_on) == (left.game_id, True)
