"""The homes whose files are damaged, played by daemons that are killed, and those that other files are taken from."""

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.game.core.commands import StartGame
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.table.wire import ClientCommand
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.web.client import Client
from tests.campaigns.crashes.first_look import Standing, is_at_rest, run_mock
from tests.campaigns.crashes.journal_play import play_until_power_goes

_BOX = "two-level-9"
_COMMITS = 60  # of the games in another box's journal
_START = StartGame((Player("Ann"),))
_THROW, _CHOICE = TakeThrow((1, 1)), Choose(("front-2",))
# A game that is over, and two parts of one that is under way: each command, and the phase that it leads to.
_FINISHED: Sequence[tuple[ClientCommand, PhaseName]] = (
    (_START, "awaiting_throw"),
    (_THROW, "choosing"),
    (_CHOICE, "awaiting_throw"),
    (_THROW, "turn_lost"),
    (AcceptLoss(), "ended"),
)
_BEGUN: Sequence[tuple[ClientCommand, PhaseName]] = (
    (_START, "awaiting_throw"),
    (TakeThrow((5, 3)), "choosing"),
    (Choose(("front-8",)), "awaiting_throw"),
)
_GONE_ON: Sequence[tuple[ClientCommand, PhaseName]] = (
    (TakeThrow((4, 3)), "choosing"),
    (Choose(("front-7",)), "awaiting_throw"),
    (TakeThrow((4, 2)), "choosing"),
)


@dataclass(frozen=True, slots=True)
class Stock:
    """Homes with a game under way that stands so, whose daemon was `killed` or `ended` in order. Then homes to take
    files from: the same one after the game before and amid this one, and one with the games of another box.
    """

    killed: Path
    ended: Path
    older: Path
    middle: Path
    other: Path
    standing: Standing

    @property
    def journal(self) -> str:
        """The name of the journal's file."""
        return Home(self.killed, self.killed).journal.name

    @property
    def beside(self) -> Sequence[str]:
        """The names of what else belongs to the journal: all that is there and is nothing else's."""
        home = Home(self.killed, self.killed)
        # The places of simulated tiles are wood, which no damage to a file moves.
        known = {home.journal.name, f"{self.journal}-wal", home.simulated_tiles(_BOX).name, *self.of_others}
        places = (place for place in self.killed.rglob("*") if place.is_file() and place.suffix != ".lock")
        return sorted({str(place.relative_to(self.killed)) for place in places} - known)

    @property
    def of_others(self) -> Sequence[str]:
        """The names of the files that a start reads, and that do not belong to the journal."""
        home = Home(self.killed, self.killed)
        places = (home.settings, home.last_settings, home.runs, home.wear(_BOX, mock=True))
        return [place.name for place in places if place.exists()]


async def make_stock(folder: Path) -> Stock:
    """Play, kill the daemon now and then, and keep what is there then."""
    killed, ended, older, middle, other = (folder / name for name in ("killed", "ended", "older", "middle", "other"))
    killed.mkdir()
    other.mkdir()
    Home(killed, killed).settings.write_text('players = ["Ann"]\n')
    await _play(killed, _FINISHED)
    shutil.copytree(killed, older)
    await _play(killed, _BEGUN)
    shutil.copytree(killed, middle)
    standing = await _play(killed, _GONE_ON)
    shutil.copytree(killed, ended)
    Journal(Home(ended, ended).journal).close()
    play_until_power_goes(Home(other, other).journal, random.Random(1), commits=_COMMITS)
    return Stock(killed, ended, older, middle, other, standing)


async def _play(data: Path, commands: Sequence[tuple[ClientCommand, PhaseName]]) -> Standing:
    """Give commands to a daemon in this home, one after the other, and kill it; how the game stands then."""
    with TemporaryDirectory(prefix="shutbox-") as runtime:
        async with run_mock(Home(data, Path(runtime), fixed=True)) as client:
            await _wait_for(client, "idle", "ended", "awaiting_throw")
            for command, phase in commands:
                await client.send(command)
                await _wait_for(client, phase)
            return Standing.of(await client.state())


async def _wait_for(client: Client, *phases: PhaseName) -> None:
    """Wait until the box is at rest, in one of these phases."""
    async with client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if snapshot.phase in phases and is_at_rest(snapshot):
                return
