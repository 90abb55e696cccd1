"""The guided session of `shutbox calibrate camera`: the sheet view by view, then the empty field, then save or not."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table as Grid

from controller.box import CameraOrder, CameraRig
from controller.calibrate.conversation import Conversation, GivenUp, Result, Session
from controller.calibrate.saving import confirm_saving, file_json, save_beside, sign_now
from controller.game import JobQuestion
from controller.process import Exit
from hardware.box import FieldLayout
from hardware.calibration import (
    FILE_NAME,
    CameraCalibration,
    read_calibration,
    save_section,
    stamp,
    write_durably,
)
from vision.calibration import (
    ON_BAIZE,
    LensResult,
    SheetView,
    SheetViews,
    WantedView,
    better_exposure,
    calibration_of,
    find_sheet,
    first_exposure,
    levels_of,
    light_remark,
    locate_on_sheet,
    measure_lens,
    png_of,
)
from vision.capture import Pixels, refuse_bad_light
from vision.field import FIELD_MARKERS, Field, find_markers
from vision.watching import CaptureThread

_LOOK_S = 0.15  # from one look to the next
_ASK_AGAIN = 8  # looks at a view that is not as wanted, before it is asked for once more
_EXPOSURES = 8  # steps at most towards the right exposure
_FIELD_LOOKS = 40  # so long the field is looked for when nobody is asked
_BACKGROUND_FRAMES = 5  # noise of a single one would stay in every comparison with it
_EMPTY_IT = "Take the sheet away and empty the field: no dice, no hands."
_AS_IT_IS = JobQuestion("Take the view as it is?", ("take",), waits=False)
_POOR = "This calibration is poor: take more views, sharp, in all corners and leaning all four ways."
_INSET_MM = 3.0  # markers that are laid by hand lie so far off the plan at most; a sheet 15 mm too high shows more
_TOO_HIGH = "the sheet was not flat on the baize in view 2"


def camera_session(open_rig: Callable[[], CameraRig], home: Path, order: CameraOrder) -> Session:
    """Calibrate the camera and save the result in the folder `home`; any other way out changes no file.

    Raises `CalibrationError` when the old calibration cannot be read. The work raises `CameraFault` when no picture
    comes.
    """
    # An old file that cannot be kept up is a matter for the start, not for the end of the work.
    read_calibration(home)

    async def work(conversation: Conversation) -> Result:
        return await _calibrate(open_rig(), home, order, conversation)

    return Session(work, {"saved": False})


async def _calibrate(rig: CameraRig, home: Path, order: CameraOrder, conversation: Conversation) -> Result:
    async with CaptureThread(rig.camera) as thread:
        guided = _CameraSession(rig, thread, conversation, order)
        await guided.start()
        views = await guided.take_views()
        lens = await thread.run(lambda: measure_lens(views.taken, views.width_px, views.height_px))
        field, background = await guided.take_empty_field(lens, views)
        measured = sign_now()
        name = f"background-{stamp(measured.date)}.png"
        camera = calibration_of(lens, field, rig.camera.settings, measured, name, rig.simulated_seed)
        conversation.propose(_camera_json(camera, lens))
        conversation.show(_draw_camera(camera, lens, rig.box.name))
        saves = await confirm_saving(conversation, ask=order.ask, poor=_doubt(camera, rig.box.field))
    file = await save_beside(partial(_save, home, rig.box.name, camera, background)) if saves else None
    conversation.tell_saved(file)
    return Result(Exit.DONE if file else Exit.NO, {**_camera_json(camera, lens), **file_json(file)})


def _save(home: Path, box: str, camera: CameraCalibration, background: Pixels) -> Path:
    """Save the picture, then the file: one that names a picture must never be without it."""
    write_durably(home / camera.background, png_of(background))
    save_section(home, box, "camera", camera)
    return home / FILE_NAME


class _CameraSession:
    """One calibration. Lifetime: as long as camera and input. Concurrency: one event loop."""

    def __init__(self, rig: CameraRig, thread: CaptureThread, conversation: Conversation, order: CameraOrder) -> None:
        self._rig = rig
        self._thread = thread
        self._talk = conversation
        self._order = order

    async def start(self) -> None:
        """Set the first exposure and tell what is to be done."""
        settings = first_exposure(self._rig.box.camera, self._order.mains_hz)
        await self._thread.run(lambda: self._rig.camera.adjust(settings))
        self._talk.say(
            "Hold the calibration sheet over the field as asked (print it with --sheets). A view is taken by itself"
        )
        self._talk.say("when it is good; Enter takes it as it is, q and Enter ends without a change.")

    async def take_views(self) -> SheetViews:
        """Take one view after the other until there are enough."""
        height_px, width_px = (await self._thread.look()).frame.pixels.shape[:2]
        session = SheetViews(width_px, height_px, self._order.views)
        while session.wanted is not None:
            self._talk.advance(len(session.taken) / (session.views_wanted + 1))
            self._talk.say(f"View {len(session.taken) + 1} of {session.views_wanted}: {session.wanted.say}", "bold")
            session = await self._take_view(session, session.wanted)
        return session

    async def _take_view(self, session: SheetViews, wanted: WantedView) -> SheetViews:
        """Look until one more view is taken."""
        count, said, looks = len(session.taken), "", 0
        while len(session.taken) == count:
            if looks % _ASK_AGAIN == 0:
                self._rig.show(wanted)
            looks += 1
            sheet, dark = await self._find_sheet()
            if self._talk.is_taken(_AS_IT_IS) and sheet is not None and session.may_take(sheet):
                return session.take(sheet)
            session, advice = session.look(sheet, dark=dark)
            if advice.say != said:
                said = advice.say
                self._talk.say(f"  {said}")
            await asyncio.sleep(_LOOK_S)
        return session

    async def _find_sheet(self) -> tuple[SheetView | None, bool]:
        """Look once: the sheet, None if it is not seen; and True if it is too dark to see one."""
        frame = (await self._thread.look()).frame
        return await self._thread.run(lambda: (find_sheet(frame.pixels), refuse_bad_light(frame.pixels) is not None))

    async def take_empty_field(self, lens: LensResult, views: SheetViews) -> tuple[Field, Pixels]:
        """Set exposure and white balance for the empty field, then take the field and its picture. Raises `GivenUp`."""
        self._rig.show(None)
        self._talk.say(_EMPTY_IT, "bold")
        if self._order.ask:
            self._talk.say("Then press Enter.")
            await self._talk.ask(JobQuestion(_EMPTY_IT, ("go_on",)))
        await self._expose(lens, views)
        return await self._locate_field(lens, views, _BACKGROUND_FRAMES)

    async def _expose(self, lens: LensResult, views: SheetViews) -> None:
        """Set exposure and white balance by what the field looks like, step by step."""
        camera = self._rig.camera
        for _ in range(_EXPOSURES):
            field, pixels = await self._locate_field(lens, views, 1)
            levels = levels_of(pixels, field)
            better = better_exposure(camera.settings, levels, self._order.mains_hz)
            if better is camera.settings:
                break
            await self._thread.run(partial(camera.adjust, better))
        remark = light_remark(levels)
        if remark is not None:
            self._talk.say(f"  {remark}")

    async def _locate_field(self, lens: LensResult, views: SheetViews, frames: int) -> tuple[Field, Pixels]:
        """Locate the field by all four markers, in the mean of so many frames. Raises `GivenUp`."""
        layout, on_baize, known = self._rig.box.field, views.taken[ON_BAIZE], lens.lens
        said = ""
        # Somebody who is there uncovers what was named; he has taken eleven views by now, and none of them is lost.
        for _ in count() if self._order.ask else range(_FIELD_LOOKS):
            pixels = await self._take_mean(frames)
            field = await self._thread.run(partial(locate_on_sheet, pixels, layout, known, on_baize))
            missing = sorted(set(FIELD_MARKERS) - set(field.markers if field else ()))
            if field is not None and not missing:
                return field, pixels
            line = f"I do not see marker {', '.join(map(str, missing))}: uncover it, lay it as the plan has it."
            if field is None and await self._thread.run(partial(_sees_all_markers, pixels)):
                line = f"I see the markers, but not where they can lie: {_TOO_HIGH}. End here with q, and begin again."
            if line != said:
                said = line
                self._talk.say(f"  {line}")
            self._talk.check()
            await asyncio.sleep(_LOOK_S)
        raise GivenUp(said)

    async def _take_mean(self, frames: int) -> Pixels:
        taken = [(await self._thread.look()).frame.pixels]
        while len(taken) < frames:
            await asyncio.sleep(_LOOK_S)
            taken.append((await self._thread.look()).frame.pixels)
        return np.asarray(np.round(np.mean(taken, axis=0)), np.uint8)


def _sees_all_markers(pixels: Pixels) -> bool:
    return set(FIELD_MARKERS) <= set(find_markers(pixels))


def _doubt(camera: CameraCalibration, layout: FieldLayout) -> str | None:
    """What speaks against keeping this calibration; None for nothing.

    How high the camera is one view alone says, and nothing in the lens's error: the markers say whether that can be.
    """
    if camera.verdict == "poor":
        return _POOR
    if abs(camera.inset_mm - layout.marker_margin_mm) <= _INSET_MM:
        return None
    return (
        f"The markers seem to lie {camera.inset_mm:.1f} mm from the edges of the field, where the plan has "
        f"{layout.marker_margin_mm:g}: if they lie as it has them, {_TOO_HIGH}. Then do not save this, and begin again."
    )


def _draw_camera(measured: CameraCalibration, lens: LensResult, box: str) -> Grid:
    grid = Grid("measured", "value", title=f"Camera of the box {box}: {measured.verdict}")
    for name, value in _rows(measured, lens):
        grid.add_row(name, value)
    return grid


def _rows(measured: CameraCalibration, lens: LensResult) -> list[tuple[str, str]]:
    x, y, height = measured.camera_mm
    k1, k2 = measured.radial
    return [
        ("views", f"{measured.views}, {lens.coverage:.0%} of the picture seen"),
        ("error", f"{measured.error_px:.2f} px (good: at most 0.5)"),
        ("focal length", f"{measured.focal_px:.1f} px, {lens.focal_part:.2%} unsure"),
        ("centre", f"{measured.centre_px[0]:.1f}, {measured.centre_px[1]:.1f} px"),
        ("distortion", f"k1 {k1:.4f}, k2 {k2:.4f}"),
        ("camera", f"{height:.0f} mm above the baize, over {x:.0f}, {y:.0f} mm"),
        ("markers", f"{measured.inset_mm:.1f} mm from the edges"),
        ("exposure", f"{measured.exposure_us / 1000:.2f} ms, gain {measured.gain:.2f}"),
        ("white balance", f"red {measured.colour_gains[0]:.2f}, blue {measured.colour_gains[1]:.2f}"),
    ]


def _camera_json(measured: CameraCalibration, lens: LensResult) -> Mapping[str, Any]:
    return {**measured.model_dump(mode="json"), "coverage": lens.coverage}
