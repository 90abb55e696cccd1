"""Faults: what kind of thing is at fault, and what programs see of it."""

from collections.abc import Iterator
from dataclasses import asdict

import pytest
from pydantic import TypeAdapter

from firmware.errors import BusFault, MotionFault
from hardware.errors import BoxFault, Fault, FaultKind
from vision.errors import CameraFault

FAULT = TypeAdapter(Fault)


def kinds_below(error: type[BoxFault]) -> Iterator[type[BoxFault]]:
    for each in error.__subclasses__():
        yield each
        yield from kinds_below(each)


@pytest.mark.parametrize(("tree", "kind"), [(BusFault, "bus"), (MotionFault, "motion"), (CameraFault, "camera")])
def test_every_fault_of_a_tree_is_of_one_kind(tree: type[BoxFault], kind: FaultKind) -> None:
    found = {error: error("front-7", expected="SHUT", seen="OPEN").fault.kind for error in kinds_below(tree)}

    assert found
    assert found == dict.fromkeys(found, kind)


def test_a_fault_of_an_unknown_code_is_the_boxs() -> None:
    assert Fault("X-901", "front-7", "SHUT", "OPEN", "").kind == "box"


def test_programs_and_journals_see_no_kind() -> None:
    fault = Fault("H-301", "front-7", "SHUT", "OPEN", "Free it.")
    words = {"code": "H-301", "part": "front-7", "expected": "SHUT", "seen": "OPEN", "cure": "Free it."}

    assert asdict(fault) == words
    assert FAULT.dump_python(fault) == words
    assert FAULT.validate_python(words) == fault
