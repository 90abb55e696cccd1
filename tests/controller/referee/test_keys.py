"""Commands that come late or twice: refused with the new state, or answered with what they did, after a restart too."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import JournalUnwritable, NotNow, TooLate
from controller.game.core.commands import GoOn, Park, StartGame
from controller.game.core.events import GameEvent
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, RollDice, TakeThrow
from controller.game.shutbox.events import DiceThrown, MoveChosen
from controller.game.table.snapshot import Snapshot
from controller.game.table.wire import ClientCommand
from controller.referee.referee import Referee
from controller.rules.errors import RulesError
from tests.support.long import long_but_every
from tests.support.tables import TableRig, open_table_rig, until

START = StartGame((Player("Ann"), Player("Bob")), options={"first": "chosen"}, key="start-the-game")


def meant_for(snapshot: Snapshot, command: ClientCommand, key: str) -> ClientCommand:
    return replace(command, game_id=snapshot.game_id, event=snapshot.event, key=key)


def happened(table: TableRig) -> list[GameEvent]:
    return [entry.event for game_id in table.journal.game_ids() for entry in table.journal.entries(game_id)]


async def test_a_late_command_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        seen = await until(referee, "awaiting_throw")
        first, late = (meant_for(seen, TakeThrow(dice), f"throw {dice}") for dice in ((5, 3), (6, 6)))
        await referee.ask(first)
        with pytest.raises(TooLate, match="something else has happened since: Ann threw 3 and 5, total 8"):
            await referee.ask(late)
        assert referee.snapshot.throw == (3, 5)
        with pytest.raises(TooLate):
            await referee.ask(replace(Choose(("front-8",)), game_id=7))


async def test_a_repeated_command_is_answered_and_not_done_again_after_a_restart_either(tmp_path: Path) -> None:
    chosen = Choose(("front-8",), key="shut the eight")
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            assert (await referee.ask(START)).game_id == (await referee.ask(START)).game_id == 1
            seen = await until(referee, "awaiting_throw")
            throw = meant_for(seen, TakeThrow((5, 3)), "five and three")
            assert (await referee.ask(throw)).event == (await referee.ask(throw)).event
            await referee.ask(chosen)
            await until(referee, "awaiting_throw")
            assert (await referee.ask(chosen)).phase == "awaiting_throw"
        async with table.referee() as referee:
            await until(referee, "awaiting_throw")
            for again in (START, throw, chosen):
                assert (await referee.ask(again)).phase == "awaiting_throw"
        kinds = [type(event) for event in happened(table)]
        assert (kinds.count(DiceThrown), kinds.count(MoveChosen)) == (1, 1)


async def test_dice_are_thrown_once_though_their_command_comes_twice(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        async with table.referee() as referee:
            await referee.ask(START)
            await until(referee, "awaiting_throw")
            await referee.ask(RollDice(key="throw them"))
            lying = table.world.dice()
            await referee.ask(RollDice(key="throw them"))
        async with table.referee() as referee:
            await referee.ask(RollDice(key="throw them"))
            assert table.world.dice() == lying


async def test_a_repeated_pause_that_changed_nothing_changes_nothing_later_either(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        await until(referee, "awaiting_throw")
        await referee.ask(Park(key="Ann pauses"))
        assert (await referee.ask(Park(key="Bob does"))).phase == "parked"
        await referee.ask(GoOn())
        await until(referee, "awaiting_throw")
        assert (await referee.ask(Park(key="Bob does"))).phase == "awaiting_throw"


async def test_a_command_that_was_refused_is_not_taken_for_done(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        await until(referee, "awaiting_throw")
        correction = CorrectThrow((6, 6), key="two sixes")
        with pytest.raises(NotNow):
            await referee.ask(correction)
        await referee.ask(TakeThrow((5, 3)))
        assert (await referee.ask(correction)).throw == (6, 6)


async def test_a_key_that_cannot_be_written_keeps_the_dice_in_the_hand(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        await until(referee, "awaiting_throw")
        table.journal._db.execute("PRAGMA query_only = 1")
        with pytest.raises(JournalUnwritable):
            await referee.ask(RollDice(key="throw them"))
        assert table.world.dice() == ()
        table.journal._db.execute("PRAGMA query_only = 0")
        await referee.ask(RollDice(key="throw them"))
        await until(referee, "choosing")


def test_keys_of_old_games_are_forgotten(tmp_path: Path) -> None:
    from controller.journal.store import Journal

    with Journal(tmp_path / "journal.sqlite3") as journal:
        for game_id in range(1, 6):
            journal.note_key(f"key of {game_id}", game_id, 1)
        assert [journal.knows_key(f"key of {game_id}") for game_id in range(1, 6)] == [False] * 3 + [True] * 2


@pytest.mark.parametrize("seed", long_but_every(3, range(6)))
async def test_four_clients_that_repeat_themselves_and_lose_answers_do_nothing_twice(tmp_path: Path, seed: int) -> None:
    """Each sends what it saw last, some late, some twice, some while the daemon is started again."""
    chance = random.Random(f"clients/{seed}")
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        done: dict[str, int] = {}
        sent: list[ClientCommand] = []
        for _ in range(3):
            async with table.referee() as referee:
                await asyncio.gather(*(_play(referee, random.Random(chance.random()), sent, done) for _ in range(4)))
        throws = [event for event in happened(table) if isinstance(event, DiceThrown)]
        moves = [event for event in happened(table) if isinstance(event, MoveChosen)]
        assert len(throws) == sum(kind.startswith("dice") for kind in done)
        assert len(moves) == sum(kind.startswith("choose") for kind in done)
        assert len(throws) > 3


async def _play(referee: Referee, chance: random.Random, sent: list[ClientCommand], done: dict[str, int]) -> None:
    """A client that plays for anybody; `done` counts, by kind and key, what was acknowledged."""
    for _ in range(12):
        seen = referee.snapshot
        await asyncio.sleep(chance.choice((0, 0.01, 0.5, 3)))
        command = _wish(chance, seen) if chance.random() < 0.75 or not sent else chance.choice(sent)
        if command is None:
            continue
        sent.append(command)
        asking = asyncio.ensure_future(referee.ask(command))
        if chance.random() < 0.2:
            await asyncio.sleep(0)
        try:
            before = referee.snapshot.event
            await asking
        except (NotNow, RulesError):
            continue
        done[f"{command.do} {command.key}"] = before


def _wish(chance: random.Random, seen: Snapshot) -> ClientCommand | None:
    key = f"{chance.getrandbits(64):016x}"
    match seen.phase:
        case "idle" | "ended":
            return replace(START, key=key, game_id=seen.game_id, event=seen.event)
        case "awaiting_throw" if chance.random() < 0.3:
            return TakeThrow(tuple(chance.randint(1, 6) for _ in range(max(seen.dice_allowed))), key=key)
        case "awaiting_throw":
            dice = tuple(chance.randint(1, 6) for _ in range(max(seen.dice_allowed)))
            return meant_for(seen, TakeThrow(dice), key)
        case "choosing":
            return meant_for(seen, Choose(chance.choice(seen.moves)), key)
        case "turn_lost":
            return meant_for(seen, AcceptLoss(), key)
    return None
