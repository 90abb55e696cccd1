"""The jobs of a turn: wait for a throw that can be read, and act for a house player at the pace of people.

The moves of the house are decided in `controller.opponents.house`; here a decision becomes a command.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from controller.box.table import Table
from controller.game.core.message import MessageKey, Messages, compose
from controller.game.core.sight import DieView
from controller.game.shutbox.commands import AcceptLoss, Choose, RollDice, TakeThrow
from controller.game.shutbox.messages import describe_unreadable
from controller.game.shutbox.state import Game
from controller.referee.jobs.outcomes import Done, Job, Meanwhile, Notice, Observations, Unread, Wish
from controller.runtime.threads import BackgroundThread
from vision.reading import Reading, Reason

if TYPE_CHECKING:
    from controller.opponents.house import Decision, House

Thought = TypeVar("Thought")

ROLL_S = 4.0  # a throw may roll and be read for this long before another one replaces it
_PATIENCE_S = 2.0  # a house player may think for this long without a word

# The refusals worth showing. For the others no throw was seen at all: the dice are still in the hand, the camera will
# soon report its fault, or the picture is a file's.
_SAID: Mapping[Reason | None, MessageKey] = {
    Reason.MOVING: "reading.moving",
    Reason.COCKED: "reading.cocked",
    Reason.STACKED: "reading.stacked",
    Reason.OFF_FIELD: "reading.off_field",
    Reason.HAND: "reading.hand",
    Reason.UNEXPLAINED: "reading.unexplained",
    Reason.TOO_MANY: "reading.too_many",
    Reason.TOO_FEW: "reading.too_few",
    Reason.GLARE: "reading.glare",
    Reason.BLURRED: "reading.blurred",
    Reason.CAMERA_MOVED: "reading.camera_moved",
    Reason.STALE: "reading.stale",
    Reason.UNSURE: "reading.unsure",
}


@dataclass(frozen=True, slots=True)
class Throwing:
    """The state of the throw that is due.

    dice_wanted: the number of dice that a house player wants to throw.
    thrown: dice are on their way, and nobody has looked at them yet.
    rolls_until_s: the loop's time at which they lie still at the latest.
    """

    dice_wanted: int | None = None
    thrown: bool = False
    rolls_until_s: float = 0.0

    def begin(self, now_s: float) -> Self:
        """Return the state once the dice have left the hand."""
        return replace(self, thrown=True, rolls_until_s=now_s + ROLL_S)

    def unread(self, *, is_told: bool) -> Self:
        """Return the state after dice were not read; if people were told so, they no longer roll."""
        return replace(self, thrown=False, rolls_until_s=0.0 if is_told else self.rolls_until_s)

    def is_reading(self, now_s: float) -> bool:
        """Return whether thrown dice still roll or wait to be looked at."""
        # In whole milliseconds: a timer for that moment may come a hair before it, and nothing comes after it.
        return self.thrown or round(self.rolls_until_s - now_s, 3) > 0.0


async def see_throw(table: Table, game: Game, observations: Observations, *, thrown: bool) -> Job:
    """Wait for a throw that can be read, and say why one cannot. thrown: somebody says that the dice lie there."""
    watcher, allowed = table.watcher, game.dice_allowed
    at_rest = "reading" if thrown else "waiting"
    watcher.tell_motion(lambda moves: observations.note(eye="rolling" if moves else at_rest, likely=()))
    observations.note(eye=at_rest, likely=(), dice=())
    try:
        reading = await (watcher.look_now(allowed) if thrown else watcher.next_throw(allowed))
        while not reading.is_read:
            said = describe_refusal(reading)
            observations.note(eye="doubtful" if said else "waiting", likely=reading.likely)
            yield Unread(said)
            reading = await watcher.next_throw(allowed)
        observations.note(dice=dice_in(reading, watcher.places_mm()), likely=reading.others)
        yield throw_from(reading)
    finally:
        watcher.tell_motion(None)
        observations.note(eye="off")


async def ask_to_type(game: Game) -> Job:
    """Ask people to type their throw, where the camera does not know the dice."""
    yield Notice((describe_unreadable(game.rules),))


def describe_refusal(reading: Reading) -> Messages:
    """Return the notice that dice cannot be read; empty for a reason that is not worth showing."""
    key = _SAID.get(reading.reason)
    return (compose(key, likely=reading.likely),) if key is not None else ()


def throw_from(reading: Reading) -> TakeThrow:
    """Make a throw of a reading: the only place where an opinion becomes a fact."""
    return TakeThrow(reading.values, "camera")


def dice_in(reading: Reading, places_mm: tuple[tuple[float, float], ...]) -> tuple[DieView, ...]:
    """Return the dice of a reading as they lie; `places_mm` is in its order, and empty if no field was found."""
    if len(places_mm) != len(reading.dice):
        return tuple(DieView(die.value, colour=die.colour) for die in reading.dice)
    placed = zip(reading.dice, places_mm, strict=True)
    return tuple(DieView(die.value, round(x, 1), round(y, 1), die.colour) for die, (x, y) in placed)


class Opponent:
    """The house player at the table.

    It thinks in a thread of its own, since the odds of a big game take a while at first, and tiles and dice are watched
    meanwhile. The thread makes it at the first question: with it come the odds and NumPy, which a daemon at rest does
    not need. `odds` keeps the odds of big games.
    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self, odds: Path | None, thinks_s: float) -> None:
        self._odds = odds
        self._thinks_s = thinks_s
        self._thread = BackgroundThread()

    async def throw(self, game: Game, dice: int | None, *, thrown: bool, by_itself: bool) -> Job:
        """Say with how many dice the player at turn wants to throw, and throw them after a while.

        dice: what it has said already, if it had a choice. thrown: they lie there; what is not read is thrown once
        more. by_itself: at a simulated box; at a real one somebody throws for it.
        """
        if len(game.dice_allowed) == 1:
            [dice] = game.dice_allowed
        if dice is None:
            thinking = self._think(self._choose_dice, game)
            async with aclosing(_wait_for(thinking, game)) as words:
                async for each in words:
                    yield each
            dice = thinking.result()
            yield Wish(dice)
        if by_itself:
            await asyncio.sleep(self._thinks_s + (ROLL_S if thrown else 0.0))
            yield RollDice(dice)

    async def choose(self, game: Game) -> Job:
        """Choose the tiles to shut, and say why."""
        await asyncio.sleep(self._thinks_s)
        thinking = self._think(self._choose_tiles, game)
        async with aclosing(_wait_for(thinking, game)) as words:
            async for each in words:
                yield each
        decision = thinking.result()
        yield Choose(decision.tiles, decision.why)

    async def accept(self) -> Job:
        """Accept a lost turn."""
        await asyncio.sleep(self._thinks_s)
        yield AcceptLoss()

    @cached_property
    def _house(self) -> "House":
        from controller.opponents.house import House

        return House(self._odds)

    def _choose_dice(self, game: Game) -> int:
        return self._house.choose_dice(game)

    def _choose_tiles(self, game: Game) -> "Decision":
        return self._house.choose(game)

    def _think(self, question: Callable[[Game], Thought], game: Game) -> asyncio.Task[Thought]:
        # The thread knows the same question again, so that a second one waits for the answer to the first.
        return asyncio.ensure_future(self._thread.run(question, game))


async def _wait_for(thinking: asyncio.Task[Thought], game: Game) -> Job:
    """Wait for the thought, or raise its error; say so if it takes long."""
    patience_gone = False
    try:
        await asyncio.wait([thinking], timeout=_PATIENCE_S)
        if not thinking.done():
            patience_gone = True
            yield Meanwhile(compose("house.counting", player=game.player.name))
        await thinking
    finally:
        thinking.cancel()
    if patience_gone:
        yield Done()
