"""Every key is spoken here, by the game or at a table, as the catalogue has it."""

import asyncio
import errno
import json
import os
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import cast, get_args

import pytest

from controller.access.access import open_access
from controller.box.faults import apply_faults
from controller.errors import JournalDamaged, JournalUnwritable, WrongPin
from controller.game.core.commands import Abandon, Command, ConfirmTiles, Park, ReportFault, StartGame, Undo
from controller.game.core.events import GameStarted
from controller.game.core.message import CATALOGUE, Message, MessageKey, Messages
from controller.game.core.players import Player
from controller.game.core.sight import JobView, SnapshotContext
from controller.game.fleet.commands import CallGo, Shout
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, RollDice, TakeThrow
from controller.game.shutbox.events import Motive
from controller.game.shutbox.messages import describe_layout, describe_phase, describe_stalemate, describe_unreadable
from controller.game.shutbox.messages import news_of_box_game as news_of
from controller.game.shutbox.state import Game, TurnDone
from controller.game.table.engines import decide
from controller.game.table.snapshot import SNAPSHOT, Snapshot, snapshot_of
from controller.journal.files import high_water_mark_of
from controller.journal.records import record_news
from controller.journal.recovery import describe_memory, open_journal
from controller.journal.store import Journal
from controller.referee.jobs.turn import describe_refusal
from controller.referee.referee import Referee
from controller.referee.subscribers import Action, note_wear, tell_record
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import Marks
from controller.runtime.threads import BackgroundThread, run_in_background
from firmware.selftest.wear import WearFile
from hardware.tiles import Position, TileId, tiles_of
from tests.conftest import run_to_the_end
from tests.controller.game.shutbox.test_actions import CHOOSING, JAM, LOST, WAITING, WITH_HOUSE
from tests.controller.game.table.test_variants import alone
from tests.controller.referee.test_resuming import ANN, at_the_table, play_to_the_cut
from tests.firmware.selftest.test_wear import moves
from tests.support.said import text_of
from tests.support.spoken_races import said_in_races
from tests.support.stories import found, lying_at, play, score, table_of, with_board
from tests.support.tables import TableRig, open_table_rig, until
from vision.reading import Reason, refused

LEVEL = StartGame((Player("Ann"), Player("Bob")), options={"first": "lowest"})
PUB = StartGame((Player("House", house=True), Player("Ann")), "pub", {"first": "chosen"})  # one die or two, in the end
MOON = Marks({"front-1": "moon"}, {"moon": 99})  # a tile that no throw shuts
HOPELESS = StartGame((Player("Ann"), Player("Bob")), "golf", {"tiles": 1, "ties": "play_off"}, MOON)
RACE = StartGame((Player("Ann"), Player("Bob")), "fleet", {"challenge": "in_order"})
TESTING = JobView("selftest", "column 1: front-1 went down and up", 0.2)
# Sentences of the reader; they are its own, and only examples here.
REFUSALS: Mapping[Reason, str] = {
    Reason.MOVING: "The dice are still moving: wait until they lie still.",
    Reason.COCKED: "One die is leaning on something or lying on another. Throw again.",
    Reason.STACKED: "One die is lying on another or touching something: throw again.",
    Reason.OFF_FIELD: "One die is outside the field. Throw again.",
    Reason.HAND: "Take your hand out of the field.",
    Reason.UNEXPLAINED: "I see something small on the baize that looks like a pip: take it away.",
    Reason.TOO_MANY: "I see 3 dice: leave only 2 in the field.",
    Reason.TOO_FEW: "I see 1 of 2: throw 2.",
    Reason.GLARE: "The light is too bright to read the dice: turn the lamp away.",
    Reason.BLURRED: "The picture is blurred: keep the dice still and wipe the lens.",
    Reason.CAMERA_MOVED: "The camera has moved since it was calibrated (9 pixels): set it back, or calibrate it again.",
    Reason.STALE: "The dice have not moved since the last throw: throw them, or type what they show.",
    Reason.UNSURE: "I am not sure of one die: say what you threw.",
}


def heard(game: Game, *commands: Command, by: int | None = None) -> Iterator[Message]:
    """All that is said while the commands are done: each moment, and the news between them."""
    yield describe_phase(game)
    for command in commands:
        before, events, game = game, decide(game, command), play(game, command)
        yield from news_of(before, events, game, by)
        yield describe_phase(game)


def said_by_the_game() -> Iterator[Message]:
    """Turns, rounds, matches, and what stops them."""
    yield from snapshot_of(None, SnapshotContext(1, 0, "two-level-9")).messages
    yield from snapshot_of(None, SnapshotContext(1, 0, "two-level-9", job=TESTING)).messages
    yield from heard(play(None, LEVEL), ConfirmTiles(), *(TakeThrow((face,)) for face in (4, 4, 4, 2)))
    yield from heard(WAITING, TakeThrow((5, 3)), CorrectThrow((5, 4)), Choose(("front-9",)), ConfirmTiles(), Undo())
    yield from heard(CHOOSING, CorrectThrow((5, 4)), by=0)
    yield from heard(LOST, AcceptLoss(), ConfirmTiles(), Undo())
    yield describe_phase(WITH_HOUSE, 2)
    yield describe_phase(with_board(play(None, PUB), "1 2 3 4 5 6 . . ."))
    yield from heard(WITH_HOUSE, TakeThrow((5, 3)), Choose(("front-8",), Motive("thumb")))
    yield from heard(CHOOSING, ReportFault(JAM))
    yield from heard(CHOOSING, Park(), Abandon())
    yield describe_phase(replace(CHOOSING, phase=TurnDone()))
    yield from heard(play(None, LEVEL), found(play(None, LEVEL), front_3="SHUT"))
    yield from heard(WAITING, found(WAITING, front_3="SHUT", back_7="BETWEEN"), CorrectGame())
    yield from heard(CHOOSING, found(CHOOSING, front_8="SHUT"))
    yield from said_at_the_end()
    yield from said_in_races()


def said_at_the_end() -> Iterator[Message]:
    """The ways to lose a turn, to end a round, and to win."""
    yield from heard(table_of(2, "unlucky-7"), TakeThrow((3, 4)))
    yield from heard(table_of(2, "unlucky-7", on_seven="round"), TakeThrow((3, 4)))
    yield from heard(table_of(2, "lucky-7"), TakeThrow((1, 2)))
    lost = (TakeThrow((1, 3)), AcceptLoss(), ConfirmTiles())
    yield from heard(table_of(2, "2-to-go", lost="round"), *lost, *lost[:2])
    yield from heard(lying_at(table_of(1), 20), AcceptLoss())
    yield from heard(score(table_of(2), 0))
    yield from heard(lying_at(score(table_of(2, stake=3), 5), 9), AcceptLoss())
    yield from heard(lying_at(score(table_of(2, ties="split"), 5), 5), AcceptLoss())
    yield from heard(lying_at(score(table_of(2, ties="play_off"), 5), 5), AcceptLoss())
    yield from heard(lying_at(score(table_of(2, ties="carry_over"), 5), 5), AcceptLoss())
    yield from heard(lying_at(score(table_of(2, match="points"), 5), 9), AcceptLoss())
    yield from heard(lying_at(score(table_of(3, match="drop-out"), 45, 44), 20), AcceptLoss())


def said_of_the_table(folder: Path) -> Iterator[Message]:
    """Games that do not fit the box or the camera, refused readings, worn tiles, records."""
    yield from describe_stalemate(play(None, HOPELESS))
    yield from describe_layout(rules_of("pub"), 2)
    yield from describe_layout(rules_of("two-level"), 3)
    yield describe_unreadable(rules_of("2012"))
    for reason, sentence in REFUSALS.items():
        yield from describe_refusal(refused(reason, sentence, likely=((3, 5), (3, 6))))
    yield from said_of_wear(folder)
    with Journal(folder / "records.sqlite3") as journal:
        for points in (20, 15, 17):
            alone(journal, points)
            yield from record_news(journal, journal.game_ids()[-1])
    yield from said_of_the_journal(folder / "spoilt.sqlite3")
    over = play(lying_at(table_of(1), 20), AcceptLoss())
    yield from tell_record(cast("Journal", DamagedJournal()), Action(1, None, (), over)).news


def said_of_the_journal(path: Path) -> Iterator[Message]:
    """The mark of its last event is gone, then the file is one of a newer version, then none at all."""
    spoil = (
        high_water_mark_of(path).unlink,
        partial(ask_by_hand, path, "PRAGMA user_version = 99"),
        partial(path.write_text, "no"),
    )
    for spoiling in spoil:
        journal, _ = open_journal(path, date(2026, 3, 1))
        with journal:
            alone(journal, 20)
        spoiling()
        journal, said = open_journal(path, date(2026, 3, 1))
        journal.close()
        yield from said
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("controller.journal.recovery.put_folders_aside", out_of_room)
        journal, said = open_journal(path, date(2026, 3, 1))
        journal.close()
        yield from said
        patch.setattr("controller.journal.recovery.memory_behind", lambda _folder: "tmpfs at /var/lib")
        yield from describe_memory(path.parent)


def out_of_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def ask_by_hand(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)


class DamagedJournal:
    def running_record(self, game_id: int) -> object:
        raise JournalDamaged(f"journal.sqlite3: an event of game {game_id} cannot be read")


def said_of_wear(folder: Path) -> Iterator[Message]:
    """A game begins with a tile that is slower, one that slips, and three that were not seen for long."""
    front_1, front_2 = TileId(1, 1), TileId(1, 2)
    begins = Action(1, None, (GameStarted("golf", {}, (Player("Ann"),)),), WAITING)
    wear = WearFile(folder / "wear.json", "two-level-9")
    for _ in range(19):
        wear.note_game()
    wear.note_moves([*moves(front_1, [0.2] * 20), *moves(front_1, [0.3] * 10), *moves(front_2, [0.2] * 20, tries=2)])
    for tiles in ((front_1,), (front_2,), tiles_of(1, 5)[2:]):
        yield from note_wear(wear, tiles, begins).notice


async def seen_at_a_table(folder: Path) -> list[Snapshot]:
    """A box whose lid is closed, in which hands tip tiles, whose computer is ill, whose disk is full, and so on."""
    seen: list[Snapshot] = []
    with pytest.MonkeyPatch.context() as patch:
        async with open_table_rig(folder) as table, table.referee() as referee, keeping(referee, seen):
            await begin_under_the_lid(table, referee)
            await tip_tiles(table, referee)
            await let_the_box_suffer(table, referee, patch)
            await referee.ask(Abandon())
            await shout_where_no_camera_reads(referee)
            await referee.ask(Abandon())
            patch.setattr(BackgroundThread, "run", think_for_long)
            await referee.ask(StartGame((Player("House", house=True),)))
            await until(referee, "awaiting_throw")
            await referee.ask(TakeThrow((5, 3)))
            await until(referee, "choosing", notice="working out")
    return seen


@asynccontextmanager
async def keeping(referee: Referee, seen: list[Snapshot]) -> AsyncIterator[None]:
    """Keep all that is published as long as the block lasts."""

    async def keep() -> None:
        async with referee.watch() as snapshots:
            while True:
                seen.append(await snapshots.get())

    async with run_in_background(keep()):
        yield
        await asyncio.sleep(1)


async def begin_under_the_lid(table: TableRig, referee: Referee) -> None:
    table.world.close_lid()
    await asyncio.sleep(1)
    await referee.ask(ANN)
    await until(referee, "moving", notice="The lid is closed")
    table.world.open_lid()
    await until(referee, "awaiting_throw")


async def tip_tiles(table: TableRig, referee: Referee) -> None:
    """A throw is corrected; then a tile half way, one of a move, one of none, and a move."""
    await referee.ask(TakeThrow((5, 4)))
    await referee.ask(CorrectThrow((5, 3)))
    for number, position, notice in (
        (1, Position.BETWEEN, "half way"),
        (1, Position.SHUT, "the rest of a move"),
        (9, Position.SHUT, "is not part of any move"),
        (7, Position.SHUT, "are down: that counts as your move in"),
    ):
        table.world.hand_moves(TileId(1, number), position)
        await until(referee, "choosing", notice=notice)
    await until(referee, "awaiting_throw")


async def let_the_box_suffer(table: TableRig, referee: Referee, patch: pytest.MonkeyPatch) -> None:
    """A supply that sags, a die that leans, and a disk without room for the throw after it."""
    apply_faults(table.world, ("sag",))
    await until(referee, "awaiting_throw", notice="H-208")
    table.eyes.refusals.append(refused(Reason.COCKED, REFUSALS[Reason.COCKED]))
    await referee.ask(RollDice())
    await until(referee, "awaiting_throw", notice="leaning")
    with patch.context() as full:
        full.setattr(table.journal, "append", refuse)
        table.world.throw_dice(2)
        await until(referee, "awaiting_throw", notice="This cannot be saved now")
    await until(referee, "choosing")


async def shout_where_no_camera_reads(referee: Referee) -> None:
    """A race with dice of one's own, which this camera does not know."""
    await referee.ask(RACE)
    await until(referee, "ready")
    await referee.ask(CallGo())
    await until(referee, "racing")
    await referee.ask(Shout(player="Ann"))
    await until(referee, "racing", notice="does not know these dice")


def refuse(*_: object) -> None:
    raise JournalUnwritable("the disk is full", "make room on it")


async def think_for_long(_thread: BackgroundThread, question: Callable[[Game], object], game: Game) -> object:
    await asyncio.sleep(5)
    return question(game)


async def seen_after_a_cut(folder: Path) -> list[Snapshot]:
    """A game whose tiles were on their way as the power went, then one whose journal does not fit."""
    seen: list[Snapshot] = []
    await play_to_the_cut(folder, TakeThrow((6, 3)), Choose(("front-7", "front-2")), then_s=0.05)
    async with at_the_table(folder) as (_, referee), keeping(referee, seen):
        assert [message.key for message in referee.snapshot.messages] == ["game.comparing", "game.resumed"]
        await until(referee, "moving", notice="when the power went")
    with sqlite3.connect(folder / "journal.sqlite3") as db:
        db.execute("UPDATE event SET digest = 'wrong' WHERE number = 2")
    db.close()
    async with at_the_table(folder) as (_, referee):
        seen.append(referee.snapshot)
    return seen


async def said_of_operators(folder: Path) -> list[Message]:
    """A file that is damaged, a device that is paired, and somebody who guesses the PIN."""
    _damage(folder / "access.json")
    with open_access(folder / "access.json") as access, pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.randbelow", lambda _bound: 4711)
        said = [*access.found]
        access.announce = said.append
        access.begin_pairing("Ann's phone")
        await access.confirm_pairing("4711")
        access.begin_pairing("Bob's phone")
        await asyncio.sleep(61)
        await access.set_pin("402817")
        with pytest.raises(WrongPin):
            await access.enter_pin("402818", "Eve")
    return said


def _damage(file: Path) -> None:
    file.write_bytes(b"{")


@pytest.fixture(scope="module")
def snapshots(tmp_path_factory: pytest.TempPathFactory) -> list[Snapshot]:
    folder = tmp_path_factory.mktemp("boxes")
    (folder / "cut").mkdir()
    at_work = run_to_the_end(seen_at_a_table(folder))
    return [*at_work, *run_to_the_end(seen_after_a_cut(folder / "cut"))]


@pytest.fixture(scope="module")
def spoken(snapshots: list[Snapshot], tmp_path_factory: pytest.TempPathFactory) -> Messages:
    """Everything that was said, to people who play and at the table."""
    at_the_box = (message for snapshot in snapshots for message in snapshot.messages)
    of_operators = run_to_the_end(said_of_operators(tmp_path_factory.mktemp("operators")))
    return (*said_by_the_game(), *said_of_the_table(tmp_path_factory.mktemp("table")), *of_operators, *at_the_box)


def test_every_key_is_spoken(spoken: Messages) -> None:
    assert set(CATALOGUE) == set(get_args(MessageKey))
    assert set(CATALOGUE) - {message.key for message in spoken} == set()


def test_a_message_has_the_arguments_and_the_gravity_of_its_key(spoken: Messages) -> None:
    for message in spoken:
        entry = CATALOGUE[message.key]
        assert (set(message.args), message.severity) == (set(entry.args), entry.severity), message


def test_arguments_are_data_and_no_words_but_those_for_whoever_repairs_the_box(spoken: Messages) -> None:
    for message in spoken:
        data = [datum for name, datum in message.args.items() if name not in ("cure", "cause", "words")]
        assert not re.search(r"[.!?:]( |\"|$)", json.dumps(data).replace('": ', '"')), message


def test_together_messages_say_what_the_snapshot_says(snapshots: list[Snapshot]) -> None:
    for snapshot in snapshots:
        assert snapshot.messages[0].text == snapshot.say
        assert text_of(snapshot.messages) == " ".join(filter(None, (snapshot.say, snapshot.notice, snapshot.news)))
    assert any(snapshot.notice and snapshot.news for snapshot in snapshots)


def test_a_snapshot_comes_out_of_json_as_it_went_in(spoken: Messages, snapshots: list[Snapshot]) -> None:
    for snapshot in (*snapshots, replace(snapshots[0], messages=spoken)):
        assert SNAPSHOT.validate_json(SNAPSHOT.dump_json(snapshot)) == snapshot


def test_only_what_is_no_throw_yet_or_no_camera_s_is_refused_in_silence() -> None:
    silent = {Reason.NO_DICE, Reason.NO_FIELD, Reason.DARK, Reason.NOT_A_PICTURE, Reason.TOO_LARGE}
    assert set(Reason) - set(REFUSALS) == silent
    assert [describe_refusal(refused(reason, "It is so.")) for reason in silent] == [()] * len(silent)
    assert {message.key for reason in REFUSALS for message in describe_refusal(refused(reason, "It is so."))} == {
        f"reading.{reason}" for reason in REFUSALS
    }
