"""The guided session of `shutbox calibrate servos --manual`: a person finds end points with keys, within limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.box.job_requests import ServoOrder
from controller.box.rigs import OpenServoRig
from controller.jobs.dialog import Dialog, GivenUp, Result, Session, confirm, save_in_thread
from controller.jobs.servos import (
    PLACES,
    ServoTask,
    calibration_of,
    draw_servos,
    outcome_json,
    saved_json,
    session_under_lid,
)
from controller.runtime.output import Exit
from firmware.calibration.columns import LidClosed
from firmware.calibration.measure import EndPoints, Proposal
from firmware.calibration.slot import slotted_tile
from firmware.calibration.strokes import Stroke
from hardware.box import LEAST_TRAVEL_US, LEAST_US, MOST_US, MOUNT_US, Box
from hardware.calibration import ServoCalibration
from hardware.phrase import phrase
from hardware.tiles import Position, TileId

_STEPS_US = {"+": 10, "-": -10, ">": 50, "<": -50}
_MARKS = {"o": "open", "s": "shut"}
KEYS = (*_STEPS_US, "m", *_MARKS, "n", "d")
_HELP = (
    "+ - 10 us, > < 50 us, m 1500 us to mount the horn, o here it {}, s here it {}, n next tile, d done, "
    "q quit without a change"
)
_RIGID_HELP, _SLOT_HELP = _HELP.format("stands", "lies"), _HELP.format("stands up", "falls")
_BY_HAND = "set by hand."


@dataclass
class _Jog:
    """One tile that a person moves with keys: its present pulse and the marked ends."""

    tile: TileId
    pulse_us: int
    marks: dict[str, int]


def jog_session(open_rig: OpenServoRig, home: Path, before: ServoCalibration | None, order: ServoOrder) -> Session:
    """Let a person move tiles by keys or buttons, mark their ends, and save them; else no file changes.

    NO if nothing is saved. The work raises `BusFault`.
    """

    async def work(conversation: Dialog) -> Result:
        async with open_rig() as rig:
            return await _JogSession(ServoTask(rig, home, before, order), conversation).run()

    return session_under_lid(work, saved_json((), None))


class _JogSession:
    """One calibration by hand."""

    def __init__(self, task: ServoTask, conversation: Dialog) -> None:
        self._task = task
        self._rig = task.rig
        self._talk = conversation
        self._stroker = task.stroker()
        self._marked: dict[TileId, Proposal] = {}
        self._help = _SLOT_HELP if self._rig.box.motion.link == "slot" else _RIGID_HELP

    async def run(self) -> Result:
        """Jog tile by tile, then show the result, ask, and save."""
        firmware = self._rig.firmware
        if firmware.panel.lid_is_closed:
            raise LidClosed
        await firmware.servos.arm()
        self._talk.say_keys(f"Keys: {self._help}.")
        for tile in self._task.tiles:
            if not await self._jog(tile):
                break
        # No servo is powered while the person reads the table and decides.
        await firmware.servos.stop_all()
        if not self._marked:
            raise GivenUp(phrase("No tile was marked."))
        self._talk.propose(outcome_json(self._marked))
        calibration = calibration_of(self._rig, self._marked, self._task.before)
        title = "Servos, not saved yet,"
        for part in draw_servos(calibration, self._task.before, self._rig.box.name, self._marked, title):
            self._talk.show(part)
        yes = await confirm(self._talk, phrase("Save the ends that were marked ({count})?", count=len(self._marked)))
        file = await save_in_thread(partial(self._task.save, calibration)) if yes else None
        self._talk.tell_saved(file)
        return Result(Exit.DONE if file else Exit.NO, saved_json(self._marked, file))

    async def _jog(self, tile: TileId) -> bool:
        """Follow the keys for one tile; return False if it was the last one wanted."""
        # Begin in the middle, between the ends that were measured before or those of the profile.
        box, before = self._rig.box, self._task.before
        known = before.tiles.get(tile) if before is not None else None
        ends = (known.open_us, known.shut_us) if known else (box.motion.open_us, box.motion.shut_us)
        jog = _Jog(tile, round(sum(ends) / 2), {})
        self._talk.say(phrase("{tile}: begins at {pulse_us} us.", tile=tile, pulse_us=jog.pulse_us), "bold")
        while True:
            self._talk.propose({"jog": {"tile": str(tile), "pulse_us": jog.pulse_us, "marks": dict(jog.marks)}})
            key = await self._talk.key(phrase("Move {tile}, and mark its ends.", tile=tile), KEYS)
            match key:
                case "+" | "-" | ">" | "<":
                    await self._step(jog, _STEPS_US[key])
                case "m":
                    # No tile hangs on a horn that is being mounted: those of its column are not asked.
                    await self._go(jog, MOUNT_US)
                case "o" | "s":
                    jog.marks[_MARKS[key]] = jog.pulse_us
                    where = phrase("open") if key == "o" else phrase("shut")
                    self._talk.say(
                        phrase("{tile}: {end} at {pulse_us} us", tile=tile, end=where, pulse_us=jog.pulse_us)
                    )
                case "n" | "d":
                    if await self._keep(jog):
                        return key == "n"
                case _:
                    self._talk.say_keys(self._help)

    async def _step(self, jog: _Jog, step_us: int) -> None:
        """Make one stroke; the servo is released after each, because a person cannot see it pressing."""
        obstacle = obstacle_of(jog.tile, await self._stroker.look(), self._rig.box)
        if obstacle is not None:
            self._talk.say(obstacle, "yellow")
            return
        await self._go(jog, jog.pulse_us + step_us)

    async def _go(self, jog: _Jog, wanted_us: int) -> None:
        jog.pulse_us = max(LEAST_US, min(MOST_US, wanted_us))
        if jog.pulse_us != wanted_us:
            self._talk.say(phrase("{pulse_us} us is as far as a servo goes.", pulse_us=jog.pulse_us), "yellow")
        seen = await self._stroker.stroke(jog.tile, Stroke(jog.pulse_us))
        self._talk.say(
            phrase("{tile}: {pulse_us} us, {seen}", tile=jog.tile, pulse_us=jog.pulse_us, seen=PLACES[seen.rest])
        )

    async def _keep(self, jog: _Jog) -> bool:
        """Note the pulses that follow from both marks, and leave a tile on a slotted rod free for a hand."""
        if not jog.marks:
            return True
        if len(jog.marks) == 1:
            self._talk.say(phrase("{tile}: mark its other end too (o and s).", tile=jog.tile), "yellow")
            return False
        slotted = slotted_tile(self._rig.box, jog.tile)
        marked = EndPoints(jog.marks["open"], jog.marks["shut"])
        ends = slotted.ends(marked.shut_us, marked.open_us).clamped() if slotted is not None else marked
        if abs(ends.shut_us - ends.open_us) < LEAST_TRAVEL_US:
            self._talk.say(
                phrase(
                    "{tile}: its ends lie less than {least_us} us apart, which is no travel.",
                    tile=jog.tile,
                    least_us=LEAST_TRAVEL_US,
                ),
                "yellow",
            )
            return False
        rest_us = None if ends.rest_us is None else round(ends.rest_us)
        self._marked[jog.tile] = Proposal(
            round(ends.open_us), round(ends.shut_us), None, None, 0.0, "fair", _BY_HAND, rest_us
        )
        if rest := ends.to_rest:
            await self._stroker.stroke(jog.tile, rest)
        return True


def obstacle_of(tile: TileId, at: Mapping[TileId, Position], box: Box) -> str | None:
    """Name the tile that has to move before `tile` is jogged, by the stack rule; None if it is free."""
    column = box.in_column(tile.column(box.columns)) if box.rows > 1 else (tile,)
    number = column.index(tile)
    # Tiles in front must be down, or this one could not tip; tiles behind must be up, or it could not rise again.
    for other in column[:number]:
        if at[other] is not Position.SHUT:
            return phrase("{other} must lie before {tile} moves: tip it down by hand.", other=other, tile=tile)
    for other in column[number + 1 :]:
        if at[other] is not Position.OPEN:
            return phrase("{other} must stand before {tile} moves: set it up by hand.", other=other, tile=tile)
    return None
