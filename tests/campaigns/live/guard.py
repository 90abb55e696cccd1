"""A trial of `guard`: a daemon is killed or stopped amid a reset; is the box silent, is the game finished?

Everything is a process of its own, as on a box: the simulated box, the guard, and the daemon that suffers.
"""

import asyncio
import random
import signal
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

from controller.runtime.home import Home
from controller.web.client import Client
from tests.campaigns.live.box import PATIENCE_S, LiveBox

LIMIT_S = 1.0  # pulses must be gone so soon after a daemon dies (see firmware/guard/protocol.py)


@dataclass(frozen=True, slots=True)
class Trial:
    """`kill -9` or, if it `stops`, SIGSTOP, at a moment of the reset that `seed` decides."""

    stops: bool
    seed: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial, and whether the box fell silent and the next daemon went on as it must.

    quiet_s: seconds from the signal to the last pulse that arrived at any servo, by the box's clock; 0 if none came
    after it, infinite if they go on or it is not known.
    pulsing: whether pulses arrived when the signal was sent. looked_first: whether the next start read a sensor before
    it switched any output on. finished: whether that start then finished the reset and the game.
    """

    trial: Trial
    pulsing: bool
    quiet_s: float
    looked_first: bool
    finished: bool
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """True if everything was as it must be."""
        return self.quiet_s < LIMIT_S and self.looked_first and self.finished


class GuardedBox(LiveBox):
    """A box with a guard, whose daemon is struck amid a reset. Lifetime and concurrency: as any live box."""

    def __init__(self, home: Home, states: socket.socket, before: Sequence[str] = ()) -> None:
        super().__init__(home, states, before)
        self._reset_s = 1.0

    async def measure_reset(self) -> None:
        """Make one whole reset and keep how long it takes, so that a trial can strike at any moment of one."""
        async with self.connect() as client:
            await self._begin_reset(client)
            began_s = time.monotonic()
            await self.wait_for(client, "awaiting_throw")
            self._reset_s = time.monotonic() - began_s
            await self.finish_game(client)

    async def attempt(self, trial: Trial) -> Outcome:
        """Make one trial. A failure of any kind is its outcome."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._attempt(trial)
        except Exception as error:  # whatever it is, it belongs to this trial and the others go on
            await self.restart()
            return Outcome(trial, False, float("inf"), False, False, f"{type(error).__name__}: {error}")

    async def _attempt(self, trial: Trial) -> Outcome:
        async with self.connect() as client:
            await self._begin_reset(client)
            await asyncio.sleep(random.Random(trial.seed).uniform(0.0, self._reset_s))
            before = self.ask("look")
            struck_s = time.monotonic()
            self.send_signal(signal.SIGSTOP if trial.stops else signal.SIGKILL)
            await self.wait_until_cut(2 * LIMIT_S)
        await self.stop()
        quiet_since_s = self.ask("look")["quiet_since_s"]
        quiet_s = float("inf") if quiet_since_s is None else max(0.0, quiet_since_s - struck_s)

        started_s = time.monotonic()
        await self.start()
        async with self.connect() as client:
            await self.wait_for(client, "awaiting_throw")
            moments = [what for _, what, _ in self.ask("moments", after_s=started_s)["moments"]]
            is_reset = set(self.ask("look")["tiles"].values()) == {"OPEN"}
            finished = await self.finish_game(client)
        return Outcome(trial, bool(before["pulses_us"]), quiet_s, has_looked_first(moments), is_reset and finished)

    async def _begin_reset(self, client: Client) -> None:
        """Lay all tiles and begin a game."""
        await self.lay_tiles(client, list(self.ask("look")["tiles"]))
        await self.start_game(client)


def has_looked_first(moments: Sequence[str]) -> bool:
    """True if a sensor was read before any output was switched on."""
    acts = [moments.index(what) for what in ("enable", "drive") if what in moments]
    return "look" in moments and all(moments.index("look") < act for act in acts)
