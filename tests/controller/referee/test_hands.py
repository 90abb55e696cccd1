"""Hands on the tiles: tipping them is choosing while a player chooses, and is noticed at once at any other time."""

import asyncio
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.errors import JournalUnwritable
from controller.game.core.commands import Park, StartGame, TryAgain
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.shutbox.evolve import replay_box_game as replay
from controller.game.table.snapshot import Snapshot
from controller.referee.referee import Referee
from hardware.tiles import Position, TileId
from tests.support.tables import TableRig, open_table_rig, until
from tests.support.true_box import driven_tiles

ANN = (Player("Ann"),)
OPEN, SHUT = Position.OPEN, Position.SHUT
FRONT_8 = TileId(1, 8)


def tip(table: TableRig, *names: str, to: Position = SHUT) -> None:
    for name in names:
        table.world.hand_moves(TileId.parse(name), to)


def lying(table: TableRig) -> set[str]:
    world = table.world
    return {str(tile) for tile in world.box.tile_ids if world.position(tile) is SHUT}


def gone(snapshot: Snapshot) -> set[str]:
    """The tiles that the board of a snapshot shows as shut."""
    fronts, backs = ((row.split()) for row in (snapshot.board or "").split("/"))
    names = [f"front-{n}" for n in range(1, 10)] + [f"back-{n}" for n in range(9, 0, -1)]
    return {name for name, shown in zip(names, fronts + backs, strict=True) if shown == "."}


async def choosing(referee: Referee, *dice: int) -> Snapshot:
    if referee.snapshot.game is None:
        await referee.ask(StartGame(ANN))
    await until(referee, "awaiting_throw")
    await referee.ask(TakeThrow(dice))
    return await until(referee, "choosing")


async def test_tiles_tipped_by_hand_are_the_move(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        tip(table, "front-1")
        await until(referee, "choosing", notice="front-1 is down: tip the rest of a move")
        assert not gone(referee.snapshot)
        tip(table, "front-7")
        await until(referee, "choosing", notice="front-1 and front-7 are down: that counts as your move in 2 seconds")
        assert not gone(referee.snapshot), "the player can still take it back"
        pulses = table.world.current_a
        taken = await until(referee, "awaiting_throw")
        assert gone(taken) == lying(table) == {"front-1", "front-7"}
        assert table.world.current_a == pytest.approx(pulses), "what lies already gets no pulse"


async def test_a_move_can_be_taken_back_while_it_is_counted_down(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        tip(table, "front-8")
        await until(referee, "choosing", notice="in 1 second,")
        tip(table, "front-8", to=OPEN)
        await asyncio.sleep(10)
        assert referee.snapshot.phase == "choosing"
        assert referee.snapshot.notice == ""
        tip(table, "front-2", "front-6")
        assert gone(await until(referee, "awaiting_throw")) == {"front-2", "front-6"}


async def test_a_move_that_could_not_be_kept_can_still_be_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        with monkeypatch.context() as full:
            full.setattr(table.journal, "append", refuse)
            tip(table, "front-8")
            await until(referee, "choosing", notice="This cannot be saved now")
            tip(table, "front-8", to=OPEN)
            await asyncio.sleep(10)
        await asyncio.sleep(10)
        assert referee.snapshot.phase == "choosing"
        assert not lying(table)


def refuse(*_words: Any) -> None:
    raise JournalUnwritable("the disk is full")


async def test_a_pause_ends_what_is_counted_down(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        tip(table, "front-8")
        counting = await until(referee, "choosing", notice="in 1 second,")
        parked = await referee.ask(Park())
        await asyncio.sleep(1)
        assert (counting.countdown_s, parked.phase, referee.snapshot.countdown_s) == (1, "parked", None)


@pytest.mark.parametrize(
    ("tipped", "notice", "left"),
    [
        (("front-9",), "front-9 is not part of any move for 3 and 5. Hands off: the box puts it back", set()),
        (
            ("front-3", "front-6"),
            "front-3 and front-6 together are not part of any move for 3 and 5. Hands off: the box puts them back",
            set(),
        ),
        (
            ("front-1", "front-9"),
            "front-9 is not part of any move for 3 and 5. Hands off: the box puts it back",
            {"front-1"},
        ),
    ],
)
async def test_a_wrong_tile_is_named_and_put_back(
    tmp_path: Path, tipped: tuple[str, ...], notice: str, left: set[str]
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        tip(table, *tipped)
        await until(referee, "choosing", notice=notice)
        await asyncio.sleep(5)
        assert lying(table) == left
        assert not gone(referee.snapshot)
        await referee.ask(Choose(("front-8",)))
        await until(referee, "awaiting_throw")
        assert lying(table) == {"front-8"}


async def test_a_second_wrong_tile_tipped_meanwhile_goes_back_too(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 2, 2)
        tip(table, "front-8")
        await until(referee, "choosing", notice="front-8 is not part of any move")
        tip(table, "back-2")
        await asyncio.sleep(5)
        assert referee.snapshot.phase == "choosing"
        assert not lying(table)


async def test_a_tile_that_was_shut_before_is_put_down_again(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        await referee.ask(Choose(("front-8",)))
        await choosing(referee, 2, 2)
        tip(table, "front-8", to=OPEN)
        await until(referee, "choosing", notice="front-8 is not part of any move")
        await asyncio.sleep(5)
        assert lying(table) == {"front-8"}


async def test_a_tile_held_half_way_is_waited_for(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 5, 3)
        tip(table, "front-8", to=Position.BETWEEN)
        table.world.hold_tile(FRONT_8)
        await until(referee, "choosing", notice="front-8 is half way")
        await asyncio.sleep(20)
        assert referee.snapshot.phase == "choosing"
        table.world.lift("held:front-8")
        await until(referee, "choosing", notice="front-8 is down: that counts as your move")
        assert gone(await until(referee, "awaiting_throw")) == lying(table) == {"front-8"}


@pytest.mark.parametrize(
    ("dice", "notice", "left"),
    [
        (
            (5, 1),
            "front-7 and back-3 together are not part of any move for 1 and 5. Hands off: the box puts them back",
            set(),
        ),
        ((5, 2), "back-3 is not part of any move for 2 and 5. Hands off: the box puts it back", {"front-7"}),
    ],
)
async def test_a_back_tile_that_takes_its_front_tile_along_is_put_back_and_that_counts_if_it_fits(
    tmp_path: Path, dice: tuple[int, ...], notice: str, left: set[str]
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, *dice)
        tip(table, "back-3")
        assert lying(table) == {"front-7", "back-3"}
        await until(referee, "choosing", notice=notice)
        if left:
            await until(referee, "choosing", notice="front-7 is down: that counts as your move in 2 seconds")
        await asyncio.sleep(5)
        assert gone(referee.snapshot) == lying(table) == left


@pytest.mark.parametrize("to", [SHUT, Position.BETWEEN])
@pytest.mark.parametrize("box", ["two-level-9", "two-level-12"])
async def test_a_tile_moved_at_another_time_is_named_within_a_tenth_of_a_second(
    tmp_path: Path, box: str, to: Position
) -> None:
    async with open_table_rig(tmp_path, box=box) as table, table.referee() as referee:
        columns = table.world.box.columns
        await referee.ask(StartGame(ANN, options={"columns": columns}))
        await until(referee, "awaiting_throw")
        await asyncio.sleep(3.21)
        tip(table, "front-4", to=to)
        await asyncio.sleep(0.1)
        fault = referee.snapshot.fault
        assert fault is not None
        assert (fault.code, fault.part, fault.seen) == ("H-303", "front-4", str(to))
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert not lying(table)


async def test_a_tile_flicked_in_the_middle_of_a_motion_is_brought_back(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 6, 4)
        await referee.ask(Choose(("front-1", "front-9")))
        await asyncio.sleep(0.05)
        tip(table, "front-5")
        assert gone(await until(referee, "awaiting_throw")) == {"front-1", "front-9"}
        assert lying(table) == {"front-1", "front-9"}


@pytest.mark.parametrize(("flicked", "ends_in"), [(2, "awaiting_throw"), (3, "halted")])
async def test_a_motion_is_over_only_when_every_tile_is_seen_in_its_place(
    tmp_path: Path, flicked: int, ends_in: PhaseName
) -> None:
    """While a tile is on its way back a hand flicks the next: twice that is made good, then people are asked."""
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await choosing(referee, 6, 4)
        await referee.ask(Choose(("front-1", "front-9")))
        moving = "front-1"
        for name in ("front-5", "front-4", "front-3")[:flicked]:
            while TileId.parse(moving) not in driven_tiles(table.world):
                assert referee.snapshot.phase == "moving"
                await asyncio.sleep(0.01)
            tip(table, name)
            moving = name
        await until(referee, ends_in)
        confirmed = [entry.event.kind for entry in table.journal.entries(1)].count("tiles_confirmed")
        assert confirmed == (2 if ends_in == "awaiting_throw" else 1)
        if ends_in == "halted":
            await referee.ask(TryAgain())
            await until(referee, "awaiting_throw")
        assert lying(table) == {"front-1", "front-9"}


@pytest.mark.parametrize("mixed", [False, True])
async def test_a_whole_game_is_played_by_hand(tmp_path: Path, mixed: bool) -> None:
    """By tipping alone, and mixed with moves chosen in words; now and then a wrong tile is tipped first."""

    async def story() -> None:
        chance = Random(5)
        words = cycle((False, True) if mixed else (False,))
        async with open_table_rig(tmp_path) as table, table.referee() as referee:
            await referee.ask(StartGame(ANN))
            while True:
                snapshot = referee.snapshot
                if snapshot.phase == "ended":
                    break
                if snapshot.phase == "awaiting_throw":
                    assert gone(snapshot) == lying(table)
                    await referee.ask(TakeThrow(tuple(chance.randint(1, 6) for _ in range(max(snapshot.dice_allowed)))))
                elif snapshot.phase == "choosing":
                    await choose(table, referee, snapshot, chance, in_words=next(words))
                elif snapshot.phase == "turn_lost":
                    await referee.ask(AcceptLoss())
                await asyncio.sleep(0.5)
            game = replay(entry.event for entry in table.journal.entries(1))
            assert game is not None
            assert game.scores == (game.rules.score(game.board),)

    async def choose(table: TableRig, referee: Referee, snapshot: Snapshot, chance: Random, *, in_words: bool) -> None:
        move = chance.choice(snapshot.moves)
        if in_words:
            await referee.ask(Choose(move))
            return
        in_some_move = {tile for each in snapshot.moves for tile in each}
        standing = [f"front-{n}" for n in range(1, 10) if f"front-{n}" not in lying(table) | in_some_move]
        if standing and chance.random() < 0.3:
            tip(table, chance.choice(standing))
            await until(referee, "choosing", notice="is not part of any move for")
            await asyncio.sleep(4)
        for name in sorted(move, reverse=True):
            tip(table, name)
            await asyncio.sleep(chance.uniform(0.05, 1.0))
        await asyncio.sleep(4)

    await story()
