"""The same program says the same on arm64 as here, to the byte; how long a reading took is all that may differ."""

import json
import re
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.browser.whole_games import WHOLE_GAMES
from tests.pi.user_land import HOME, TESTS, TREE, on_arm64, on_this_machine, played
from tests.support.journal_rows import DEMONSTRATION, DIGEST, digest_of
from tools.scenes.random_scenes import simulated_throw

PICTURES = 200 if WHOLE_GAMES else 10
_DIFFER = 0.02  # of the readings, in the last digits that are told: sums of floating point have another order on arm64
ASKED = {
    "version": "shutbox --version",
    "odds of points": "shutbox odds --game pub --throw 5,3 --json",
    "odds of two levels": "shutbox odds --game two-level --throw 5,3 --json",
    "odds to win": "shutbox odds --game pub --throw 5,3 --aim win --json",
    "odds of a limit": "shutbox odds --game pub --throw 5,3 --aim at-most:12 --json",
    "moves": "shutbox moves --game pub --board '1 2 . 4 5 6 7 8 9' --throw 5,3 --json",
    "random turns": "shutbox simulate --game thai --turns 2000 --seed 1 --json",
    "games": "shutbox games --json",
    "wiring": "shutbox wiring",
    "self-test": "shutbox selftest --mock --json",
    "servos of one column": "shutbox calibrate servos --mock --tile front-7 --tile back-3 --yes --json",
}
ASKED_AT_NIGHT = {
    "a race": played("--game fleet --seed 3"),
    "servos": "shutbox calibrate servos --mock --yes --json",
    "camera": "shutbox calibrate camera --mock --yes --json",
    "two levels": played("--seed 1"),
    "another race": played("--game flash --seed 4 --players 3"),
    "a match": played("--game pub --seed 2 --games 2"),
}
# One gives a socket to another group, where only root exists; one moves tiles in real time, and this is too slow.
_NOT_HERE = (
    "tests/firmware/guard/test_guard.py::test_the_guard_of_a_service_serves_its_group_and_tells_others_that_it_does_not",
    "tests/firmware/test_box_io.py::test_a_worker_thread_as_on_the_real_box",
)
QUICK_TESTS = [
    "tests/firmware tests/hardware",
    *(["tests/controller/rules tests/controller/odds"] if WHOLE_GAMES else []),
]


@pytest.mark.parametrize(
    "asked", {**ASKED, **(ASKED_AT_NIGHT if WHOLE_GAMES else {})}.items(), ids=lambda asked: asked[0]
)
def test_it_says_the_same_on_arm64(asked: tuple[str, str], tmp_path: Path) -> None:
    _, command = asked
    there, here = on_arm64(command), on_this_machine(command, tmp_path)
    assert there.returncode == here.returncode == 0, there.stderr or here.stderr
    assert _timeless(there.stdout) == _timeless(here.stdout.replace(str(tmp_path), HOME))


def test_it_reads_the_same_pictures_on_arm64(tmp_path: Path) -> None:
    """Throws that were drawn, as PNG, so that no JPEG decoder's rounding comes in."""
    folder = TREE / "var" / "pictures"
    folder.mkdir(exist_ok=True)
    for seed in range(PICTURES):
        pixels, _ = simulated_throw(seed, 1 + seed % 3)
        cv2.imwrite(str(folder / f"{seed}.png"), pixels)
    named = " ".join(f"{{0}}/{seed}.png" for seed in range(PICTURES))
    there = on_arm64(f"shutbox read --json {named.format('/var/pictures')}")
    here = on_this_machine(f"shutbox read --json {named.format(folder)}", tmp_path)
    assert len(there.stdout.splitlines()) == PICTURES, there.stderr
    differ = []
    for one, other in zip(
        _answers(there.stdout), _answers(here.stdout.replace(str(folder), "/var/pictures")), strict=True
    ):
        if one != other:
            print(one, other, sep="\n")
            differ.append(one)
            # What one processor is sure of another may ask about, but none sees other dice.
            assert one.get("values") == other.get("values") or None in (one.get("values"), other.get("values"))
    assert len(differ) <= PICTURES * _DIFFER


def _answers(said: str) -> list[dict[str, Any]]:
    return [{**json.loads(line), "ms": None} for line in said.splitlines()]


def test_the_journal_of_a_demonstration_is_the_one_that_it_is_everywhere() -> None:
    _, *rows = on_arm64(played(*DEMONSTRATION)).stdout.splitlines(keepends=True)
    assert digest_of("".join(rows)) == DIGEST


def _timeless(said: str) -> str:
    """Without the moment of a calibration."""
    return re.sub(r'"20\d\d-\d\d-\d\dT[\d:]+Z"', "now", said)


@pytest.mark.parametrize("rooms", QUICK_TESTS)
def test_its_quick_tests_pass_on_arm64(rooms: str) -> None:
    left = " ".join(f"--deselect {test}" for test in _NOT_HERE)
    done = on_arm64(f"{TESTS} -q --numprocesses=2 -m 'not long' {left} {rooms}")
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"\d+ passed", done.stdout.splitlines()[-1])
