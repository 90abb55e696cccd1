import pytest

from hardware.camera import Camera
from vision.calibration.exposure import Levels, better_exposure, first_exposure, light_remark

PROFILE = Camera()


@pytest.mark.parametrize(("mains_hz", "exposure_us"), [(50, 10_000), (60, 8_333)])
def test_the_first_exposure_is_one_flicker_and_as_bright_as_the_profile(mains_hz: int, exposure_us: int) -> None:
    first = first_exposure(PROFILE, mains_hz)
    assert first.exposure_us == exposure_us
    assert first.exposure_us * first.gain == pytest.approx(PROFILE.exposure_us * PROFILE.gain)


@pytest.mark.parametrize("curve", [1.0, 2.2])
@pytest.mark.parametrize("light", [0.05, 0.6, 1.4])
def test_exposure_and_balance_settle_whatever_the_tone_curve(curve: float, light: float) -> None:
    settings = first_exposure(PROFILE, 50)

    def seen() -> Levels:
        base = light * settings.exposure_us * settings.gain / 20_000
        tints = (1.2 * settings.colour_gains[1] / 1.8, 1.0, 0.8 * settings.colour_gains[0] / 2.2)
        baize, *white = (min(255.0, 255 * (part * base) ** (1 / curve)) for part in (0.2, *tints))
        return Levels(baize, (white[0], white[1], white[2]))

    for _ in range(8):
        settings = better_exposure(settings, seen(), 50)
    levels = seen()
    assert settings.exposure_us in (10_000, 20_000, 30_000)
    assert max(levels.white) < 240
    assert levels.baize > 85 or max(levels.white) > 195
    assert max(levels.white) - min(levels.white) < 20


def test_good_settings_are_left_alone() -> None:
    settings = first_exposure(PROFILE, 50)
    assert better_exposure(settings, Levels(96.0, (200.0, 201.0, 199.0)), 50) is settings


def test_a_lamp_that_no_exposure_makes_up_for_is_told_of() -> None:
    assert "too bright" in str(light_remark(Levels(150.0, (255.0, 250.0, 240.0))))
    assert "too weak" in str(light_remark(Levels(20.0, (60.0, 60.0, 60.0))))
    assert light_remark(Levels(95.0, (200.0, 200.0, 200.0))) is None
