"""What is typed during a calibration, and how its result is told."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.table import Table as Grid

from controller.output import table
from hardware.calibration import CameraCalibration
from vision.calibrating.calibration import LensResult

_QUIT = ("q", "quit")
_YES = ("y", "yes")


class Cancelled(Exception):
    """Somebody wants no calibration after all."""


class Typed:
    """The lines that somebody types beside the work.

    With `waits`, the end of the input cancels too; without, nobody needs to be there.

    Lifetime: an async context manager around the work. Concurrency: one event loop.
    """

    def __init__(self, lines: AsyncIterator[str], *, waits: bool) -> None:
        self._lines = lines
        self._waits = waits
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None
        self._quits = False
        self._ended = False

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading

    def check(self) -> None:
        """Leave the lines for the questions to come; but raise `Cancelled` if one is q, or none can come any more."""
        nobody_answers = self._waits and self._ended and self._typed.qsize() == 1
        if self._quits or nobody_answers:
            raise Cancelled

    def taken(self) -> str | None:
        """The next line that was typed, if any. Raises `Cancelled`."""
        return self._checked(self._typed.get_nowait()) if not self._typed.empty() else None

    async def line(self) -> str:
        """Wait for a line. Raises `Cancelled`."""
        while True:
            line = self._checked(await self._typed.get())
            if line is not None:
                return line

    async def yes(self) -> bool:
        """Wait for an answer to a question; anything but yes is no. Raises `Cancelled`."""
        return (await self.line()).lower() in _YES

    async def _read(self) -> None:
        async for line in self._lines:
            self._typed.put_nowait(line.strip())
            self._quits |= line.strip().lower() in _QUIT
        self._typed.put_nowait(None)
        self._ended = True

    def _checked(self, line: str | None) -> str | None:
        ends = self._waits if line is None else line.lower() in _QUIT
        if ends:
            raise Cancelled
        return line


def tell_camera(measured: CameraCalibration, lens: LensResult, box: str) -> None:
    """The result of calibrating the camera as a table."""
    grid = Grid("measured", "value", title=f"Camera of the box {box}: {measured.verdict}")
    for name, value in _rows(measured, lens):
        grid.add_row(name, value)
    table.print(grid)


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


def camera_json(measured: CameraCalibration, lens: LensResult, saved: Path | None) -> Mapping[str, Any]:
    """The result of calibrating the camera as a program wants it; `saved` is the file, None for nothing saved."""
    content = measured.model_dump(mode="json")
    return {**content, "coverage": lens.coverage, "saved": saved is not None, "file": str(saved) if saved else None}
