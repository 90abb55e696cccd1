"""Snapshots suffice to draw the table: a program that knows nothing of ours agrees with the simulated wood."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.box.table import can_show
from controller.game.commands import Abandon, AcceptLoss, Choose, ClientCommand, GoOn, Park, StartGame, TakeThrow
from controller.game.players import Player
from controller.game.sight import DieView, Sight
from controller.game.snapshot import SNAPSHOT, Snapshot
from controller.game.views import dice_of, likely_of
from controller.referee.referee import Referee
from controller.rules import GAMES, Throw, rules_of
from hardware.box import load_box
from hardware.tiles import Position
from tests.support.tables import TableRig, open_table_rig, until
from vision.reading import DieReading, read

Seen = list[tuple[Snapshot, set[str]]]
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


async def play_a_game(table: TableRig, referee: Referee, chance: random.Random, game: str) -> Seen:
    """A random game, given up where it is long: its snapshots, each with the tiles that truly stand then."""
    await referee.ask(StartGame((Player("Ann"), Player("Bob")), game))
    seen: Seen = []
    for _ in range(chance.randint(8, 30)):
        now = await at_rest(referee)
        seen.append((now, standing(table)))
        if now.phase == "ended":
            return seen
        command = next_command(chance, now)
        if command is not None:
            told = await referee.ask(command)
            seen.append((told, standing(table)))
    if referee.snapshot.phase != "ended":
        await referee.ask(Abandon())
    return seen


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
    return None


async def at_rest(referee: Referee) -> Snapshot:
    async with asyncio.timeout(60), referee.watch() as snapshots:
        while True:
            now = await snapshots.get()
            if now.phase not in ("moving", "idle") and not now.house:
                return now


def standing(table: TableRig) -> set[str]:
    return {str(tile) for tile in BOX.tile_ids if table.world.position(tile) is Position.OPEN}


@pytest.mark.parametrize("seed", range(3))
async def test_who_draws_from_snapshots_alone_shows_what_the_wood_shows(tmp_path: Path, seed: int) -> None:
    chance = random.Random(f"drawn/{seed}")
    seen: Seen = []
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        for game in chance.sample(PLAYED, 3):
            seen += await play_a_game(table, referee, chance, game)
    for (now, wood), drawn in zip(seen, draw_alone([now for now, _ in seen]), strict=True):
        disagreement = disagreement_of(now, wood, drawn)
        assert not disagreement, (now.phase, now.game, disagreement)


def disagreement_of(now: Snapshot, wood: set[str], drawn: dict[str, Any]) -> str:
    """What the picture shows otherwise than wood and game; empty where they agree."""
    names = {tile.name for tile in now.tiles}
    off = set(drawn["standing"]) ^ (wood & names)
    if now.phase == "moving" and off != set(drawn["moving"]):
        return f"on their way {sorted(off)}, drawn as moving {drawn['moving']}"
    if now.phase not in ("moving", "parked") and off:
        return f"elsewhere in the wood: {sorted(off)}"
    if drawn["dice"] != sorted(now.throw):
        return f"dice {drawn['dice']} of {now.throw}"
    if now.turn is not None and f">{now.turn}" not in drawn["seats"]:
        return f"{now.turn} is at turn, drawn {drawn['seats']}"
    return "" if drawn["question"] and drawn["buttons"] else "no question or nothing to press"


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
    assert likely_of((1, 3, 6), Sight(dice=lying, likely=reading.others)) == reading.others
    assert likely_of((1, 3, 4), Sight(dice=lying, likely=reading.others)) == ()
    assert likely_of((), Sight(eye="doubtful", likely=((1, 2),))) == ((1, 2),)
    assert likely_of((), Sight(likely=((1, 2),))) == ()


def test_what_was_seen_of_another_throw_is_not_shown_as_this_one() -> None:
    seen = (DieView(3, 10.0, 20.0, "white"), DieView(5, 40.0, 20.0, "white"))
    assert dice_of(Throw((5, 3)), seen) == seen
    assert dice_of(Throw((5, 4)), seen) == (DieView(4), DieView(5))
    assert dice_of(None, seen) == ()
