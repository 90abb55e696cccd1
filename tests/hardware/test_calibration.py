"""calibration.toml: what is kept of it, what is refused, and that no version is ever lost."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hardware.calibration import FILE_NAME, CameraCalibration, load_calibration, save_section, write_durably
from hardware.camera import Camera
from hardware.errors import CalibrationError

NOON = datetime(2026, 11, 3, 12, 30, 5, tzinfo=UTC)
SQUARE = ((1.0, 2.0), (3.0, 2.0), (3.0, 4.0), (1.0, 4.0))


def camera(date: datetime = NOON, focal_px: float = 985.5) -> CameraCalibration:
    return CameraCalibration(
        date=date,
        author="ann",
        width_px=1280,
        height_px=720,
        focal_px=focal_px,
        centre_px=(640.0, 360.0),
        radial=(-0.05, 0.01),
        tangential=(0.0, 0.0),
        error_px=0.2,
        views=11,
        verdict="good",
        exposure_us=10_000,
        gain=1.5,
        colour_gains=(2.0, 1.7),
        camera_mm=(140.0, 100.0, 400.0),
        turn=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        inset_mm=4.0,
        markers=dict.fromkeys(range(4), SQUARE),
        background="background-x.png",
    )


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    assert save_section(tmp_path, "two-level-9", "camera", camera()) is None
    assert load_calibration(tmp_path, "two-level-9").camera == camera()


def test_without_a_file_nothing_was_measured(tmp_path: Path) -> None:
    assert load_calibration(tmp_path, "two-level-9").camera is None


def test_the_measured_exposure_replaces_the_profiles() -> None:
    used = camera().apply_to(Camera(focus_dioptres=3.0))
    assert (used.exposure_us, used.gain, used.colour_gains, used.focus_dioptres) == (10_000, 1.5, (2.0, 1.7), 3.0)


def test_the_calibration_of_another_box_is_refused_by_name(tmp_path: Path) -> None:
    save_section(tmp_path, "classic-9", "camera", camera())
    with pytest.raises(CalibrationError, match="the box classic-9, not of two-level-9"):
        load_calibration(tmp_path, "two-level-9")


def test_comments_stay_and_every_version_is_kept(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    save_section(tmp_path, "two-level-9", "camera", camera())
    file.write_text(file.read_text().replace("[camera]", "# the lamp was new\n[camera]"))
    before = file.read_bytes()
    kept = save_section(tmp_path, "two-level-9", "camera", camera(NOON + timedelta(days=1), 990.0))
    again = save_section(tmp_path, "two-level-9", "camera", camera(NOON + timedelta(days=1), 991.0))
    assert kept is not None
    assert again is not None
    assert kept.read_bytes() == before
    assert kept.name.startswith("calibration-2026-11-0")
    assert kept != again
    assert "# the lamp was new" in file.read_text()
    measured = load_calibration(tmp_path, "two-level-9").camera
    assert measured is not None
    assert measured.focal_px == 991.0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("focal_px = nan", "focal_px"),
        ("focal_px = inf", "focal_px"),
        ("focal_px = -3.0", "focal_px"),
        ("camera_mm = [1.0, 2.0, -400.0]", "hangs above"),
        ("gain = 99", "gain"),
        ("gian = 2", "gian"),
        ("radial = [0.1]", "radial"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / FILE_NAME
    save_section(tmp_path, "two-level-9", "camera", camera())
    key = line.split(" ")[0]
    lines = [each for each in file.read_text().splitlines() if not each.startswith(f"{key} =")]
    at = lines.index("[camera]") + 1
    file.write_text("\n".join([*lines[:at], line, *lines[at:]]))
    with pytest.raises(CalibrationError, match=said) as refusal:
        load_calibration(tmp_path, "two-level-9")
    assert FILE_NAME in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("box = ")
    with pytest.raises(CalibrationError, match="not TOML"):
        save_section(tmp_path, "two-level-9", "camera", camera())
    assert (tmp_path / FILE_NAME).read_text() == "box = "


def test_the_bytes_are_on_the_disk_before_the_name_is_and_the_name_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        fsync(handle)
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file")

    def renamed(old: Path, new: Path) -> None:
        replace(old, new)
        done.append("name")

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    write_durably(tmp_path / "a", b"new")
    assert done == ["file", "name", "folder"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_durably(tmp_path / "a", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}
