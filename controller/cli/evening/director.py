"""Calls the matches of an evening to its boxes, and writes down how they end. A client of each daemon, like any other.

All that it knows stands in the evening's file and in the boxes' journals, so it can be killed at any moment.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from controller.cli.evening.ladder import ladder_of
from controller.cli.evening.store import EveningFile
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.phases import Ended
from controller.game.core.players import DEFAULT_STRENGTH, Player, read_players
from controller.game.evening.decide import finish, is_over
from controller.game.evening.evening import Evening, Match, waiting
from controller.game.evening.events import AnyEvent, Called, Finished, Lapsed
from controller.game.evening.view import EveningView, view_of
from controller.game.stn.record import read_record
from controller.game.table.snapshot import Snapshot, scores_of, winners_of
from controller.web.client import Client, DaemonGone, Refused

_LOOK_EVERY_S = 1.0

Say = Callable[[str], None]


async def call_matches(
    file: EveningFile, others: Iterable[Evening], boxes: Mapping[str, Path], pause_s: float, say: Say
) -> None:
    """Play an evening on boxes until it is over.

    others: the evenings before it, for the ladder. boxes: the socket of each, by its name. pause_s: seconds for which a
    box shows the end of a game before the next one. say: is told what happens, a line each time.
    Raises `EveningError` for a file that cannot be read any more.
    """
    file.change(lambda evening: _call_back(evening, boxes, say))
    notice = Notice(file, tuple(others))
    async with asyncio.TaskGroup() as tasks:
        for name, socket in boxes.items():
            tasks.create_task(Caller(file, notice, name, pause_s, say).attend(socket))


def _call_back(evening: Evening, boxes: Mapping[str, Path], say: Say) -> Iterator[AnyEvent]:
    """Yield that matches wait again which were called to a box that is not among these."""
    for match in evening.open_matches:
        if match.called is not None and match.called.box not in boxes:
            say(f"Match {match.number} was called to {match.called.box}, which is not here: it waits again.")
            yield Lapsed(match.number)


class Notice:
    """What all boxes show of an evening, with the ladder of its players; made once for each change."""

    def __init__(self, file: EveningFile, others: tuple[Evening, ...]) -> None:
        self._file = file
        self._others = others
        self._made: tuple[Evening, EveningView] | None = None

    def view(self) -> EveningView:
        """Return the evening as it is shown now. Raises `EveningError`."""
        evening = self._file.load()
        if self._made is None or self._made[0] is not evening:
            ladder = ladder_of((*self._others, evening))
            here = tuple(rating for rating in ladder if rating.name in evening.players)
            self._made = evening, view_of(evening, here)
        return self._made[1]


class Caller:
    """Calls matches to one box, one after the other. Lifetime: until the evening is over. Concurrency: one loop."""

    def __init__(self, file: EveningFile, notice: Notice, box: str, pause_s: float, say: Say) -> None:
        self._file = file
        self._notice = notice
        self._box = box
        self._pause_s = pause_s
        self._say_line = say
        self._said = ""
        self._client: Client
        self._shown: tuple[str, EveningView] | None = None
        self._free_since: float | None = None
        self._playing = 0  # the game here that is of a match, by its number

    async def attend(self, socket: Path) -> None:
        """Play until the evening is over. Raises `EveningError`."""
        while True:
            try:
                async with Client(socket) as self._client:
                    while True:
                        if await self._look():
                            return
                        await asyncio.sleep(_LOOK_EVERY_S)
            except DaemonGone as gone:
                self._say(f"{self._box} is away: {gone}")
                if is_over(self._file.load()):
                    return
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _look(self) -> bool:
        """Do what is due at this box now; return True once the evening is over, and shown so."""
        snapshot = await self._client.state()
        try:
            match = self._here(self._file.load())
            if match is None:
                await self._free(snapshot)
            else:
                await self._follow(match, snapshot)
            view = self._notice.view()
            if self._shown != (snapshot.daemon, view):
                await self._client.show_evening(view)
                self._shown = snapshot.daemon, view
        except Refused as refused:
            self._say(f"{self._box}: {refused}")
        return self._notice.view().is_over and not self._playing

    def _here(self, evening: Evening) -> Match | None:
        """Return the match that is called to this box."""
        called = (match for match in evening.open_matches if match.called is not None)
        return next((match for match in called if match.called and match.called.box == self._box), None)

    async def _free(self, snapshot: Snapshot) -> None:
        """Call the next match, once the box has shown the end of its last game for a while."""
        if snapshot.is_game_on and snapshot.game_id == self._playing:
            # It was decided otherwise: somebody has said so, or a player has gone.
            with suppress(Refused):
                await self._client.send(Abandon(game_id=snapshot.game_id))
            self._playing = 0
            return
        self._playing = 0
        now = asyncio.get_running_loop().time()
        if snapshot.is_game_on or snapshot.job is not None:
            self._free_since = None
            return
        if self._free_since is None:
            self._free_since = now if snapshot.phase == "ended" else now - self._pause_s
        if now - self._free_since >= self._pause_s:
            evening = self._file.change(lambda evening: self._call(evening, snapshot))
            match = self._here(evening)
            if match is not None:
                self._free_since = None
                await self._start(evening, match)

    def _call(self, evening: Evening, snapshot: Snapshot) -> Iterator[AnyEvent]:
        match = next(waiting(evening), None)
        if match is not None:
            yield Called(match.number, self._box, snapshot.game_id)

    async def _start(self, evening: Evening, match: Match) -> None:
        """Begin the game of a match. The key is the match's own: a game that has begun is not begun twice."""
        self._say(f"Match {match.number}: {' against '.join(match.players)}, at {self._box}.")
        opened = evening.opened
        seats = tuple(_player(evening, name) for name in match.players)
        key = f"{opened.name[:24]}:{opened.at}:{match.number}:{match.calls}"
        await self._client.send(StartGame(seats, opened.game, opened.options, key=key))

    async def _follow(self, match: Match, snapshot: Snapshot) -> None:
        """See what has become of the match that was called to this box."""
        assert match.called is not None  # noqa: S101  it is here
        for game_id in range(match.called.after + 1, snapshot.game_id + 1):
            is_present = game_id == snapshot.game_id
            if is_present and snapshot.is_game_on:
                if snapshot.players == match.players:
                    self._playing = game_id
                return
            record = await self._client.record(game_id)
            game = read_record(record).game
            if tuple(player.name for player in game.players) == match.players:
                self._playing = 0
                self._end(match, game, game_id, record)
                return
        if not snapshot.is_game_on and snapshot.job is None:
            await self._start(self._file.load(), match)

    def _end(self, match: Match, game: AnyGame, game_id: int, record: str) -> None:
        if not isinstance(game.phase, Ended) or game.phase.given_up:
            self._say(f"Match {match.number} was given up: it waits again.")
            self._file.change(lambda evening: [Lapsed(match.number)] if self._here(evening) == match else [])
            return
        winners = tuple(game.players[seat].name for seat in winners_of(game))
        pairs = zip(match.players, scores_of(game), strict=True)
        scores = {name: score for name, score in pairs if score is not None}
        at = datetime.now(UTC).isoformat(timespec="seconds")
        result = Finished(match.number, winners, "played", at, scores, self._box, game_id, record)
        self._file.change(lambda evening: finish(evening, result) if self._here(evening) == match else [])
        told = ", ".join(f"{name} {score}" for name, score in scores.items())
        who = f"{winners[0]} has won match {match.number}" if len(winners) == 1 else f"Match {match.number} is a tie"
        self._say(f"{who}: {told}." if told else f"{who}.")

    def _say(self, line: str) -> None:
        """Say something of this box, once."""
        if self._said != line:
            self._said = line
            self._say_line(line)


def _player(evening: Evening, name: str) -> Player:
    """Return a player as they were entered, with the strength of those that the house plays."""
    word = next(word for word in evening.opened.players if word.partition(":")[0] == name)
    return read_players([word], (), DEFAULT_STRENGTH)[0]
