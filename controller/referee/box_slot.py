"""The slot for the box of a daemon, where a simulated box makes room for the one that a game needs."""

from contextlib import AbstractAsyncContextManager

from controller.box.choose import ChosenBox
from controller.box.compatibility import can_show, check_box, default_box_for, known_boxes
from controller.box.table import Table
from controller.errors import NotNow
from controller.game.core.engine import AnyRules
from controller.game.core.sight import JobView
from controller.referee.referee import Referee


class BoxSlot:
    """The box at a table now.

    Lifetime: as the daemon. Concurrency: one event loop.
    """

    def __init__(self, chosen: ChosenBox) -> None:
        self.chosen = chosen

    def open_table(self) -> AbstractAsyncContextManager[Table]:
        """Open the table of the present box."""
        return self.chosen.open_table()

    def rewire(self, file: str) -> None:
        """Use this same box as the profile in `file` describes it, from the next opening of its table on."""
        if self.chosen.rewired is not None:
            self.chosen = self.chosen.rewired(file)

    async def make_fit(self, rules: AnyRules, referee: Referee) -> None:
        """Replace a simulated box that cannot show a game by one that can.

        Raises `BoxTooSmall` if the box has to stay, and `NotNow` while a game is on or somebody has the box for a job.
        """
        if can_show(rules, self.chosen.box):
            return
        wanted = default_box_for(rules)
        if self.chosen.another is None or not can_show(rules, wanted):
            check_box(rules, self.chosen.box, known_boxes())
            return
        check_no_game(referee)
        await self._exchange(self.chosen.another(wanted.name), referee)

    async def use_profile(self, name: str, referee: Referee) -> None:
        """Use another profile of the program for the box. Raises `NotNow` as `make_fit` does."""
        if name == self.chosen.box.name:
            return
        check_no_game(referee)
        choose = self.chosen.another or self.chosen.rewired
        if choose is None:
            raise NotNow("the box at this table stays")
        await self._exchange(choose(name), referee)

    async def _exchange(self, wanted: ChosenBox, referee: Referee) -> None:
        async with referee.watch() as snapshots:
            await referee.lend(_Exchange(self, wanted))
            while (await snapshots.get()).box != wanted.box.name:
                pass


def check_no_game(referee: Referee) -> None:
    """Raise `NotNow` while a game is on."""
    if referee.is_game_on:
        raise NotNow("a game is on; another box can come to the table once it is over")


class _Exchange:
    """The borrower that puts another box in its place, between two tables."""

    view = JobView("exchange")

    def __init__(self, stand: BoxSlot, wanted: ChosenBox) -> None:
        self._stand = stand
        self._wanted = wanted

    def stop(self) -> None:
        """Do nothing: an exchange takes no time."""

    async def run(self) -> None:
        self._stand.chosen = self._wanted
