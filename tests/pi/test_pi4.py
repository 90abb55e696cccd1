"""The installed program on a whole Raspberry Pi 4 of QEMU, under Debian's own kernel, with nothing on its bus."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware.box import load_box
from tests.pi.image import make_disk
from tests.pi.machine import boot_board

_PATIENCE_S = 900.0  # two minutes of a quiet machine
_BOX = load_box("two-level-9")
_COLOUR = re.compile(r"\x1b\[\d*m")
_WRONG_CURES = ("raspi-config", "group")  # the bus is there and opens, and root needs no group


@dataclass(frozen=True)
class Answer:
    """What a command of `on_board.sh` said, with its exit status."""

    status: int
    said: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it as one line, without the terminal's line breaks and colours."""
        return " ".join(_COLOUR.sub("", " ".join(self.said)).split())


@pytest.fixture(scope="module")
def disk() -> Path:
    return make_disk()


def answers_of_board(disk: Path, *, is_known: bool = True, asks: str = "") -> Mapping[str, Answer]:
    words = "run=tests/pi/on_board.sh" + (f" asks={asks}" if asks else "")
    with boot_board("/shutbox/tests/pi/guest_init", words=words, disk=disk, is_known=is_known) as board:
        said = board.until_it_ends(_PATIENCE_S)
    assert "exit status: 0" in said
    answers: dict[str, Answer] = {}
    name, begun = "", 0
    for number, line in enumerate(said):
        if line.startswith("asked: "):
            name, begun = line.removeprefix("asked: "), number + 1
        elif line.startswith("status: "):
            answers[name] = Answer(int(line.removeprefix("status: ")), tuple(said[begun:number]))
    return answers


def test_on_a_pi_4_the_header_is_found_and_guarded_and_absent_chips_are_named(disk: Path) -> None:
    answers = answers_of_board(disk)
    assert "Raspberry Pi 4 Model B" in answers["model"].text
    assert answers["header"] == Answer(0, ("pinctrl-bcm2711",))
    assert answers["devices"].status == 0
    assert answers["version"].status == 0
    assert re.search(r"^shutbox \d", answers["version"].text)

    guard = answers["guard"]
    assert guard.status == 0
    assert "guarding the servo pulses" in guard.text
    assert "/OE is held: True OUTPUT" in guard.said

    wiring = answers["wiring"]
    [answer] = [json.loads(line) for line in wiring.said if line.startswith("{")]
    wrong = {part["part"]: part["seen"] for part in answer["parts"] if not part["is_right"]}
    assert (wiring.status, answer["passed"]) == (1, False)
    # On a Pi an absent chip is silent, H-202. QEMU's bus has no interrupt: no transfer ends before Linux gives it up.
    chips = [f"0x{address:02x}" for address in (*_BOX.servo_boards, *_BOX.expanders)]
    assert {chip: wrong.pop(chip) for chip in chips} == dict.fromkeys(chips, "Connection timed out")
    assert {wrong.pop(str(tile)) for tile in _BOX.tile_ids} == {f"not asked: {chip} is silent" for chip in chips[2:]}
    assert wrong == {"camera": "picamera2 is not installed: sudo apt install python3-picamera2"}
    assert "fault=H-201 i2c: expected every transfer to end, seen one that hangs." in wiring.text
    assert not [cure for cure in _WRONG_CURES if cure in wiring.text]


def test_on_a_pi_4_that_its_own_firmware_did_not_start_the_cure_is_to_let_it(disk: Path) -> None:
    """As under U-Boot or EFI, with Debian's device tree: it has no revision code, by which gpiozero knows a model."""
    answer = answers_of_board(disk, is_known=False, asks="wiring")["wiring"]
    assert answer.status != 0
    assert "H-207" in answer.text
    assert "header: expected a model that gpiozero knows" in answer.text
    assert "/proc/device-tree/system/linux,revision" in answer.text
    assert "Let the Raspberry Pi's own firmware start Linux with its device tree" in answer.text
    assert not [cure for cure in _WRONG_CURES if cure in answer.text]
