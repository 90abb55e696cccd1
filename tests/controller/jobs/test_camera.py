"""`shutbox calibrate camera` with a simulated person: the whole way, and every way out of it."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

import controller.cli.main as cli
from controller.box.checks import find_camera_drift
from controller.box.job_requests import CameraOrder
from controller.box.rigs import CameraRig
from controller.box.simulated import open_simulated_world
from controller.box.simulated_rigs import open_simulated_camera_rig
from controller.box.stored_calibration import load_real_camera, load_simulated_camera
from controller.jobs.camera import camera_session
from controller.jobs.terminal import run_at_terminal
from controller.runtime.locks import lock
from controller.runtime.output import Exit
from hardware.box import load_box
from hardware.calibration import FILE_NAME, CameraCalibration, load_calibration, save_section
from hardware.errors import CalibrationError
from hardware.sim.world import SheetPose
from tests.conftest import Run
from tests.support.calibrations import calibrated
from tests.support.long import long_but_every
from vision.calibration.guided_views import WantedView

BOX = load_box("two-level-9")


def files(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.iterdir()}


class Keys:
    """Types lines: some at once, others when the field has been emptied; then nothing more."""

    def __init__(self, *early: str, late: Sequence[str] = ()) -> None:
        self.emptied = asyncio.Event()
        self._early, self._late = early, late

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._early:
            yield line
        await self.emptied.wait()
        for line in self._late:
            yield line
        await asyncio.Event().wait()


async def no_input() -> AsyncIterator[str]:
    return
    yield


def calibrating(run: Run, home: Path, order: CameraOrder, keys: Keys, *, signal_at: int = 0) -> Exit:
    """Calibrate; SIGTERM comes when the view of that number is asked for, the empty field being the ninth of 8."""

    def open_rig() -> CameraRig:
        rig, asked = open_simulated_camera_rig(BOX, 1), list[WantedView | None]()

        def show(wanted: WantedView | None) -> None:
            asked.extend([wanted] if wanted not in asked else [])
            if wanted is None:
                keys.emptied.set()
            if len(asked) == signal_at:
                os.kill(os.getpid(), signal.SIGTERM)
            rig.show(wanted)

        return CameraRig(BOX, rig.camera, show, 1)

    async def work() -> Exit:
        session = camera_session(open_rig, home, order)
        return (await run_at_terminal(session, aiter(keys), waits=order.ask, as_json=True)).status

    result: Exit = run(work())
    return result


def test_the_whole_way_measures_the_camera_as_it_is(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrating(run, tmp_path, CameraOrder(8, 60, ask=True), Keys(late=("", "y"))) is Exit.DONE
    answer = json.loads(capsys.readouterr().out)
    measured = load_calibration(tmp_path, BOX.name).camera
    assert measured is not None
    assert (answer["verdict"], answer["saved"], answer["file"]) == ("good", True, str(tmp_path / FILE_NAME))
    # The simulated camera: 66 degrees across 1280 pixels, about 400 mm up, without distortion.
    assert measured.focal_px == pytest.approx(985.5, rel=0.003)
    assert measured.camera_mm[2] == pytest.approx(400, abs=10)
    assert measured.inset_mm == pytest.approx(4.0, abs=0.5)
    assert measured.exposure_us % 8_333 == 0
    assert (tmp_path / measured.background).stat().st_size > 100_000
    assert load_simulated_camera(tmp_path, BOX, 1) == measured
    # What was measured on a simulated box says nothing of a real one, nor of another simulated one.
    assert load_real_camera(tmp_path, BOX) is None
    assert load_simulated_camera(tmp_path, BOX, 2) is None

    async def drift(calibration: CameraCalibration) -> str | None:
        async with open_simulated_world(BOX, seed=1) as (table, _):
            return await find_camera_drift(table, calibration)

    assert run(drift(measured)) is None
    moved = {number: tuple((x + 9, y) for x, y in corners) for number, corners in measured.markers.items()}
    assert "camera has moved" in str(run(drift(measured.model_copy(update={"markers": moved}))))


def test_a_sheet_that_was_held_above_the_baize_is_doubted_and_not_saved_unasked(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def open_rig() -> CameraRig:
        rig = open_simulated_camera_rig(BOX, 1)
        world = rig.show.__self__._world  # type: ignore[attr-defined]
        # Higher than it should be at first, and then on its way down to the baize.
        held = {
            "flat": SheetPose((140.0, 100.0, 60.0)),
            "near": SheetPose((140.0, 100.0, 125.0)),
            "far": SheetPose((150.0, 92.0, 40.0), 0.06),
        }

        def show(wanted: WantedView | None) -> None:
            rig.show(wanted)
            if wanted is not None and wanted.kind in held:
                world.hold_sheet(held[wanted.kind])

        return CameraRig(BOX, rig.camera, show, 1)

    async def work() -> Exit:
        session = camera_session(open_rig, tmp_path, CameraOrder(11, 50, ask=False))
        return (await run_at_terminal(session, no_input(), waits=False, as_json=True)).status

    assert run(work()) is Exit.NO
    assert files(tmp_path) == {}
    assert "the sheet was not flat on the baize in view 2. Then do not save this" in " ".join(
        capsys.readouterr().err.split()
    )


def old_calibration(home: Path) -> dict[str, bytes]:
    save_section(home, BOX.name, "camera", calibrated())
    return files(home)


@pytest.mark.parametrize("step", long_but_every(2, [3, 9]))
def test_a_signal_at_any_step_changes_no_file(run: Run, tmp_path: Path, step: int) -> None:
    before = old_calibration(tmp_path)
    assert calibrating(run, tmp_path, CameraOrder(8, 50, ask=False), Keys(), signal_at=step) is Exit.NO
    assert files(tmp_path) == before


@pytest.mark.parametrize("keys", long_but_every(2, [Keys("q", "y"), Keys(late=("", "n"))]), ids=["at once", "no"])
def test_who_does_not_want_it_changes_no_file(run: Run, tmp_path: Path, keys: Keys) -> None:
    before = old_calibration(tmp_path)
    assert calibrating(run, tmp_path, CameraOrder(8, 50, ask=True), keys) is Exit.NO
    assert files(tmp_path) == before


async def test_the_end_of_the_input_ends_it(tmp_path: Path) -> None:
    async def work() -> Exit:
        session = camera_session(lambda: open_simulated_camera_rig(BOX, 1), tmp_path, CameraOrder(8, 50, ask=True))
        return (await run_at_terminal(session, no_input(), waits=True, as_json=False)).status

    assert await work() is Exit.NO
    assert files(tmp_path) == {}


def test_an_old_file_that_cannot_be_read_is_said_before_any_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("box = 3")
    with pytest.raises(CalibrationError, match="box"):
        calibrating(run, tmp_path, CameraOrder(8, 50, ask=False), Keys())


Shutbox = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shutbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shutbox:
    """Run `shutbox calibrate camera` in this process: status, standard output, standard error."""
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["shutbox", "calibrate", "camera", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return call


def test_off_a_pi_and_beside_a_daemon_it_is_one_line_and_status_two(shutbox: Shutbox, tmp_path: Path) -> None:
    status, _, err = shutbox()
    assert (status, err.count("\n")) == (2, 1)
    assert "--mock" in err
    with lock(tmp_path / "shutbox.lock"):
        status, _, err = shutbox("--mock", "--yes")
    assert (status, err.count("\n")) == (2, 1)
    assert "daemon" in err


def test_the_sheets_are_written_where_they_are_wanted(shutbox: Shutbox, tmp_path: Path) -> None:
    status, out, _ = shutbox("--sheets", str(tmp_path / "sheets"), "--json")
    assert status == 0
    assert all(Path(file).read_bytes().startswith(b"%PDF-") for file in json.loads(out)["files"])


def test_a_wrong_number_of_views_is_a_wrong_call(shutbox: Shutbox) -> None:
    status, _, err = shutbox("--mock", "--views", "5")
    assert (status, err.count("\n")) == (2, 1)
    assert "8" in err
