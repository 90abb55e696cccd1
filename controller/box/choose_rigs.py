"""Choose the rigs of one box, real or simulated; simulated ones are imported on request.

`choose.py` chooses the table for play.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from controller.box.faults import refuse_faults
from controller.box.job_requests import BringUpOrder, DiceOrder, ServoOrder
from controller.box.real import choose_camera, with_calibrated_camera
from controller.box.real_firmware import open_real_firmware
from controller.box.rigs import BringUpRig, CameraRig, DiceRig, LendHands, OpenServoRig, ServoRig
from controller.box.stored_calibration import load_former_servos, load_real_camera, load_simulated_servos
from controller.runtime.home import Home
from controller.runtime.machine import require_pi
from controller.settings import Settings
from firmware.box_io import open_panel
from firmware.calibration.bringup.findings import Finding
from firmware.panel import Panel
from firmware.pi.pins import open_pin_factory
from hardware.box import Box, load_box, profile_text
from hardware.calibration import ServoCalibration, without_end_points
from hardware.wiring.changes import Change
from vision.calibration.exposure import AdjustableCamera


@dataclass(frozen=True, slots=True)
class Rigs:
    """The rigs of one box: each method chooses one and returns a function that opens it on the running loop.

    seed: of the simulated box; None for the real one.
    faults: deliberate faults of the simulated box. built: its profile as it was built, if it is driven by another.
    lend_hands: of a simulated box that has some.
    Every method raises `NoBox` off a Pi without a simulated box, and `BoxProfileError`.
    """

    box_name: str
    settings: Settings
    home: Home
    seed: int | None = None
    faults: Sequence[str] = ()
    built: Box | None = None
    lend_hands: LendHands = lambda _reach: None

    def servos(self, order: ServoOrder) -> tuple[ServoCalibration | None, OpenServoRig]:
        """Return the servos' saved calibration, and the rig of the servos without end points.

        Raises `BadOrder`, `CalibrationError`, `BadFault`.
        """
        box = load_box(self.box_name)
        order.check(box)
        if self.seed is not None:
            from controller.box.simulated_rigs import choose_simulated_servos

            return choose_simulated_servos(box, self.built or box, self.home, order, self.seed, self.faults)
        refuse_faults(self.faults)
        require_pi()
        before = load_former_servos(self.home.data, box)
        bare = without_end_points(box, before, order.clocks)
        return before, partial(_open_real_servos, bare, self.settings, self.home)

    def bringup(self, order: BringUpOrder) -> BringUpRig:
        """Return the box whose wiring is to be found out. Raises `BadOrder`, `CalibrationError`, `BadFault`."""
        box = load_box(self.box_name)
        order.check(box)
        text = profile_text(self.box_name)
        if self.seed is not None:
            from controller.box.simulated_rigs import choose_simulated_bringup

            before = load_simulated_servos(self.home.data, box, self.seed)
            opening, sees = choose_simulated_bringup(self.built or box, before, self.seed, self.faults, self.lend_hands)
        else:
            refuse_faults(self.faults)
            require_pi()
            before = load_former_servos(self.home.data, box)
            opening, sees = partial(_open_real_servos, settings=self.settings, home=self.home), None
        # A channel that moves another tile than the profile says is not kept within the end points of the wrong one.
        bare = without_end_points(box, before, {})
        return BringUpRig(bare, text, self.box_name, before, opening, sees)

    async def look_at_camera(self) -> tuple[tuple[Finding, ...], tuple[Change, ...]]:
        """Look once at the camera; see `look_at_camera`."""
        # Imported here because the sessions that need no camera load none.
        from controller.box.camera_look import look_at_camera

        box = load_box(self.box_name)
        if self.seed is not None:
            from controller.box.simulated_rigs import open_simulated_camera

            camera = open_simulated_camera(box, self.built or box, self.seed, self.faults)
        else:
            camera = choose_camera(self.settings, box, _clock())
        return await look_at_camera(camera, box)

    def camera(self) -> Callable[[], CameraRig]:
        """Return the rig of the camera to calibrate."""
        box = load_box(self.box_name)
        if self.seed is not None:
            from controller.box.simulated_rigs import open_simulated_camera_rig

            return partial(open_simulated_camera_rig, box, self.seed, self.built, self.faults)
        require_pi()

        def open_rig() -> CameraRig:
            clock = _clock()
            camera = AdjustableCamera(
                lambda locked: choose_camera(self.settings, box.model_copy(update={"camera": locked}), clock),
                box.camera,
            )
            return CameraRig(box, camera, lambda _wanted: None)

        return open_rig

    def dice(self, order: DiceOrder) -> Callable[[], DiceRig]:
        """Return the rig of a camera that is shown dice, with the same settings as in play.

        Raises `BadOrder`, `CalibrationError`.
        """
        order.check()
        box = load_box(self.box_name)
        if self.seed is not None:
            from controller.box.simulated_rigs import open_simulated_dice_rig

            return partial(open_simulated_dice_rig, box, order, self.seed, self.built, self.faults)
        require_pi()
        calibrated = with_calibrated_camera(box, load_real_camera(self.home.data, box))
        return lambda: DiceRig(calibrated, choose_camera(self.settings, calibrated, _clock()), lambda _wanted: None)

    def panel(self) -> Callable[[], AbstractContextManager[Panel]]:
        """Return button, lamp and lid, for sessions that open no other electronics. Opening raises `BusFault`."""
        box = load_box(self.box_name)
        if self.seed is not None:
            from controller.box.simulated_rigs import open_simulated_panel

            return partial(open_simulated_panel, box, self.seed, self.built)
        require_pi()
        return partial(open_panel, box, partial(open_pin_factory, self.settings.pins))


@asynccontextmanager
async def _open_real_servos(box: Box, settings: Settings, home: Home) -> AsyncIterator[ServoRig]:
    async with open_real_firmware(box, settings, home) as firmware:
        yield ServoRig(box, firmware)


def _clock() -> Callable[[], float]:
    return asyncio.get_running_loop().time
