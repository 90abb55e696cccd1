"""A trial of `hang`: the bus hangs amid a reset with jammed tiles; are they let go, does the game go on?"""

import asyncio
import math
import random
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.game.core.commands import TryAgain
from controller.game.table.snapshot import Snapshot
from controller.web.client import Client
from firmware.errors import BusHung
from hardware.box import LONGEST_DRIVE_S
from tests.campaigns.live.box import PATIENCE_S, LiveBox

# The kinds: for how long each transfer hangs. A transfer that is held for ever goes on when the clock is let go.
KINDS: Mapping[str, float] = {"1 s": 1.0, "5 s": 5.0, "for ever": float("inf")}
LOCKED = "interpreter held"  # no hang: the daemon's own interpreter stands still, which only a guard's process survives
_MOST_ANSWERS = 3  # of a person, once the bus is back: the hang, and a jam that was found before it


@dataclass(frozen=True, slots=True)
class Trial:
    """One of `KINDS`, or `LOCKED`, with or without a guard, at a moment, among tiles and jams that `seed` decides."""

    kind: str
    guarded: bool
    seed: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial: how many tiles were on their way and how many of them jammed, the longest that a servo was driven
    without its tile moving, and whether the box named the bus and the same game then went on to its end.

    falsely: how often it named the bus while nobody held it.
    """

    trial: Trial
    tiles: int = 0
    jammed: int = 0
    unmoved_s: float = float("inf")
    named: bool = False
    went_on: bool = False
    falsely: int = 0
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """True if everything was as it must be."""
        return self.unmoved_s <= LONGEST_DRIVE_S and self.named and self.went_on and not self.falsely


class HungBox(LiveBox):
    """A box whose bus hangs. Lifetime and concurrency: as any live box."""

    async def attempt(self, trial: Trial) -> Outcome:
        """Make one trial. A failure of any kind is its outcome."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._attempt(trial)
        except Exception as error:  # whatever it is, it belongs to this trial and the others go on
            self._mend()
            await self.restart()
            unmoved_s, problem = self._take_unmoved_s(), f"{type(error).__name__}: {error}"
            return Outcome(trial, unmoved_s=unmoved_s, falsely=BusHung.code in problem, problem=problem)

    async def _attempt(self, trial: Trial) -> Outcome:
        chance = random.Random(trial.seed)
        lying = draw_lying(chance, list(self.ask("look")["tiles"]))
        jammed = [tile for tile in lying if chance.random() < chance.choice((0.0, 0.3, 1.0))]
        async with self.connect() as client:
            await self.lay_tiles(client, lying)
            for tile in jammed:
                self.ask("break", fault=f"jam:{tile}")
            self._take_unmoved_s()
            await self.start_game(client)
            await asyncio.sleep(chance.uniform(0.0, 1.5))
            falsely = int(_blames_bus(await client.state()))
            named = await self._strike(client, trial)
            await asyncio.sleep(chance.uniform(0.0, 1.0))
            self._mend()
            if math.isfinite(KINDS.get(trial.kind, 0.0)):
                # The kernel still waits for the transfer that hung last.
                await asyncio.sleep(KINDS.get(trial.kind, 0.0))
            falsely += await self._go_on(client, is_blamed=trial.kind != LOCKED)
            is_reset = set(self.ask("look")["tiles"].values()) == {"OPEN"}
            finished = await self.finish_game(client)
        return Outcome(trial, len(lying), len(jammed), self._take_unmoved_s(), named, is_reset and finished, falsely)

    async def _strike(self, client: Client, trial: Trial) -> bool:
        """Let the bus hang until the box says so; True if it says which part, and what to do."""
        if trial.kind == LOCKED:
            self.send_signal(signal.SIGUSR1)
            await asyncio.sleep(2.5)
            return True
        if trial.kind == "for ever":
            self.ask("break", fault="clock:held")
        else:
            self.ask("hang", seconds=KINDS[trial.kind])
        while True:
            snapshot = await self.wait_for(client, "halted")
            fault = snapshot.fault
            if fault is not None and fault.code == BusHung.code:
                return fault.part == "i2c" and bool(fault.cure)
            # A jam was found before the bus hung.
            await client.send(TryAgain())

    async def _go_on(self, client: Client, *, is_blamed: bool) -> int:
        """Answer what is asked until dice are wanted, and return how often the bus is blamed again.

        is_blamed: it still is from before. Raises `RuntimeError` if that takes too many answers.
        """
        falsely = 0
        for _ in range(_MOST_ANSWERS):
            snapshot = await self.wait_for(client, "awaiting_throw", "halted")
            if snapshot.phase == "awaiting_throw":
                return falsely
            falsely += _blames_bus(snapshot) and not is_blamed
            is_blamed = False
            await client.send(TryAgain())
        await self.wait_for(client, "awaiting_throw")
        return falsely

    def _mend(self) -> None:
        for fault in self.ask("look")["faults"]:
            self.ask("lift", fault=fault)

    def _take_unmoved_s(self) -> float:
        return float(max(self.ask("stress")["unmoved_s"].values(), default=0.0))


def _blames_bus(snapshot: Snapshot) -> bool:
    return snapshot.fault is not None and snapshot.fault.code == BusHung.code


def draw_lying(chance: random.Random, tiles: Sequence[str]) -> list[str]:
    """Draw from 1 to all tiles of a box of two rows, of which no back one lies behind a front one that stands."""
    columns = len(tiles) // 2
    count = chance.randint(1, len(tiles))
    fronts = chance.randint((count + 1) // 2, min(count, columns))
    lying = chance.sample(range(columns), fronts)
    return [tiles[column] for column in lying] + [tiles[columns + column] for column in lying[: count - fronts]]
