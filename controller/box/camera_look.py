"""One look at the camera of a new box: whether it gives pictures, sees the markers, and hangs the right way up."""

from firmware.calibration.bringup.findings import Finding
from hardware.box import Box
from hardware.wiring.changes import Change
from vision.capture.frame import Camera
from vision.errors import CameraTurned
from vision.watching.throw_watcher import Watcher


async def look_at_camera(camera: Camera, box: Box) -> tuple[tuple[Finding, ...], tuple[Change, ...]]:
    """Return what is wrong with the camera, and the changes of the profile that mend it; the camera is closed then."""
    async with Watcher(camera, box.field, box.die_mm) as watcher:
        faults = await watcher.health()
    turned = any(fault.code == CameraTurned.code for fault in faults)
    findings = tuple(
        Finding("camera", each.part, each.expected, each.seen, each.cure, mended=each.code == CameraTurned.code)
        for each in faults
    )
    now = box.camera.upside_down
    change = Change(("camera", "upside_down"), now, not now, "its pictures are those of a camera that hangs so")
    return findings, (change,) if turned else ()
