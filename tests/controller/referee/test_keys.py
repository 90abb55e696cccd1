"""Commands that come late or twice: refused with the new state, or answered with what they did, after a restart too."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import JournalUnwritable, KeyTaken, NotNow, TooLate
from controller.game.core.commands import GoOn, Park, StartGame
from controller.game.core.events import GameEvent
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, RollDice, TakeThrow
from controller.game.shutbox.events import DiceThrown, MoveChosen
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.game.table.wire import ClientCommand
from controller.journal.keys import GAMES_WITH_KEYS
from controller.journal.store import HeldSeat, Journal
from controller.referee.referee import Referee
from controller.rules.errors import RulesError
from tests.campaigns.crashes.journal_play import made_up_key
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


async def test_a_command_that_was_refused_is_neither_done_nor_told_as_done_when_a_copy_of_it_arrives(
    tmp_path: Path,
) -> None:
    correction = CorrectThrow((6, 6), key="two sixes")
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        await until(referee, "awaiting_throw")
        with pytest.raises(NotNow) as refused:
            await referee.ask(correction)
        await referee.ask(TakeThrow((5, 3)))
        with pytest.raises(type(refused.value), match=str(refused.value)):
            await referee.ask(correction)
        assert referee.snapshot.throw == (3, 5)
        assert (await referee.ask(replace(correction, key="once more"))).throw == (6, 6)


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
    keys = [made_up_key(f"key of {game_id}") for game_id in range(1, 6)]
    with Journal(tmp_path / "journal.sqlite3") as journal:
        for game_id, key in enumerate(keys, 1):
            journal.note_key(key, game_id, 1)
        assert [journal.keys.use_of(key) for key in keys] == ["new"] * 3 + ["done"] * 2


async def test_a_key_used_for_another_command_is_refused_by_name_after_a_restart_too(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await referee.ask(START)
            seen = await until(referee, "awaiting_throw")
            throw = meant_for(seen, TakeThrow((5, 3)), "mine alone")
            await referee.ask(throw)
            for other in (Choose(("front-8",), key=throw.key), replace(throw, event=None), Park(key=throw.key)):
                with pytest.raises(KeyTaken, match="used for another command, so nothing was done"):
                    await referee.ask(other)
            assert referee.snapshot.phase == "choosing"
        async with table.referee() as referee:
            await until(referee, "choosing")
            with pytest.raises(KeyTaken):
                await referee.ask(Choose(("front-8",), key=throw.key))
            assert (await referee.ask(throw)).throw == (3, 5)


async def test_a_key_belongs_to_its_client(tmp_path: Path) -> None:
    ann, bob = (Caller("script", client=name) for name in ("ann", "bob"))
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START, ann)
        await until(referee, "awaiting_throw")
        await referee.ask(TakeThrow((5, 3), key="number 1"), ann)
        assert (await referee.ask(Choose(("front-8",), key="number 1"), bob)).phase != "choosing"


async def test_who_lost_their_token_with_a_restart_may_repeat_what_they_sent_under_a_new_one(tmp_path: Path) -> None:
    before, after, here = Caller("page", client="one token"), Caller("page", client="another"), Caller("script")
    throw = TakeThrow((5, 3), key="number 1")
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        async with table.referee() as referee:
            await referee.ask(START, before)
            await until(referee, "awaiting_throw")
            await referee.ask(throw, before)
            # While the daemon runs, a token that it has not seen before is somebody else's.
            with pytest.raises(NotNow):
                await referee.ask(throw, after)
        async with table.referee() as referee:
            await until(referee, "choosing")
            assert (await referee.ask(throw, after)).throw == (3, 5)
            with pytest.raises(KeyTaken):
                await referee.ask(Choose(("front-8",), key=throw.key), after)
            # Those at this computer need no token, so what was sent with one was not theirs.
            assert (await referee.ask(Choose(("front-8",), key=throw.key), here)).phase != "choosing"


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


CLIENTS = ("", "token of Ann", "token of Bob")  # somebody at this computer, and two who hold seats
_KEYS = 40


class KeyReusers:
    """Clients that use a few keys again and again, for any command, and what the answers alone make of each."""

    def __init__(self, table: TableRig, chance: random.Random) -> None:
        self._table = table
        self._chance = chance
        self._done: dict[tuple[str, str], tuple[ClientCommand, int]] = {}
        self.counts: Counter[str] = Counter()

    async def ask(self, referee: Referee) -> None:
        """Send a command, new or old, once or seven times at once, and compare the answers with what is in the file."""
        client, key = self._chance.choice(CLIENTS), f"number {self._chance.randrange(_KEYS):02}"
        done, _ = self._done.get((client, key), (None, 0))
        command = done if self._chance.random() < 0.5 else None
        command = command or replace(self._wish(referee.snapshot), key=key)
        game_id = self._table.journal.next_game_id() - 1
        before = self._events_since(game_id)
        copies = self._chance.choice((1, 1, 1, 7))
        asked = (referee.ask(command, Caller("script", client=client)) for _ in range(copies))
        answers = [type(each) for each in await asyncio.gather(*asked, return_exceptions=True)]
        made = self._events_since(game_id) - before
        if done is not None:
            told = "repeated" if command == done else "taken"
            assert (set(answers), made) == ({Snapshot if command == done else KeyTaken}, 0), (client, command, done)
        elif Snapshot in answers:
            told = "done"
            assert set(answers[answers.index(Snapshot) :]) == {Snapshot}, (client, command, answers)
            assert made or isinstance(command, Park), (client, command)  # pausing twice changes nothing
            self._note(client, key, command, referee.snapshot.game_id)
        else:
            told = "refused"
            assert KeyTaken not in answers
            assert made == 0, (client, command)
        self.counts[told] += 1

    def _wish(self, seen: Snapshot) -> ClientCommand:
        if seen.phase == "parked":
            return GoOn()
        wish = _wish(self._chance, seen)
        return self._chance.choice((Park(), AcceptLoss())) if wish is None or self._chance.random() < 0.2 else wish

    def _note(self, client: str, key: str, command: ClientCommand, game_id: int) -> None:
        recent = {owner: used for owner, used in self._done.items() if used[1] > game_id - GAMES_WITH_KEYS}
        self._done = {**recent, (client, key): (command, game_id)}

    def _events_since(self, game_id: int) -> int:
        sql = "SELECT count(*) FROM event WHERE game >= ? AND door = 'script'"
        return int(self._table.journal._db.execute(sql, (game_id,)).fetchone()[0])


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.long)])
async def test_keys_reused_across_clients_and_commands_have_each_command_done_once_or_refused(
    tmp_path: Path, count: int
) -> None:
    chance = random.Random(f"keys/{count}")
    async with open_table_rig(tmp_path, store=tmp_path / "wood") as table:
        people = KeyReusers(table, chance)
        table.journal.keep_seats([HeldSeat("Ann", CLIENTS[1], "script"), HeldSeat("Bob", CLIENTS[2], "script")])
        while people.counts.total() < count:
            async with table.referee() as referee:
                # A restart during a game, in which those who hold seats keep them.
                enough = people.counts.total() + count // 6
                while people.counts.total() < enough or referee.snapshot.phase in ("idle", "ended"):
                    await people.ask(referee)
                    await asyncio.sleep(chance.choice((0, 1, 5)))
    assert min(people.counts[told] for told in ("done", "repeated", "taken", "refused")) > count // 40, people.counts
