"""Watches the current of V+ while tiles move: one beyond all plans stops the box, and a stalled servo is let go early.

Only a box with a current sensor is watched (`[supply] current_sensor`).
"""

import asyncio
from collections.abc import Callable, Collection
from functools import partial

from firmware.drivers.bus import Bus, ResetCounter, chip_name
from firmware.drivers.current_sensor import CurrentSensor
from firmware.errors import ChipForgot, SupplyOverdrawn
from firmware.wire import I2CBus
from hardware.box import Box, Supply
from hardware.wires import ServoChannel

# The part named by a fault of the servos' supply.
SUPPLY = "V+"

# One look costs two short transfers (0.3 ms at 400 kHz).
_LOOK_S = 0.01
# A current beyond all plans for this long is no inrush and no start.
_BEYOND_S = 0.05
# A motor starts with the current of a stall, and is at its speed after some milliseconds (its mechanical time constant;
# vendors of 9 g motors give 10 to 20 ms). With the sensor's mean over 12 ms a stall is seen after 50 ms.
_STALLS_S = 0.03
# A released servo may go on: its last pulse was cut, and it kicks for up to four frames (80 ms); the sensor's mean. So
# may one that was released before the first look.
_LETS_GO_S = 0.1
# Above the plan by this much, for servos that draw more than their data sheet and for the sensor's error (0.5 %).
_TOLERANCE, _OFFSET_A = 1.1, 0.05


class CurrentJudge:
    """Judges the currents of one run of moves. Knows no clock and no chip.

    Currents of several servos add up, so one of them is called stalled only where that is certain: if even with all
    others stalled the rest of the current is more than a moving servo draws. For a single driven servo that is always
    so when it stalls; for several, only if all of them stall. One that stalls beside others that move draws what three
    moving ones might, and is not told apart: it is left to the tile's sensors and its time, as without a sensor. Nor is
    a short seen while it stays within what the driven servos might draw if all of them stalled.

    supply: the currents of a servo at rest, moving and stalled.
    servos: how many are connected.
    """

    def __init__(self, supply: Supply, servos: int) -> None:
        self._supply = supply
        self._servos = servos
        # A servo that starts or moves draws less than this, one that stalls more: half way between the two.
        self._stalls_a = (supply.moving_a[1] + supply.stalling_a) / 2
        self._rest_a = servos * supply.idle_a
        self._driven_s: dict[ServoChannel, float] = {}
        self._drawing: frozenset[ServoChannel] = frozenset()
        self._begun_s: float | None = None
        self._beyond_since_s: float | None = None
        self._all_stall_since_s: float | None = None
        self.stalled: frozenset[ServoChannel] = frozenset()
        self.most_a = 0.0

    @property
    def planned_a(self) -> float:
        """The most that may be drawn now: those that were just driven stalled, the others at rest."""
        most_a = len(self._drawing) * self._supply.stalling_a
        most_a += (self._servos - len(self._drawing)) * self._supply.idle_a
        return most_a * _TOLERANCE + _OFFSET_A

    def note(self, at_s: float, measured_a: float, driven: Collection[ServoChannel]) -> bool:
        """Note a current and the servos that get pulses; return True if it has been beyond the plan for too long.

        Updates `stalled`, the servos that certainly stall, and `most_a`, the highest current above that at rest.
        """
        self._driven_s |= dict.fromkeys(driven, at_s)
        before = self._drawing
        self._drawing = frozenset(wire for wire, last_s in self._driven_s.items() if at_s - last_s < _LETS_GO_S)
        self._begun_s = at_s if self._begun_s is None else self._begun_s
        if not self._drawing:
            self._rest_a = min(measured_a, self.planned_a)
        above_a = measured_a - self._rest_a
        self.most_a = max(self.most_a, above_a)
        least_a = above_a - (len(self._drawing) - 1) * self._supply.stalling_a
        if not self._drawing or self._drawing != before or least_a < self._stalls_a:
            self._all_stall_since_s = None
        elif self._all_stall_since_s is None:
            self._all_stall_since_s = at_s
        self.stalled = self._drawing if _has_lasted(self._all_stall_since_s, at_s, _STALLS_S) else frozenset()
        if measured_a <= self.planned_a or at_s - self._begun_s < _LETS_GO_S:
            self._beyond_since_s = None
        elif self._beyond_since_s is None:
            self._beyond_since_s = at_s
        return _has_lasted(self._beyond_since_s, at_s, _BEYOND_S)


def _has_lasted(since_s: float | None, at_s: float, seconds: float) -> bool:
    return since_s is not None and at_s - since_s >= seconds


class SupplyWatch:
    """The current sensor on V+, if the box has one; without it, nothing is watched and no servo is called stalled.

    driven: returns the channels that get pulses; called in the bus worker.

    Lifetime: that of its servos. Concurrency: one event loop; the measurements run in the bus worker.
    Raises: `BusFault`.
    """

    def __init__(self, box: Box, bus: Bus, i2c: I2CBus, driven: Callable[[], Collection[ServoChannel]]) -> None:
        self._bus = bus
        self._driven = driven
        address = box.supply.current_sensor
        self._sensor = None if address is None else CurrentSensor(i2c, address)
        self._resets = ResetCounter()
        self._is_aside = False
        self._new_judge = partial(CurrentJudge, box.supply, len(box.tiles))
        self._judge = self._new_judge()

    @property
    def drew_a(self) -> float | None:
        """The highest current above that at rest, in ampere, since the last `watch` began; None: nobody looked."""
        return None if self._sensor is None or self._is_aside else self._judge.most_a

    def set_aside(self) -> None:
        """Ignore a sensor that does not answer, so that the self-test can continue."""
        self._is_aside = True

    def take_back(self) -> None:
        self._is_aside = False

    async def ping(self, _address: int) -> None:
        """Check that the sensor answers. Raises `BusFault`."""
        if self._sensor is not None:
            await self._bus.run(self._sensor.ping)

    def is_stalled(self, wire: ServoChannel) -> bool:
        """Return True if the servo on `wire` certainly stalls; see `CurrentJudge`."""
        return wire in self._judge.stalled

    async def watch(self) -> None:
        """Look at the current until cancelled. Raises `SupplyOverdrawn`, with all pulses cut, for one beyond the plan.

        Begin before the first servo is driven: the first look is that of all servos at rest.
        """
        self._judge = self._new_judge()
        while (sensor := self._sensor) is not None and not self._is_aside:
            await self._bus.run(partial(self._look, sensor, asyncio.get_running_loop().time))
            await asyncio.sleep(_LOOK_S)

    async def check_rest(self) -> None:
        """Look at the current of servos that have rested for a while. Raises `SupplyOverdrawn` if it is too high."""
        self._judge = self._new_judge()
        if self._sensor is not None and not self._is_aside:
            now_s = asyncio.get_running_loop().time()
            self._refuse(self._judge, await self._bus.run(partial(self._measure, self._sensor, now_s)))

    def _look(self, sensor: CurrentSensor, clock: Callable[[], float]) -> None:
        measured_a = self._measure(sensor, clock())
        if self._judge.note(clock(), measured_a, self._driven()):
            # The bus cuts all pulses for any fault of its jobs.
            self._refuse(self._judge, measured_a)

    def _measure(self, sensor: CurrentSensor, now_s: float) -> float:
        """Measure once; set up a sensor that lost its settings and measure again."""
        measured_a = sensor.current_a()
        if measured_a is None:
            part = chip_name(sensor.address)
            if sensor.is_set_up:
                self._resets.count(sensor.address, now_s)
            sensor.set_up()
            measured_a = sensor.current_a()
            if measured_a is None:
                raise ChipForgot(part, expected="registers that keep their values", seen="settings lost at once")
        return measured_a

    def _refuse(self, judge: CurrentJudge, measured_a: float) -> None:
        if measured_a > judge.planned_a:
            expected = f"at most {judge.planned_a:.2f} A"
            raise SupplyOverdrawn(SUPPLY, expected=expected, seen=f"{measured_a:.2f} A")
