"""The guided bring-up of a new box: its chips, its servos and sensors, its camera; then the profile that describes it.

Nothing is written before the last question. On yes the profile goes into the home, with its comments, and the settings
name it; the end points of servos that turned out to be others' are forgotten.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from controller.box.job_requests import BringUpOrder
from controller.box.rigs import BringUpRig, ServoRig
from controller.box.wires_note import note_wires
from controller.errors import SettingsError
from controller.game.core.sight import JobQuestion
from controller.jobs.bringup_state import BringUpState, found_json
from controller.jobs.dialog import Dialog, GivenUp, Result, Session, confirm, date_now, file_json, save_in_thread
from controller.jobs.servos import HANDS_OFF, PLACES, session_under_lid
from controller.runtime.home import Home
from controller.runtime.output import Exit
from controller.settings import save_setting
from firmware.calibration.bringup.chips import Chips, find_chips, tiles_on
from firmware.calibration.bringup.discovery import Discoverer, Discovery
from firmware.calibration.bringup.findings import Finding
from firmware.calibration.bringup.responses import Lines, Prober, Watch
from firmware.calibration.bringup.wiring import Wiring, changes_to, chip_findings, deduce, move_chips
from firmware.calibration.columns import LidClosed, Stroker
from hardware.box import Box
from hardware.calibration import ServoCalibration, save_section, write_durably
from hardware.phrase import phrase
from hardware.tiles import TileId
from hardware.wiring.changes import Change, change_box, rewrite_profile

_LOOK_S = 0.1  # interval of looks while a person tips tiles
_HEAD = "# How this box is wired, found out by `shutbox bringup`"
_BY_HAND = phrase("Tip tiles by hand and see their sensors change; go on when you have seen enough.")
_WRITE = phrase("Write these changes into the profile of this box?")

LookAtCamera = Callable[[], Awaitable[tuple[tuple[Finding, ...], tuple[Change, ...]]]]


@dataclass(frozen=True, slots=True)
class BringUpTask:
    """The task: the box, the home of its files, the look at its camera, and what has it used as it is wired.

    use: is called with the file of the profile once that is written.
    """

    rig: BringUpRig
    home: Home
    order: BringUpOrder
    look_at_camera: LookAtCamera
    use: Callable[[str], None]


def bringup_session(task: BringUpTask) -> Session:
    """Find out how a box is wired, and write that down if the person wants it; every other outcome changes no file.

    NO unless everything that was found is described by the profile. The work raises `BusFault`.
    """

    async def work(conversation: Dialog) -> Result:
        return await _BringUp(task, conversation).run()

    return session_under_lid(work, {**found_json((), (), {}), **file_json(None)})


class _BringUp:
    """One bring-up."""

    def __init__(self, task: BringUpTask, conversation: Dialog) -> None:
        self._task = task
        self._box = task.rig.box
        self._talk = conversation
        self._state = BringUpState(self._box)
        self._probed = 0
        self._at = self._box  # with its chips where they answer
        self._is_mock = False

    async def run(self) -> Result:
        """Look at all parts, show what differs from the profile, ask, and write."""
        self._talk.say(
            phrase("How {name} is wired is found out. No file changes before the last question.", name=self._box.name)
        )
        chips = await self._scan()
        moved = move_chips(self._box, chips)
        at = self._at = change_box(self._box, moved)
        async with self._task.rig.open(at) as rig:
            wiring, untested = await self._find_wiring(rig, at, chips)
        self._enter("camera")
        seen, turned = await self._task.look_at_camera()
        self._state.findings = (*chip_findings(self._box, chips), *wiring.findings, *seen)
        self._state.changes = (*changes_to(self._box, wiring, moved), *turned)
        self._state.untested = untested
        self._enter("changes")
        return await self._finish(partial(self._write, chips, at))

    def _enter(self, stage: Any) -> None:
        self._state.stage = stage
        self._propose()

    def _propose(self) -> None:
        self._talk.propose(self._state.draft())

    async def _scan(self) -> Chips:
        """Scan the bus, and say what is not as expected."""
        self._enter("chips")
        async with self._task.rig.open(self._box) as rig:
            self._is_mock = rig.simulated_seed is not None
            chips = await find_chips(rig.firmware.scan, self._box)
        self._state.take_chips(chips)
        self._state.findings = tuple(chip_findings(self._box, chips))
        for finding in self._state.findings:
            self._talk.say(f"  {finding}", "yellow")
        if not self._state.findings:
            self._talk.say(phrase("The bus has {count} chips, each where it should be.", count=len(chips.kinds)))
        self._propose()
        return chips

    async def _find_wiring(self, rig: ServoRig, at: Box, chips: Chips) -> tuple[Wiring, Mapping[TileId, str]]:
        """Probe all channels, with a person who watches if there is one, and put the tiles back."""
        firmware = rig.firmware
        left_out = self._set_aside(rig, chips)
        if len(left_out) == len(at.tiles):
            raise GivenUp(phrase("No tile can be moved, because chips do not answer. See to them, then begin again."))
        watch = Watch(firmware.sensors)
        if self._task.order.ask:
            await self._watch_hands(watch)
            self._talk.say(HANDS_OFF)
            await self._talk.ask(JobQuestion(HANDS_OFF, ("go_on",)))
        self._enter("servos")
        if firmware.panel.lid_is_closed:
            raise LidClosed
        await firmware.servos.arm()
        began = await watch.look()
        prober = Prober(at, Stroker(at, firmware.servos, firmware.sensors, firmware.panel), watch, self._note)
        which, clear = (self._ask_which, self._ask_hands) if self._task.order.ask else (None, None)
        discoverer = Discoverer(at, prober, watch, left_out=left_out, which=which, clear=clear, tell=self._tell)
        found = await discoverer.run()
        before = self._task.rig.before
        wiring = deduce(at, found, before.apply_to(at) if before is not None else at)
        self._state.judge(wiring.wrong, "wrong")
        self._state.judge(wiring.silent, "silent")
        await discoverer.put_back(discoverer.lying(began))
        await firmware.servos.stop_all()
        return wiring, found.untested

    def _set_aside(self, rig: ServoRig, chips: Chips) -> dict[TileId, str]:
        """Set silent chips aside; return the tiles that cannot be probed without them, with the reason."""
        left_out: dict[TileId, str] = {}
        for chip in chips.missing:
            match chips.kinds[chip]:
                case "servo board":
                    rig.firmware.servos.set_aside(chip)
                case "expander":
                    rig.firmware.sensors.set_aside(chip)
                case "current sensor":
                    rig.firmware.servos.supply.set_aside()
            reason = f"the {chips.kinds[chip]} 0x{chip:02x} does not answer"
            left_out |= dict.fromkeys(tiles_on(self._box, chip), reason)
        return left_out

    async def _watch_hands(self, watch: Watch) -> None:
        """Show the sensors while a person tips tiles, until they have seen enough."""
        self._enter("hands")
        self._talk.say(_BY_HAND)
        self._talk.say_keys("Then press Enter; q and Enter ends without a change.")
        offer = JobQuestion(_BY_HAND, ("go_on",), waits=False)
        shown = await watch.look()
        self._show_sensors(shown)
        while not self._talk.is_taken(offer):
            seen = await watch.look()
            for line in sorted(seen ^ shown):
                says = phrase("yes") if line in seen else phrase("no")
                self._talk.say(
                    phrase("{tile}: its {part} sensor says {says}.", tile=line.tile, part=PLACES[line.end], says=says)
                )
            if seen != shown:
                shown = seen
                self._show_sensors(seen)
            await asyncio.sleep(_LOOK_S)

    def _show_sensors(self, seen: Lines) -> None:
        self._state.see(seen)
        self._propose()

    def _note(self, tile: TileId, pulse_us: float | None, seen: Lines) -> None:
        self._talk.check()
        self._state.drive(tile, pulse_us)
        self._show_sensors(seen)

    def _tell(self, tile: TileId, found: Discovery) -> None:
        """Say what was found at the channel of a tile, once it was probed."""
        self._talk.check()
        if tile not in found.responses:
            self._talk.say(phrase("{tile}: its channel is driven to and fro ...", tile=tile), "dim")
            return
        self._probed += 1
        self._talk.advance(self._probed / len(self._box.tiles))
        response, moved = found.responses[tile], found.moved.get(tile)
        done = phrase("{count} of {total}", count=self._probed, total=len(self._box.tiles))
        if response is None:
            self._state.judge((tile,), "silent")
            self._talk.say(phrase("{tile} ({done}): no sensor answers.", tile=tile, done=done), "red")
        elif moved != tile:
            self._state.judge((tile,) if moved is None else (tile, moved), "wrong")
            self._talk.say(
                phrase(
                    "{tile} ({done}): its channel moves {moved}.",
                    tile=tile,
                    done=done,
                    moved=moved or phrase("a tile that nobody knows"),
                ),
                "yellow",
            )
        elif {line.tile for line in response.lines} != {tile}:
            self._state.judge((tile,), "wrong")
            self._talk.say(
                phrase("{tile} ({done}): it moves, and other sensors see it.", tile=tile, done=done), "yellow"
            )
        else:
            self._state.judge((tile,), "answers")
            self._talk.say(phrase("{tile} ({done}): it moves, and its sensors see it.", tile=tile, done=done), "green")
        self._propose()

    async def _ask_which(self, channel: TileId, likely: Sequence[TileId]) -> TileId | None:
        sees = self._task.rig.sees
        self._state.wonder(likely, None if sees is None else sees(self._at.tiles[channel].servo))
        self._propose()
        question = phrase(
            "One tile was moved to and fro just now, and the sensors do not agree on it ({likely}). Which one was it? "
            "If you did not see it, name none, and it is moved again.",
            likely=", ".join(map(str, likely)),
        )
        names = tuple(map(str, self._box.tile_ids))
        answer = await self._talk.ask(JobQuestion(question, ("some",), names))
        self._state.wonder(())
        return TileId.parse(answer.names[0]) if len(answer.names) == 1 else None

    async def _ask_hands(self, tile: TileId, does: str) -> None:
        if does == "lie":
            question = phrase("{tile} is in the way: tip it down by hand, then take your hands away.", tile=tile)
        else:
            question = phrase("{tile} is in the way: set it up by hand, then take your hands away.", tile=tile)
        self._talk.say(question, "yellow")
        self._talk.say_keys("Then press Enter.")
        await self._talk.ask(JobQuestion(question, ("go_on",)))

    async def _finish(self, write: Callable[[], Path]) -> Result:
        """Show the difference, ask, and write."""
        state, order = self._state, self._task.order
        for finding in state.findings:
            self._talk.show(str(finding))
        for tile, reason in state.untested.items():
            self._talk.show(f"{tile} was not tested: {reason}.")
        for change in state.changes:
            self._talk.show(f"{change}  ({change.why})")
        if not state.findings:
            self._talk.show("The box is wired as its profile says.")
        file = None
        if state.changes and (not order.ask or await confirm(self._talk, _WRITE)):
            file = await save_in_thread(write)
        self._enter("done")
        self._talk.tell_saved(file)
        if file is not None:
            self._talk.say(self._select(file))
            self._task.use(str(file))
        is_right = not state.untested and all(finding.mended for finding in state.findings)
        status = Exit.DONE if is_right and bool(file) == bool(state.changes) else Exit.NO
        if status is Exit.DONE:
            note = partial(note_wires, self._task.home, self._box.name, date_now(), mock=self._is_mock)
            await save_in_thread(note)
        return Result(status, {**found_json(state.findings, state.changes, state.untested), **file_json(file)})

    def _write(self, chips: Chips, at: Box) -> Path:
        """Write the profile, and forget the end points of servos that are others now; return the profile's file."""
        rig, home, changes = self._task.rig, self._task.home, self._state.changes
        text = "".join(line for line in rig.text.splitlines(keepends=True) if not line.startswith(_HEAD))
        file = home.profile(self._box.name)
        head = f"{_HEAD} on {date_now():%Y-%m-%d %H:%M}.\n"
        profile = rewrite_profile(f"{head}{text}", changes, rig.name)
        if rig.before is not None:
            known = _still_known(rig.before, chips, at, change_box(self._box, changes))
            if known != rig.before:
                save_section(home.data, self._box.name, "servos", known.model_copy(update={"date": date_now()}))
        write_durably(file, profile.encode())
        return file

    def _select(self, file: Path) -> str:
        """Let the settings name the profile; return what to say of it."""
        try:
            save_setting(self._task.home.settings, "box", str(file))
        except SettingsError as error:
            return phrase(
                'The profile is written; but write box = "{file}" into the settings yourself: {error}',
                file=file,
                error=error,
            )
        return phrase("The box is driven by this profile from now on. Measure its servos anew, then play.")


def _still_known(before: ServoCalibration, chips: Chips, at: Box, now: Box) -> ServoCalibration:
    """Return the calibration without the tiles that have another servo by `now`, or one that turns the other way.

    at: the box with its chips where they answer; chips: their moves, which the measured clocks follow.
    """
    kept = {
        tile: found
        for tile, found in before.tiles.items()
        if (now.tiles[tile].servo, now.tiles[tile].reversed) == (at.tiles[tile].servo, at.tiles[tile].reversed)
    }
    names = {f"0x{chip:02x}": f"0x{moved:02x}" for chip, moved in chips.moved.items()}
    clocks = {names.get(board, board): factor for board, factor in before.clocks.items()}
    return before.model_copy(update={"tiles": kept, "clocks": clocks})
