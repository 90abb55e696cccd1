"""`shutbox together`: plays one match at two boxes, as a client of this box's daemon and of the broker."""

import asyncio
import re
from collections.abc import Awaitable
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from socket import gethostname
from typing import Annotated
from uuid import uuid4

import typer

from controller.cli.bridge.entities import id_of
from controller.cli.options import GameName, Installation, Match, Set, choose_game
from controller.cli.together.box import Box
from controller.cli.together.link import Link
from controller.cli.together.messages import Status
from controller.cli.together.sequence import Action, Sequence, Start
from controller.cli.together.side import Side
from controller.errors import BadPlayers, JournalError, NoBridge
from controller.game.core.commands import StartGame
from controller.game.core.events import GameStarted
from controller.game.core.phases import Ended
from controller.game.core.players import LONGEST_MATCH_NAME, Player
from controller.game.table.engines import any_rules_of, decide
from controller.runtime.home import Home
from controller.runtime.output import Exit
from controller.runtime.threads import cancel_on_signal, run_in_background
from controller.settings import Settings
from controller.web.client import DaemonGone, Refused

_SAY_EVERY_S = 2.0
_AWAY_S = 10.0  # without a word the other box is away
_PATIENCE_S = 5.0  # while tiles move, nothing is said of it
_LINGER_S = 3.0  # after the end, for the other box to hear it
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


def together(
    name: Annotated[str, typer.Argument(help="The name of the match: small letters, digits and -.")],
    players: Annotated[str, typer.Option("--players", metavar="NAMES", help="All players, by commas, seat by seat.")],
    here: Annotated[str, typer.Option("--here", metavar="NAMES", help="Those who play at this box, by commas.")],
    game: GameName = None,
    options: Set = None,
    match: Match = None,
) -> None:
    installation = Installation()
    home, settings = installation.home, installation.at_start.now
    if not settings.bridge.host:
        raise typer.BadParameter("write host = NAME under [bridge] into the settings first")
    if find_spec("aiomqtt") is None:
        raise NoBridge("a broker is told by aiomqtt, which is missing: install the extra `bridge`")
    if not _NAME.fullmatch(name) or len(name) > LONGEST_MATCH_NAME:
        raise typer.BadParameter(f"a match has a name of small letters, digits and -, {LONGEST_MATCH_NAME} at most")
    chosen = choose_game(game, options, None, None, match)
    start = start_of(name, _names(players), _names(here), chosen.game, dict(chosen.options))
    raise typer.Exit(asyncio.run(play_until_stopped(home, settings, name, start)))


def start_of(match: str, players: list[str], here: list[str], game: str, options: dict[str, object]) -> StartGame:
    """Return the command that begins a match at the box of `here`. Raises `BadPlayers`, and as the rules."""
    if not here or not set(here) < set(players):
        raise BadPlayers(f"--here {','.join(here)}: some of {','.join(players)}, and not all of them")
    seats = tuple(Player(name, remote="" if name in here else match) for name in players)
    start = StartGame(seats, game, options)
    decide(None, start)  # as each box will
    return start


def _names(words: str) -> list[str]:
    names = [word.strip() for word in words.split(",")]
    if any(":" in name for name in names):
        raise BadPlayers(f"{words}: people play at two boxes, and no house: its choices are each box's own")
    return names


async def play_until_stopped(home: Home, settings: Settings, match: str, start: StartGame) -> Exit:
    """Play a match until it is over, differs, or a signal ends it."""
    found = Exit.STOPPED
    table = Together(home, settings, match, start)
    async with cancel_on_signal(), run_in_background(table.box.watch(), table.link.run()):
        found = await table.run()
    await table.box.close()
    return found


class Together:
    """Keeps two boxes at the same game, and says how it goes.

    Lifetime: `run`, beside `box.watch` and `link.run`. Concurrency: one event loop.
    """

    def __init__(self, home: Home, settings: Settings, match: str, start: StartGame) -> None:
        self._start = start
        self._news = asyncio.Event()
        sender = uuid4().hex[:16]
        seats = (str(seat) for seat, player in enumerate(start.players, 1) if not player.remote)
        # Two computers may have the same name, but not the same players.
        own = f"{id_of(settings.bridge.name or gethostname())}/{'-'.join(seats)}"
        self.box = Box(home, match, self._news.set)
        topic = f"{settings.bridge.prefix}/together/{match}"
        self.link = Link(settings.bridge, topic, own, sender, self._news.set)
        here = [player.name for player in start.players if not player.remote]
        chosen = any_rules_of(start.game, start.options).chosen
        begins = Start.of(GameStarted(start.game, chosen, start.players))
        self.side = Side(match, sender, begins, here)
        self._said: str = ""
        self._told = -1
        self._heard_s: float | None = None
        self._last: tuple[object, ...] = ()
        self._next_s = 0.0
        self._why, self._why_s = "", 0.0  # what the daemon refused last, and since when

    async def run(self) -> Exit:
        """Play until the match is over at both boxes (DONE), or they differ (NO)."""
        loop = asyncio.get_running_loop()
        ends_s: float | None = None
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, min(self._next_s - loop.time(), _SAY_EVERY_S))):
                    await self._news.wait()
            self._news.clear()
            mine = await self._read()
            if not self.side.differs:
                mine = await self._listen(mine)
            if self.side.differs:
                self._say(f"The boxes differ. {self.side.differs}. Nothing was changed, and nothing more is mirrored.")
                await self._tell_the_end(mine)
                return Exit.NO
            self._report(mine)
            self._tell_status(mine)
            if self.side.is_agreed(mine):
                ends_s = ends_s or loop.time() + _LINGER_S
                if loop.time() >= ends_s:
                    self.link.say(self.side.status(mine), retain=True)
                    await asyncio.sleep(0.2)
                    return Exit.DONE

    async def _read(self) -> Sequence | None:
        try:
            await self.box.read()
        except JournalError as error:
            self._wait_for(str(error))
        reader = self.box.reader
        if reader.differs:
            self.side.differs = reader.differs
        if reader.sequence is not None and reader.sequence.start != self.side.start:
            self.side.differs = "the start of the match: it was begun at this box with other players or options"
        return reader.sequence

    async def _listen(self, mine: Sequence | None) -> Sequence | None:
        loop = asyncio.get_running_loop()
        while self.link.heard:
            message, kept = self.link.heard.popleft()
            # What a broker has kept is of another time; it may only say that the other box has all of a match.
            if kept and not (isinstance(message, Status) and message.over):
                continue
            if message.match != self.side.match or message.sender == self.side.sender:
                continue
            if not kept:
                self._heard_s = loop.time()
            for answer in self.side.hear(message, mine):
                self.link.say(answer)
            if self.side.differs:
                return mine
        if mine is None and self.side.theirs is not None:
            await self._ask(self.box.begin(self._start))
        while (due := self.side.due(mine)) is not None:
            if not await self._ask(self.box.mirror(*due)):
                break
            before, mine = mine, await self._read()
            if mine is None or before is None or mine.n == before.n:
                break
        return mine

    async def _ask(self, asking: Awaitable[None]) -> bool:
        """Wait for the daemon; return whether it did what was asked."""
        try:
            await asking
        except (Refused, DaemonGone) as error:
            self._why, self._why_s = str(error), self._why_s if self._why else asyncio.get_running_loop().time()
            return False
        self._why = ""
        return True

    def _tell_status(self, mine: Sequence | None) -> None:
        now = asyncio.get_running_loop().time()
        last = (mine.chain[-1] if mine is not None else "", self.link.is_connected, self.side.is_agreed(mine))
        if last != self._last or now >= self._next_s:
            self._last, self._next_s = last, now + _SAY_EVERY_S
            self.link.say(self.side.status(mine), retain=mine is not None and mine.is_over)

    async def _tell_the_end(self, mine: Sequence | None) -> None:
        """Say a few times what this box has: the other one is to name the difference too."""
        for _ in range(3):
            for message in self.side.last_words(mine):
                self.link.say(message)
            await asyncio.sleep(0.5)

    def _report(self, mine: Sequence | None) -> None:
        loop = asyncio.get_running_loop()
        if mine is not None and mine.n > self._told:
            for action in mine.actions[max(self._told, 0) :] if self._told >= 0 else ():
                self._say(self._words(action))
            if self._told < 0:
                self._say(f"The match {self.side.match} is on, {mine.n} actions so far.")
            self._told = mine.n
            if mine.is_over:
                self._say(self._end(mine))
        if not self.box.is_there:
            self._wait_for("No daemon runs at this box.")
        elif not self.link.is_connected:
            self._wait_for("No broker answers.")
        elif self._heard_s is None:
            self._wait_for("Waiting for the other box.")
        elif loop.time() - self._heard_s > _AWAY_S:
            self._wait_for("The other box is away", since=True)
        elif self._why and loop.time() - self._why_s > _PATIENCE_S:
            self._wait_for(f"This box waits: {self._why}")
        else:
            self._said = ""

    def _words(self, action: Action) -> str:
        who = self.side.start.players[action.seat] if action.seat is not None else "Somebody"
        held = " ".join(map(str, action.dice)) or " ".join(action.tiles)
        did = {
            "first": f"threw {held} for who begins",
            "throw": f"threw {held}",
            "correct": f"corrected the throw to {held}",
            "choose": f"shut {held}",
            "undo": "took the last choice back",
            "accept": "could shut nothing",
            "give_up": "gave the game up",
            "play_on": "plays on",
        }[action.kind]
        return f"{who} {did}."

    def _end(self, mine: Sequence) -> str:
        phase = mine.game.phase
        if isinstance(phase, Ended) and not phase.given_up:
            names = [self.side.start.players[seat] for seat in phase.winners]
            return f"The match is over, won by {', '.join(names) or 'nobody'}."
        return "The match was given up."

    def _wait_for(self, what: str, *, since: bool = False) -> None:
        if what != self._said:
            self._said = what
            self._say(f"{what} since {datetime.now():%H:%M:%S}." if since else what)

    @staticmethod
    def _say(line: str) -> None:
        print(line, flush=True)
