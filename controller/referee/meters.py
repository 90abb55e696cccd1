"""Counts of what happens at a table since the program started, for whoever watches over many of them.

No algorithm knows of it: it hears what subscribers hear, sees what the watcher keeps, and looks at the clock.
"""

import asyncio
from collections import Counter

from controller.game import (
    DiceThrown,
    FirstRolled,
    GameAbandoned,
    GameEnded,
    GameEvent,
    GameHalted,
    GameStarted,
    ThrowCorrected,
)
from controller.referee.subscribers import Action, Words
from vision.capture import Pixels
from vision.reading import Reading

_LAG_EVERY_S = 1.0


class Meters:
    """Counts, by what they count.

    games: by how far (`started`, `ended`, `given_up`). throws: by who said what they show. corrections: throws that
    were read wrong. refused: readings of the camera, by the reason why not. faults: by code. lag_s, most_lag_s: by how
    much the event loop was late when it was looked at last, and at most.

    Lifetime: as the process, also where tables are closed and opened again. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self.games: Counter[str] = Counter(started=0, ended=0, given_up=0)
        self.throws: Counter[str] = Counter(camera=0, typed=0)
        self.corrections = 0
        self.refused: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.lag_s = 0.0
        self.most_lag_s = 0.0

    def count(self, action: Action) -> Words:
        """Count an action, as a subscriber of the referee; it says nothing."""
        for event in action.events:
            self._count_event(event)
        return Words()

    def count_reading(self, _frame: Pixels, reading: Reading) -> None:
        """Count a reading that the watcher keeps, if it was refused."""
        if not reading.is_read:
            self.refused[str(reading.reason)] += 1

    async def measure_lag(self) -> None:
        """Look every second by how much the event loop is late, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + _LAG_EVERY_S
            await asyncio.sleep(_LAG_EVERY_S)
            self.lag_s = max(0.0, loop.time() - due_s)
            self.most_lag_s = max(self.most_lag_s, self.lag_s)

    def _count_event(self, event: GameEvent) -> None:
        match event:
            case GameStarted():
                self.games["started"] += 1
            case GameEnded():
                self.games["ended"] += 1
            case GameAbandoned():
                self.games["given_up"] += 1
            case DiceThrown(source=source) | FirstRolled(source=source):
                self.throws[source] += 1
            case ThrowCorrected():
                self.corrections += 1
            case GameHalted(fault):
                self.faults[fault.code] += 1
