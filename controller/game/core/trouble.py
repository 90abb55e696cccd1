"""Faults in the words of somebody who sits at the box: what is wrong, what to do about it, and the code at the end.

Which part, what was expected, what is seen and what whoever repairs the box should look at stand in the fault itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.rules import Layout
from hardware.errors import Fault
from hardware.tiles import Position

TYPE_INSTEAD = "Type what the dice show."
_AGAIN = "Let the box try again; if this comes again, it needs a repair."
# By code: the problem, and what a player can do; those of tiles are in `_OF_TILES`.
_OF_THE_BOX: Mapping[str, tuple[str, str]] = {
    "H-201": (
        "The box's electronics are stuck.",
        "Let the box try again; if that does not help, switch it off and on: the game is kept.",
    ),
    "H-202": (
        "A part of the box's electronics does not answer.",
        "Check that all plugs are in, and let the box try again. If that does not help, the box needs a repair.",
    ),
    "H-203": ("A part of the box's electronics forgets what it is told.", _AGAIN),
    "H-204": ("A part of the box's electronics does not do what it is told.", _AGAIN),
    "H-208": (
        "The computer's power supply is weak.",
        "You can play on; whoever looks after the box should give it a better one.",
    ),
    "H-209": (
        "The motors' power does not follow its switch.",
        "If tiles move by themselves, pull the plug of the motors' power; the box needs a repair.",
    ),
    "H-210": (
        "The lid is closed.",
        "Open it, and let the box try again. If it is open, its switch or its magnet needs a look.",
    ),
    "H-212": ("The computer is too warm.", "You can play on; it needs air."),
    "H-221": (
        "The program that watches over the motors is gone.",
        "Switch the box off and on: the game is kept. If that does not help, the box needs a repair.",
    ),
    "H-222": ("All motors were stopped to be safe.", _AGAIN),
    "V-101": ("The camera gives one and the same picture.", "Its cable may be loose."),
    "V-102": ("The camera gives no picture.", "Look whether its cable is in, at both ends."),
    "V-103": (
        "The camera does not see the four black and white marks in the corners of the baize.",
        "Uncover them, or turn the camera so that it sees the whole baize.",
    ),
    "V-104": ("It is too dark to read the dice.", "Switch the lamp on; is something before the camera?"),
    "V-105": ("The dice could not be read, throw after throw.", "Look at the lamp, the camera and the dice."),
}
# The same of tiles. {tile} is one as people call it; it should be {should}, up or down, and {moves}, up or down.
_OF_TILES: Mapping[str, tuple[str, str]] = {
    "H-301": (
        "{tile} will not {moves}",
        "Take your hand off it, or free it where it is stuck, and let the box try again.",
    ),
    "H-302": (
        "the box cannot tell whether {tile} is up or down; it should be {should}",
        "If it is half way, free it and let the box try again; if it is {should}, tell the box and play on.",
    ),
    "H-304": (
        "a sensor of {tile} flickers; the tile should be {should}",
        "If it is, tell the box and play on; its sensor needs a repair.",
    ),
    "H-305": ("{tile} is in the way of another", "Put it {should} by hand, and let the box try again."),
    "H-309": (
        "{tile} does not stay where it is put",
        "Look whether something springs back under it, and let the box try again.",
    ),
}
_PUT_BACK = "Put it {should} by hand, and the game goes on by itself; or let the box do it, hands off."
# What a fault expects of a tile begins with a position.
_PLACES: Mapping[str, str] = {Position.OPEN: "up", Position.SHUT: "down"}
_MOVES: Mapping[str, str] = {"up": "come up", "down": "go down"}
_MOVED: Mapping[str, str] = {
    Position.OPEN: "{tile} is up and should be {should}",
    Position.SHUT: "{tile} is down and should be {should}",
    Position.BETWEEN: "{tile} is half way and should be {should}",
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What a player is told of a fault: the problem, and the cure.

    should, moves: of a tile, up or down, and how it comes there. Problem and cure are then templates, with {tile} and
    these two in them.
    """

    problem: str
    cure: str
    should: str = ""
    moves: str = ""


def trouble_of(fault: Fault) -> Trouble | None:
    """What players are told of a fault; None for what none of them can see."""
    if fault.code in _OF_THE_BOX:
        return Trouble(*_OF_THE_BOX[fault.code])
    should = _PLACES.get(fault.expected.partition(" ")[0])
    if fault.kind != "motion" or should is None:
        return None
    if fault.code == "H-303" and fault.seen in _MOVED:
        return Trouble(_MOVED[fault.seen], _PUT_BACK, should, _MOVES[should])
    return Trouble(*_OF_TILES[fault.code], should, _MOVES[should]) if fault.code in _OF_TILES else None


def trouble_texts() -> Iterator[str]:
    """Every problem and every cure that there is, and the words in them, for those who translate them."""
    for problem, cure in (*_OF_THE_BOX.values(), *_OF_TILES.values()):
        yield from (problem, cure)
    yield from (*_MOVED.values(), _PUT_BACK, TYPE_INSTEAD, *_MOVES, *_MOVES.values())


def describe_trouble(fault: Fault, layout: Layout | None = None) -> str:
    """The sentences of a fault: the problem, the cure, the code. layout: of the game that it has stopped."""
    trouble = trouble_of(fault)
    if trouble is None or (trouble.should and layout is None):
        told = f"{fault.part}: expected {fault.expected}, seen {fault.seen}. {fault.cure}"
    elif trouble.should and layout is not None:
        told = _describe_tile(trouble, name_part(fault.part, layout))
    else:
        told = f"{trouble.problem} {trouble.cure}"
    # Nobody who can read dice has to wait for a camera.
    first = f"{TYPE_INSTEAD} " if fault.kind == "camera" else ""
    return f"{first}{told} (code {fault.code})"


def name_part(part: str, layout: Layout) -> str:
    """The part of a fault: a tile by its mark and its row, anything else as it is called."""
    tile = layout.by_name.get(part)
    if tile is None:
        return part
    if layout.rows == 1:
        return f"tile {tile.mark}"
    places = {1: "in front", layout.rows: "at the back"}
    return f"tile {tile.mark} {places.get(tile.row, f'in row {tile.row}')}"


def _describe_tile(trouble: Trouble, tile: str) -> str:
    # Filled in once: people's marks may hold anything.
    problem, cure = (
        each.format(tile=tile, should=trouble.should, moves=trouble.moves) for each in (trouble.problem, trouble.cure)
    )
    return f"{problem[0].upper()}{problem[1:]}. {cure}"
