"""Games by chance, written into a journal as fast as it takes them, and the comparison of a journal with what it took.

No box and no daemon: only what `Journal` promises, which is that an `append` that returned has reached the card.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from controller.errors import JournalUnwritable, ShutboxError
from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Game
from controller.game.table.engines import decide, digest_of
from controller.journal.high_water_mark import HighWaterMark
from controller.journal.keys import CommandKey, short_digest
from controller.journal.recovery import open_journal
from controller.journal.replay import replay_checked
from controller.journal.store import Entry, Journal
from controller.messages.words import ENGLISH
from tests.campaigns.any_game import next_by_chance

_BOX = "two-level-9"
_GAMES = ("two-level", "pub", "traditional", "digital")
_NAMES = ("Ann", "Bea", "Carl")
_TODAY = date(2026, 1, 1)
_AT = f"{_TODAY}T12:00:00.000+00:00"
_MOST_TRIES = 20  # of one commit
MOST_COMMITS = 3_000  # of one play whose power does not go


class UnsyncedJournal(Journal):
    """A journal that waits for no card: if none of its events is ever lost, a campaign that says so is blind."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._db.execute("PRAGMA synchronous = OFF")


def made_up_key(name: str) -> CommandKey:
    """The key of some command of somebody."""
    return CommandKey(*[short_digest(name)] * 3)


@dataclass(frozen=True, slots=True)
class Commit:
    """The entries of one command with a key, of one game."""

    game_id: int
    entries: Sequence[Entry]
    key: CommandKey


@dataclass(slots=True)
class Play:
    """The commits that a journal has acknowledged, and the one that it had in hand when the power went."""

    acknowledged: list[Commit] = field(default_factory=list)
    in_hand: Commit | None = None

    @property
    def events(self) -> int:
        """How many events were acknowledged."""
        return sum(len(commit.entries) for commit in self.acknowledged)

    @property
    def last_mark(self) -> HighWaterMark | None:
        """The event that was acknowledged last, as devices were shown it; None before the first."""
        last = [(commit.game_id, commit.entries[-1]) for commit in self.acknowledged[-1:]]
        return next((HighWaterMark.of(game_id, entry.number, _BOX, entry.digest) for game_id, entry in last), None)


def play_until_power_goes(
    path: Path, chance: random.Random, *, synced: bool = True, commits: int = MOST_COMMITS
) -> Play:
    """Play games by chance into a new journal until it cannot be written any more, or so often was."""
    play = Play()
    try:
        with (Journal if synced else UnsyncedJournal)(path) as journal:
            play_on(journal, play, chance, commits)
    except ShutboxError:
        """The power has gone."""
    return play


def play_on(
    journal: Journal,
    play: Play,
    chance: random.Random,
    commits: int,
    refused: Callable[[JournalUnwritable], None] | None = None,
) -> None:
    """Play games by chance. What the journal refuses is tried again once `refused` has heard of it; without one it is
    raised.
    """
    game: Game | None = None
    number = 0
    game_id = 0
    for count in range(commits):
        if game is None or game.is_over:
            game, number, game_id = None, 0, journal.next_game_id()
        command = StartGame(_seats(chance), chance.choice(_GAMES)) if game is None else next_by_chance(game, chance)
        entries = []
        for event in decide(game, command):
            game, number = evolve_box_game(game, event), number + 1
            entries.append(Entry(number, _AT, event, digest_of(game)))
        play.in_hand = Commit(game_id, entries, made_up_key(f"command-{count:08}"))
        _append(journal, play.in_hand, refused)
        play.acknowledged.append(play.in_hand)
        journal.tidy(game_id, entries)
        play.in_hand = None


def _append(journal: Journal, commit: Commit, refused: Callable[[JournalUnwritable], None] | None) -> None:
    for attempt in range(_MOST_TRIES):
        try:
            journal.append(commit.game_id, _BOX, commit.entries, commit.key)
        except JournalUnwritable as error:
            if refused is None or attempt == _MOST_TRIES - 1:
                raise
            refused(error)
        else:
            return


def _seats(chance: random.Random) -> tuple[Player, ...]:
    return tuple(Player(name) for name in _NAMES[: chance.randint(1, len(_NAMES))])


@dataclass(frozen=True, slots=True)
class Losses:
    """What a journal has otherwise than it acknowledged: how many events it lost, and that in words; both empty if
    nothing is wrong.
    """

    events: int = 0
    problem: str = ""


def find_losses(path: Path, play: Play) -> Losses:
    """Open a journal after a power cut as a daemon does, and compare it with what was played."""
    journal, said = open_journal(path, _TODAY)
    with journal:
        try:
            losses = _compare(journal, play)
        except ShutboxError as error:
            losses = Losses(play.events, str(error))
    if said and not losses.problem:
        return Losses(0, f"nothing is lost, and people are told: {ENGLISH.say_at_terminal(said)}")
    return losses


def _compare(journal: Journal, play: Play) -> Losses:
    wanted: dict[int, list[Entry]] = {}
    for commit in play.acknowledged:
        wanted.setdefault(commit.game_id, []).extend(commit.entries)
    found = {game_id: journal.entries(game_id) for game_id in journal.game_ids()}
    for entries in found.values():
        replay_checked(entries)
    lost = sum(len(entries) - _common(entries, found.get(game_id, ())) for game_id, entries in wanted.items())
    if lost:
        return Losses(lost, f"{lost} of {play.events} acknowledged events are lost")
    if play.acknowledged and journal.keys.use_of(play.acknowledged[-1].key) != "done":
        return Losses(0, "the key of the last command is lost: repeated, it would be carried out twice")
    return _compare_last(journal, play, wanted, found)


def _compare_last(
    journal: Journal, play: Play, wanted: dict[int, list[Entry]], found: dict[int, list[Entry]]
) -> Losses:
    """Compare what is there beyond the acknowledged: nothing, or the whole commit in hand with its key."""
    if found == wanted:
        is_whole = play.in_hand is None or journal.keys.use_of(play.in_hand.key) == "new"
        return Losses() if is_whole else Losses(0, "of the command in hand the key is there, and no event")
    if play.in_hand is None:
        return Losses(0, "there are events that nobody wrote")
    wanted.setdefault(play.in_hand.game_id, []).extend(play.in_hand.entries)
    is_whole = found == wanted and journal.keys.use_of(play.in_hand.key) == "done"
    return Losses() if is_whole else Losses(0, "a part of the command in hand is there")


def has_again(path: Path, play: Play) -> bool:
    """True if every event that was acknowledged is in the journal, whenever it was written: the box makes again what it
    did by itself, such as to find its tiles in place.
    """
    wanted = {(commit.game_id, entry.number): entry.digest for commit in play.acknowledged for entry in commit.entries}
    with Journal(path, read_only=True) as journal:
        found = {
            (game_id, entry.number): entry.digest
            for game_id in journal.game_ids()
            for entry in journal.entries(game_id)
        }
    return wanted.items() <= found.items()


def _common(wanted: Sequence[Entry], found: Sequence[Entry]) -> int:
    """How many entries are the same from the first on."""
    for count, (one, other) in enumerate(zip(wanted, found, strict=False)):
        if one != other:
            return count
    return min(len(wanted), len(found))
