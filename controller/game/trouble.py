"""Faults in the words of somebody who sits at the box: what is wrong, and what to do, with the code at the end.

Which part, what was expected and what is seen stand in the fault itself, for whoever repairs it.
"""

from collections.abc import Mapping

from controller.rules import Layout
from hardware.errors import Fault
from hardware.tiles import Position

# By code; {part} is that of the fault. Those of tiles are made in `_describe_tile`.
_PROBLEMS: Mapping[str, str] = {
    "H-201": "The box's electronics are stuck.",
    "H-202": "A board of the box, {part}, does not answer.",
    "H-203": "Board {part} forgets what it is told.",
    "H-204": "Board {part} does not do what it is told.",
    "H-208": "The computer gets too little current.",
    "H-209": "The servos' current does not follow its switch.",
    "H-210": "The lid is closed.",
    "H-212": "The computer is too warm.",
    "H-221": "The program that watches over the servos is gone.",
    "H-222": "All servos were stopped to be safe.",
    "V-101": "The camera gives one and the same picture.",
    "V-102": "The camera gives no picture.",
    "V-103": "The camera does not see the markers of the field.",
    "V-104": "It is too dark to read the dice.",
    "V-105": "The dice could not be read, throw after throw.",
}
_DEFAULT = "{part}: expected {expected}, seen {seen}."
_OF_TILES: Mapping[str, str] = {
    "H-302": "the sensors of {tile} contradict each other",
    "H-304": "a sensor of {tile} flickers",
    "H-305": "{tile} is in the way of another",
    "H-309": "{tile} does not stay where it is put",
}
_MOVED: Mapping[str, str] = {
    Position.OPEN: "stands and should lie",
    Position.SHUT: "lies and should stand",
    Position.BETWEEN: "is half way",
}


def describe_trouble(fault: Fault, layout: Layout | None = None) -> str:
    """The sentences of a fault: the problem, the cure, the code. layout: of the game that it has stopped."""
    problem = (layout and _describe_tile(fault, layout)) or _PROBLEMS.get(fault.code, _DEFAULT).format(
        part=fault.part, expected=fault.expected, seen=fault.seen
    )
    # Nobody who can read dice has to wait for a camera.
    first = "Type what the dice show. " if fault.kind == "camera" else ""
    return f"{first}{problem} {fault.cure} ({fault.code})"


def name_part(part: str, layout: Layout) -> str:
    """The part of a fault: a tile by its mark and its row, anything else as it is called."""
    tile = layout.by_name.get(part)
    if tile is None:
        return part
    if layout.rows == 1:
        return f"tile {tile.mark}"
    places = {1: "in front", layout.rows: "at the back"}
    return f"tile {tile.mark} {places.get(tile.row, f'in row {tile.row}')}"


def _describe_tile(fault: Fault, layout: Layout) -> str:
    """What a tile does not do; empty for another part, and for what no player can see."""
    if fault.kind != "motion":
        return ""
    tile = name_part(fault.part, layout)
    if fault.code in _OF_TILES:
        said = _OF_TILES[fault.code].format(tile=tile)
    elif fault.code == "H-301" and fault.expected in (Position.OPEN, Position.SHUT):
        said = f"{tile} does not {'come up' if fault.expected == Position.OPEN else 'go down'}"
    elif fault.code == "H-303" and fault.seen in _MOVED:
        said = f"{tile} {_MOVED[fault.seen]}"
    else:
        return ""
    return f"{said[0].upper()}{said[1:]}."
