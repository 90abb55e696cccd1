"""On the box itself: its camera, and throws that are read and compared with what a person types."""

import asyncio
import subprocess
from collections import Counter
from functools import partial

import pytest

from controller.box.stored_calibration import load_real_camera
from controller.box.table import Table
from tests.on_box.form import Entry, row
from tests.on_box.people import TERMINAL, Request
from tests.on_box.visit import Visit, expect, fail, shutbox_command
from vision.capture.quality import refuse_bad_light, sharpness_of
from vision.reading import Reason
from vision.watching.evidence import EvidenceFolder, Limits

_SHARP = 0.18  # softer pictures may be refused for it (vision/capture/quality.py)
_LOOKS = 3  # the picture of a slow camera may be of a moment before the throw
_PICTURES = "on-hardware"  # the folder of the throws, in the home of the box
_MOST_BYTES = 200_000_000
_ONE_DIE_EVERY = 5  # throws; the others are of two dice


@row("The camera", "picture", "fresh, with its markers, right way up, light enough and sharp", is_bare=True)
async def test_the_picture(visit: Visit, table: Table, entry: Entry) -> None:
    for fault in await table.watcher.health():
        visit.camera_fault = fault
        fail(fault)
    pixels = (await table.watcher.picture()).pixels
    sharpness = await asyncio.to_thread(sharpness_of, pixels)
    entry.seen = f"{pixels.shape[1]} x {pixels.shape[0]}, brightness {pixels.mean():.0f}, sharpness {sharpness:.2f}"
    bad_light = refuse_bad_light(pixels)
    expect(bad_light is None, f"camera: {bad_light and bad_light.say}")
    sentence = f"camera: expected a sharpness of {_SHARP}, seen {sharpness:.2f}. Focus it, and wipe the lens."
    expect(sharpness >= _SHARP, sentence)


@row("The camera", "calibration", "there, or made now with a printed sheet", is_bare=True)
async def test_the_calibration(visit: Visit, entry: Entry) -> None:
    assert visit.chosen is not None
    if visit.is_simulated:
        pytest.skip("a box behind a wire is not calibrated")
    if visit.camera_fault is not None:
        pytest.skip(f"the picture comes first: {visit.camera_fault.code}")
    kept = load_real_camera(visit.home.data, visit.box)
    if kept is None:
        await visit.ask(Request("The camera is not calibrated. Enter: do it now, with the printed sheet; s: not now."))
        await visit.close_box()
        with TERMINAL.open("r+b", buffering=0) as terminal:
            calibrate = partial(subprocess.run, stdin=terminal, stdout=terminal, stderr=terminal, check=False)
            await asyncio.to_thread(calibrate, shutbox_command("calibrate", "camera"))
        await visit.open_box()
        kept = load_real_camera(visit.home.data, visit.box)
    expect(kept is not None, "calibration: expected one of this camera, seen none. Run `shutbox calibrate camera`.")
    entry.seen = "there"


@row("The camera", "throws", "no wrong reading; at most one throw in ten is asked about", is_bare=True)
async def test_throws(visit: Visit, table: Table, entry: Entry, pytestconfig: pytest.Config) -> None:
    if visit.camera_fault is not None:
        pytest.skip(f"the picture comes first: {visit.camera_fault.code}")
    throws, counts, told = pytestconfig.getoption("throws"), Counter[str](), list[str]()
    with EvidenceFolder(visit.home.data / _PICTURES, Limits(3 * throws, _MOST_BYTES)) as evidence:
        keep = "Keep pictures of the throws, for whoever improves the reading? Enter: yes; n: no."
        if not await visit.ask(Request(keep)):
            table.watcher.keep_evidence(evidence.keep)
        for number in range(1, throws + 1):
            outcome, said = await _throw(visit, table, number, 1 if number % _ONE_DIE_EVERY == 0 else 2)
            counts[outcome] += 1
            # A wrong reading that was certain is the worst that can happen, so it comes first.
            told.insert(0, said) if outcome == "wrong" else told.append(said)
            entry.seen = f"wrong {counts['wrong']}, asked {counts['asked']}, right {counts['right']} of {throws}"
            entry.seen = "; ".join([entry.seen, *filter(None, told)])
    expect(counts["wrong"] == 0, f"camera: a wrong reading was certain. {told[0]}. Please send its picture too.")
    sentence = f"camera: expected few throws that are asked about, seen {counts['asked']} of {throws}. See its picture."
    expect(counts["asked"] <= max(1, throws // 10), sentence)


async def _throw(visit: Visit, table: Table, number: int, dice: int) -> tuple[str, str]:
    """Have a person throw, and read it before they say what it shows: the outcome, and what to tell of it."""
    word = "one die" if dice == 1 else "two dice"
    await visit.ask(Request(f"Throw {number}: throw {word}, hand away; Enter when they lie.", (f"throw {dice}",)))
    for _ in range(_LOOKS):
        reading = await table.watcher.look_now(frozenset({dice}))
        if reading.reason is not Reason.NO_DICE:
            break
    thrown = _values(await visit.ask(Request("What do they show? For example 3 5.", about="dice")))
    if not reading.is_read:
        return "asked", f"throw {number}: {reading.reason} for {thrown}"
    table.watcher.accept()
    if reading.values == thrown:
        return "right", ""
    table.watcher.correct(thrown)
    return "wrong", f"throw {number}: read {reading.values}, lay {thrown}"


def _values(typed: str) -> tuple[int, ...]:
    return tuple(sorted(int(word) for word in typed.replace(",", " ").split() if word.isdigit()))
