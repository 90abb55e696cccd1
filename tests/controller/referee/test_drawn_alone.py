"""Snapshots suffice to draw the table: a program that knows nothing of ours agrees with the simulated wood."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from controller.box.compatibility import can_show
from controller.game.core.commands import Abandon, GoOn, Park, PutRight, StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.core.sight import CameraState, DieView
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, TakeThrow
from controller.game.shutbox.engine import dice_of
from controller.game.table.snapshot import SNAPSHOT, Snapshot, likely_of
from controller.game.table.wire import ClientCommand
from controller.referee.referee import Referee
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.throw import Throw
from hardware.box import load_box
from hardware.column import TRAVEL_DEG
from hardware.sim.tile import LIES_ABOVE_DEG
from hardware.tiles import Position, TileId
from tests.support.long import long_but_every
from tests.support.tables import TableRig, open_table_rig, until
from tests.support.true_box import wood_of
from vision.reading import DieReading, read

# Where the tiles are; None for one that hangs on its rod where its sensor may or may not see it: a kick in the moment
# in which its servo was let go has turned the horn from its rest.
Wood = dict[str, Position | None]
Seen = list[tuple[Snapshot, Wood]]
PLACES = (Position.OPEN, Position.SHUT, Position.BETWEEN)
JAMS = 0.12  # how often a tile jams before a command
PROGRAM = Path(__file__).parents[2] / "support" / "draws_alone.py"
BOX = load_box("two-level-9")
PLAYED = [name for name in GAMES if can_show(rules_of(name, {}), BOX) and rules_of(name, {}).sides == 6]


def draw_alone(told: Sequence[Snapshot]) -> list[dict[str, Any]]:
    """What the program draws, which finds no module of ours: it runs isolated, in an empty folder of modules."""
    lines = "\n".join(SNAPSHOT.dump_json(snapshot).decode() for snapshot in told)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM)], input=lines, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


async def play_a_game(table: TableRig, chance: random.Random, game: str) -> Seen:
    """A random game with jammed tiles and power cuts, in which hands move tiles, given up where it is long.

    Its snapshots, each with where the tiles truly are then.
    """
    seen: Seen = []
    for leg in range(chance.randint(1, 3)):
        async with table.referee() as referee:
            if not leg:
                seen.append((referee.snapshot, wood(table)))
                await referee.ask(StartGame((Player("Ann"), Player("Bob")), game))
            seen += await play_a_leg(table, referee, chance)
            if seen[-1][0].phase == "ended":
                return seen
        move_by_hand(table, chance)
        await asyncio.sleep(1)
    async with table.referee() as referee:
        await referee.ask(Abandon())
    return seen


async def play_a_leg(table: TableRig, referee: Referee, chance: random.Random) -> Seen:
    """What is seen from one start of the daemon to its end."""
    seen: Seen = []
    for _ in range(chance.randint(4, 12)):
        now = await at_rest(referee)
        seen.append((now, wood(table)))
        if now.phase == "ended":
            break
        if chance.random() < JAMS:
            table.world.jam(chance.choice(BOX.tile_ids))
        elif now.phase == "halted":
            for fault in table.world.faults:
                table.world.lift(fault)
        command = next_command(chance, now)
        if command is not None:
            told = await referee.ask(command)
            seen.append((told, wood(table)))
    return seen


def move_by_hand(table: TableRig, chance: random.Random) -> None:
    """Some tiles are moved while nobody looks; a tile that another is in the way of stays."""
    for tile in chance.sample(BOX.tile_ids, chance.randint(0, 3)):
        places = [place for place in PLACES if place is not table.world.position(tile)]
        with suppress(ValueError):
            table.world.hand_moves(tile, chance.choice(places))


def next_command(chance: random.Random, now: Snapshot) -> ClientCommand | None:
    if now.phase == "parked":
        return GoOn()
    if chance.random() < 0.08:
        return Park()
    match now.phase:
        case "awaiting_throw":
            return TakeThrow(tuple(chance.randint(1, 6) for _ in range(chance.choice(now.dice_allowed))))
        case "choosing":
            return Choose(chance.choice(now.moves))
        case "turn_lost":
            return AcceptLoss()
        case "halted":
            return TryAgain()
        case "differing":
            return CorrectGame() if now.can("correct_game") and chance.random() < 0.5 else PutRight()
    return None


async def at_rest(referee: Referee) -> Snapshot:
    """The next moment at which people are asked something, and the box has looked at its tiles, if it does then."""
    async with asyncio.timeout(60), referee.watch() as snapshots:
        while True:
            now = await snapshots.get()
            looked = now.phase in ("parked", "halted", "ended") or all(tile.seen for tile in now.tiles)
            if now.phase not in ("moving", "idle") and not now.house and looked:
                return now


def wood(table: TableRig) -> Wood:
    table.world.catch_up()
    hangs = {tile for tile in BOX.tile_ids if LIES_ABOVE_DEG <= wood_of(table.world, tile).angle_deg < TRAVEL_DEG - 11}
    return {str(tile): None if tile in hangs else table.world.position(tile) for tile in BOX.tile_ids}


@pytest.mark.parametrize("seed", long_but_every(3, range(3)))
async def test_who_draws_from_snapshots_alone_shows_what_the_wood_shows(tmp_path: Path, seed: int) -> None:
    chance = random.Random(f"drawn/{seed}")
    seen: Seen = []
    async with open_table_rig(tmp_path) as table:
        for game in chance.sample(PLAYED, 3):
            seen += await play_a_game(table, chance, game)
    for (now, truth), drawn in zip(seen, draw_alone([now for now, _ in seen]), strict=True):
        disagreement = disagreement_of(now, truth, drawn)
        assert not disagreement, (now.phase, now.game, disagreement)


def disagreement_of(now: Snapshot, truth: Wood, drawn: dict[str, Any]) -> str:
    """What the picture shows otherwise than wood and game; empty where they agree."""
    seen = {tile.name for tile in now.tiles if tile.seen}
    off = {name for name, place in drawn["places"].items() if name in seen and truth[name] not in (place, None)}
    # While tiles move, and until the next look at them, the picture is a moment old.
    if now.phase not in ("moving", "parked") and off:
        return f"elsewhere in the wood: {sorted(off)}"
    if now.phase == "differing" and any(truth[name] not in (place, None) for name, place in drawn["found"].items()):
        return f"found {drawn['found']}"
    if drawn["dice"] != sorted(now.throw):
        return f"dice {drawn['dice']} of {now.throw}"
    if now.turn is not None and f">{now.turn}" not in drawn["seats"]:
        return f"{now.turn} is at turn, drawn {drawn['seats']}"
    return "" if drawn["question"] and drawn["buttons"] else "no question or nothing to press"


async def test_a_halt_tells_where_the_other_tiles_have_come_to(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((Player("Ann"),), options={"first": "chosen"}))
        await until(referee, "awaiting_throw")
        await referee.ask(TakeThrow((5, 3)))
        table.world.jam(TileId(1, 5))
        await referee.ask(Choose(("front-5", "front-3")))
        now = await until(referee, "halted")
        seen = {tile.name: tile.seen for tile in now.tiles}
        assert (seen["front-5"], seen["front-3"], now.fault and now.fault.part) == ("OPEN", "SHUT", "front-5")


async def test_dice_are_told_where_they_lie_and_typed_ones_by_their_faces(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame((Player("Ann"),), options={"first": "chosen"}))
        await until(referee, "awaiting_throw")
        await asyncio.sleep(0.1)
        assert referee.snapshot.eye == "waiting"
        table.world.throw_dice(2)
        now = await until(referee, "choosing")
        lying = {(die.value, round(die.x_mm, 1), round(die.y_mm, 1)) for die in table.world.dice()}
        assert {(die.face, die.x_mm, die.y_mm) for die in now.dice} == lying
        assert (now.simulated, now.lid, now.countdown_s) == (True, "open", None)


def test_a_correction_is_offered_what_may_have_been_misread() -> None:
    dice = (DieReading(3, (1.0, 1.0), 0.99, "white", 5), DieReading(6, (2.0, 2.0), 0.9, "white", 4))
    reading = read((*dice, DieReading(1, (3.0, 3.0), 0.5, "white")))
    assert reading.others == ((1, 3, 4), (1, 5, 6))
    lying = tuple(DieView(die.value) for die in reading.dice)
    assert likely_of((1, 3, 6), CameraState(dice=lying, likely=reading.others)) == reading.others
    assert likely_of((1, 3, 4), CameraState(dice=lying, likely=reading.others)) == ()
    assert likely_of((), CameraState(eye="doubtful", likely=((1, 2),))) == ((1, 2),)
    assert likely_of((), CameraState(likely=((1, 2),))) == ()


def test_what_was_seen_of_another_throw_is_not_shown_as_this_one() -> None:
    seen = (DieView(3, 10.0, 20.0, "white"), DieView(5, 40.0, 20.0, "white"))
    assert dice_of(Throw((5, 3)), seen) == seen
    assert dice_of(Throw((5, 4)), seen) == (DieView(4), DieView(5))
    assert dice_of(None, seen) == ()
