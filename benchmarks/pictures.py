"""Reading the dice in a camera picture against OpenCV's marker detection alone on the same picture."""

import asyncio

import cv2

from benchmarks.measure import compare
from controller.clock import run_jumping
from controller.wiring import simulated_world
from hardware.box import Box, load_box
from vision.frame import Frame
from vision.reader import read_dice


async def _picture(box: Box) -> Frame:
    """Two dice at rest, as the simulated camera sees them."""
    async with simulated_world(box, seed=7) as (table, world):
        world.throw_dice(2)
        await asyncio.sleep(3)
        return await table.watcher.picture()


def main() -> None:
    """Print the comparison."""
    box = load_box("two-level-9")
    frame = run_jumping(_picture(box))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    compare(
        "reading of a 1280 x 720 picture (marker detection)",
        lambda: read_dice(frame, layout=box.field, die_mm=box.die_mm),
        lambda: detector.detectMarkers(frame.pixels),
    )
