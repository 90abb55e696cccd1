"""The guided session of `shutbox calibrate camera`: views of the sheet, then the empty field, then save or not."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table as Grid

from controller.box.job_requests import CameraOrder
from controller.box.rigs import CameraRig
from controller.game.core.sight import JobQuestion
from controller.jobs.dialog import Dialog, GivenUp, Result, Session, confirm_saving, file_json, save_in_thread, sign_now
from controller.runtime.output import Exit
from hardware.box import FieldLayout
from hardware.calibration import FILE_NAME, CameraCalibration, read_calibration, save_section, stamp, write_durably
from hardware.phrase import Phrase, phrase
from vision.calibration.exposure import better_exposure, first_exposure, levels_of, light_remark
from vision.calibration.guided_views import ON_BAIZE, SheetViews, WantedView
from vision.calibration.measure import LensResult, calibration_of, locate_on_sheet, measure_lens, png_of
from vision.calibration.sheets import find_sheet
from vision.calibration.viewfinder import Viewfinder
from vision.capture.frame import Pixels
from vision.capture.quality import refuse_bad_light
from vision.field.field import Field
from vision.field.markers import FIELD_MARKERS, find_markers
from vision.watching.capture_thread import CaptureThread

_LOOK_S = 0.15  # pause between two looks
_ASK_AGAIN = 8  # looks at an unsuitable view before it is requested again
_EXPOSURES = 8  # most steps towards the right exposure
_FIELD_LOOKS = 40  # looks for the field if nobody can be asked
_BACKGROUND_FRAMES = 5  # the noise of a single frame would affect every later comparison with it
_EMPTY_IT = phrase("Take the sheet away and empty the field: no dice, no hands.")
_AS_IT_IS = JobQuestion(phrase("Take the view as it is?"), ("take",), waits=False)
_POOR = phrase("This calibration is poor: take more views, sharp, in all corners and leaning all four ways.")
_INSET_MM = 3.0  # the most that markers laid by hand are off the plan; a sheet 15 mm too high shows more than that
_TOO_HIGH = phrase("the sheet was not flat on the baize in view 2")


def camera_session(open_rig: Callable[[], CameraRig], home: Path, order: CameraOrder) -> Session:
    """Calibrate the camera and save the result in the folder `home`; every other outcome changes no file.

    Raises `CalibrationError` if the old calibration cannot be read. The work raises `CameraFault` if there is no
    picture.
    """
    # A file that cannot be extended is refused at the start, not at the end of the work.
    read_calibration(home)

    async def work(conversation: Dialog) -> Result:
        rig = open_rig()
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
        file = await save_in_thread(partial(_save, home, rig.box.name, camera, background)) if saves else None
        conversation.tell_saved(file)
        return Result(Exit.DONE if file else Exit.NO, {**_camera_json(camera, lens), **file_json(file)})

    return Session(work, {"saved": False})


def _save(home: Path, box: str, camera: CameraCalibration, background: Pixels) -> Path:
    """Save the picture, then the file that names it, so that the file is never without its picture."""
    write_durably(home / camera.background, png_of(background))
    save_section(home, box, "camera", camera)
    return home / FILE_NAME


class _CameraSession:
    """One calibration."""

    def __init__(self, rig: CameraRig, thread: CaptureThread, conversation: Dialog, order: CameraOrder) -> None:
        self._rig = rig
        self._thread = thread
        self._talk = conversation
        self._order = order

    async def start(self) -> None:
        """Set the first exposure and explain the work."""
        settings = first_exposure(self._rig.box.camera, self._order.mains_hz)
        await self._thread.run(lambda: self._rig.camera.adjust(settings))
        self._talk.say(
            phrase("Hold the calibration sheet over the field as asked; a view is taken by itself when it is good.")
        )
        self._talk.say_keys("Print it with --sheets. Enter takes a view as it is, q and Enter ends without a change.")

    async def take_views(self) -> SheetViews:
        height_px, width_px = (await self._thread.look()).frame.pixels.shape[:2]
        session = SheetViews(width_px, height_px, self._order.views)
        while session.wanted is not None:
            self._talk.advance(len(session.taken) / (session.views_wanted + 1))
            self._talk.say(
                phrase(
                    "View {number} of {views}: {say}",
                    number=len(session.taken) + 1,
                    views=session.views_wanted,
                    say=session.wanted.say,
                ),
                "bold",
            )
            session = await self._take_view(session, session.wanted)
        return session

    async def _take_view(self, session: SheetViews, wanted: WantedView) -> SheetViews:
        """Look until one more view is taken, at the person's request or because it is good."""
        count, said, looks = len(session.taken), "", 0
        while len(session.taken) == count:
            if looks % _ASK_AGAIN == 0:
                self._rig.show(wanted)  # the simulated person tries again
            looks += 1
            pixels = (await self._thread.look()).frame.pixels
            sheet = await self._thread.run(partial(find_sheet, pixels))
            self._talk.look(Viewfinder(pixels, self._rig.box.field, sheet))
            dark = await self._thread.run(partial(refuse_bad_light, pixels)) is not None
            if self._talk.is_taken(_AS_IT_IS) and sheet is not None and session.may_take(sheet):
                return session.take(sheet)
            session, advice = session.look(sheet, dark=dark)
            if advice.say != said:
                said = advice.say
                self._talk.say(Phrase("  {advice}", {"advice": said}))
            await asyncio.sleep(_LOOK_S)
        return session

    async def take_empty_field(self, lens: LensResult, views: SheetViews) -> tuple[Field, Pixels]:
        """Set exposure and white balance for the empty field, then locate it and take its picture. Raises `GivenUp`."""
        self._rig.show(None)
        self._talk.say(_EMPTY_IT, "bold")
        if self._order.ask:
            self._talk.say_keys("Then press Enter.")
            await self._talk.ask(JobQuestion(_EMPTY_IT, ("go_on",)))
        camera = self._rig.camera
        for _ in range(_EXPOSURES):
            field, pixels = await self._locate_field(lens, views, 1)
            levels = levels_of(pixels, field)
            better = better_exposure(camera.settings, levels, self._order.mains_hz)
            if better is camera.settings:
                break  # as good as it gets
            await self._thread.run(partial(camera.adjust, better))
        remark = light_remark(levels)
        if remark is not None:
            self._talk.say(Phrase("  {remark}", {"remark": remark}))
        return await self._locate_field(lens, views, _BACKGROUND_FRAMES)

    async def _locate_field(self, lens: LensResult, views: SheetViews, frames: int) -> tuple[Field, Pixels]:
        """Locate the field by all four markers in the mean of this many frames. Raises `GivenUp`."""
        layout, on_baize, known = self._rig.box.field, views.taken[ON_BAIZE], lens.lens
        said = ""
        # With a person there, look until they have uncovered the markers: the eleven views they took must not be lost.
        for _ in count() if self._order.ask else range(_FIELD_LOOKS):
            taken = [(await self._thread.look()).frame.pixels]
            while len(taken) < frames:
                await asyncio.sleep(_LOOK_S)
                taken.append((await self._thread.look()).frame.pixels)
            pixels = np.asarray(np.round(np.mean(taken, axis=0)), np.uint8)
            self._talk.look(Viewfinder(pixels, layout))
            field = await self._thread.run(partial(locate_on_sheet, pixels, layout, known, on_baize))
            missing = sorted(set(FIELD_MARKERS) - set(field.markers if field else ()))
            if field is not None and not missing:
                return field, pixels
            line = phrase(
                "I do not see marker {numbers}: uncover it, lay it as the plan has it.",
                numbers=", ".join(map(str, missing)),
            )
            if field is None and set(FIELD_MARKERS) <= set(await self._thread.run(partial(find_markers, pixels))):
                line = phrase(
                    "I see the markers, but not where they can lie: {reason}. End here, and begin again.",
                    reason=_TOO_HIGH,
                )
            if line != said:
                said = line
                self._talk.say(Phrase("  {line}", {"line": line}))
            self._talk.check()
            await asyncio.sleep(_LOOK_S)
        raise GivenUp(said)


def _doubt(camera: CameraCalibration, layout: FieldLayout) -> str | None:
    """Return the reason for not keeping this calibration; None if there is none.

    The height of the camera depends on a single view and does not show in the lens error, so it is checked against the
    markers.
    """
    if camera.verdict == "poor":
        return _POOR
    if abs(camera.inset_mm - layout.marker_margin_mm) <= _INSET_MM:
        return None
    return phrase(
        "The markers seem to lie {seen:.1f} mm from the edges of the field, where the plan has {planned:g}: if they "
        "lie as it has them, {reason}. Then do not save this, and begin again.",
        seen=camera.inset_mm,
        planned=layout.marker_margin_mm,
        reason=_TOO_HIGH,
    )


def _draw_camera(measured: CameraCalibration, lens: LensResult, box: str) -> Grid:
    grid = Grid("measured", "value", title=f"Camera of the box {box}: {measured.verdict}")
    x, y, height = measured.camera_mm
    k1, k2 = measured.radial
    grid.add_row("views", f"{measured.views}, {lens.coverage:.0%} of the picture seen")
    grid.add_row("error", f"{measured.error_px:.2f} px (good: at most 0.5)")
    grid.add_row("focal length", f"{measured.focal_px:.1f} px, {lens.focal_part:.2%} unsure")
    grid.add_row("centre", f"{measured.centre_px[0]:.1f}, {measured.centre_px[1]:.1f} px")
    grid.add_row("distortion", f"k1 {k1:.4f}, k2 {k2:.4f}")
    grid.add_row("camera", f"{height:.0f} mm above the baize, over {x:.0f}, {y:.0f} mm")
    grid.add_row("markers", f"{measured.inset_mm:.1f} mm from the edges")
    grid.add_row("exposure", f"{measured.exposure_us / 1000:.2f} ms, gain {measured.gain:.2f}")
    grid.add_row("white balance", f"red {measured.colour_gains[0]:.2f}, blue {measured.colour_gains[1]:.2f}")
    return grid


def _camera_json(measured: CameraCalibration, lens: LensResult) -> Mapping[str, Any]:
    return {**measured.model_dump(mode="json"), "coverage": lens.coverage}
