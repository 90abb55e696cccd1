"""Faults in the words of somebody who sits at the box: what is wrong, and what to do about it.

The fault itself names the part, what was expected and seen, and the cure for whoever repairs the box.
"""

from collections.abc import Iterator, Mapping

from controller.game.core.message import MessageKey
from controller.messages.speech import Sentence, Speech
from hardware.errors import Fault
from hardware.tiles import Position

# The context of these texts in the catalogues.
_CONTEXT = "fault"
_TYPE_INSTEAD = "Type what the dice show."
_AGAIN = "Let the box try again; if this comes again, it needs a repair."
_CALIBRATE = "Pause the game, if one is on, and calibrate the servos: shutbox calibrate servos."
_MEND = "Its owner can correct the file, and start the box again."
# By code: the problem, and what a player can do; those of tiles are in `_OF_TILES`, those of files in `_OF_FILES`.
_OF_THE_BOX: Mapping[str, tuple[str, str]] = {
    "H-201": (
        "The box's electronics are stuck.",
        "Let the box try again; if that does not help, switch it off and on: the game is saved.",
    ),
    "H-202": (
        "A part of the box's electronics does not answer.",
        "Check that all plugs are in, and let the box try again. If that does not help, the box needs a repair.",
    ),
    "H-203": ("A part of the box's electronics forgets what it is told.", _AGAIN),
    "H-204": ("A part of the box's electronics does not do what it is told.", _AGAIN),
    "H-208": (
        "The computer's power supply is weak.",
        "You can keep playing; the owner should get a better power supply.",
    ),
    "H-209": (
        "The motors' power does not follow its switch.",
        "If tiles move by themselves, pull the plug of the motors' power; the box needs a repair.",
    ),
    "H-210": (
        "The lid is closed.",
        "Open it, and let the box try again. If it is open, its switch or its magnet needs a look.",
    ),
    "H-212": ("The computer is too warm.", "You can keep playing; it needs air."),
    "H-214": (
        "The motors draw too much current.",
        "Pull the plug of the motors' power if something is warm; the box needs a repair.",
    ),
    "H-221": (
        "The program that watches over the motors is gone.",
        "Switch the box off and on: the game is saved. If that does not help, the box needs a repair.",
    ),
    "H-222": ("All motors were stopped to be safe.", _AGAIN),
    "C-103": ("Not every servo of this box was calibrated, so it moves no tile.", _CALIBRATE),
    "V-101": ("The camera gives one and the same picture.", "Its cable may be loose."),
    "V-102": ("The camera gives no picture.", "Check that its cable is plugged in at both ends."),
    "V-103": (
        "The camera does not see the four black and white marks in the corners of the baize.",
        "Uncover them, or turn the camera so that it sees the whole baize.",
    ),
    "V-104": ("It is too dark to read the dice.", "Switch the lamp on; is something in front of the camera?"),
    "V-105": ("The dice could not be read, throw after throw.", "Look at the lamp, the camera and the dice."),
    "V-106": ("The camera hangs upside down.", "Its owner can turn it round, or tell the box: shutbox bringup."),
}
# The same of files. {part} is the file, with the line if one is wrong.
_OF_FILES: Mapping[str, tuple[str, str]] = {
    "C-101": ("The box cannot read how it is built ({part}), so it moves no tile.", _MEND),
    "C-102": ("The servos' calibration cannot be used ({part}), so the box moves no tile.", _CALIBRATE),
    "C-323": ("The box cannot read {part}, and does without it.", _MEND),
}
# The same of tiles. {tile} is one as people call it; it should be {should}, up or down, and {moves}, up or down.
_OF_TILES: Mapping[str, tuple[str, str]] = {
    "H-301": (
        "{tile} will not {moves}",
        "Take your hand off it, or free it where it is stuck, and let the box try again.",
    ),
    "H-302": (
        "the box cannot tell whether {tile} is up or down; it should be {should}",
        "If it is half way, free it and let the box try again; if it is {should}, tell the box and keep playing.",
    ),
    "H-304": (
        "a sensor of {tile} flickers; the tile should be {should}",
        "If it is, tell the box and keep playing; its sensor needs a repair.",
    ),
    "H-305": ("{tile} is in the way of another", "Put it {should} by hand, and let the box try again."),
    "H-309": (
        "{tile} does not stay where it is put",
        "Check whether something springs back under it, and let the box try again.",
    ),
}
_PUT_BACK = "Put it {should} by hand and the game continues. Or keep your hands off and let the box do it."
# What a fault expects of a tile begins with a position.
_PLACES: Mapping[str, str] = {Position.OPEN: "up", Position.SHUT: "down"}
_MOVES: Mapping[str, str] = {"up": "come up", "down": "go down"}
_MOVED: Mapping[str, str] = {
    Position.OPEN: "{tile} is up and should be {should}",
    Position.SHUT: "{tile} is down and should be {should}",
    Position.BETWEEN: "{tile} is half way and should be {should}",
}


def fault_texts() -> Iterator[tuple[str, str]]:
    """Yield every text about faults with its context, for those who translate it."""
    for problem, cure in (*_OF_THE_BOX.values(), *_OF_FILES.values(), *_OF_TILES.values()):
        yield from ((_CONTEXT, problem), (_CONTEXT, cure))
    for text in (*_MOVED.values(), _PUT_BACK, _TYPE_INSTEAD, *_MOVES, *_MOVES.values()):
        yield _CONTEXT, text


def _fault(speech: Speech) -> str:
    """The problem and the cure; at a terminal the code, too, which pages show elsewhere.

    Of a file a terminal shows also what is wrong in it, in English: that is for whoever corrects it.
    """
    fault = Fault(*(speech.text(name) for name in ("code", "part", "expected", "seen", "cure")))
    should = _PLACES.get(fault.expected.partition(" ")[0])
    if fault.code in _OF_THE_BOX:
        problem, cure = _OF_THE_BOX[fault.code]
        told = f"{speech.pgettext(_CONTEXT, problem)} {speech.pgettext(_CONTEXT, cure)}"
    elif fault.code in _OF_FILES:
        problem, cure = _OF_FILES[fault.code]
        cure = f"{fault.seen}. {fault.cure}" if speech.at_terminal else speech.pgettext(_CONTEXT, cure)
        told = f"{speech.pgettext(_CONTEXT, problem).format(part=fault.part)} {cure}"
    elif should is not None and fault.code == "H-303" and fault.seen in _MOVED:
        told = _tell_tile(speech, _MOVED[fault.seen], _PUT_BACK, should)
    elif should is not None and fault.code in _OF_TILES:
        told = _tell_tile(speech, *_OF_TILES[fault.code], should)
    else:
        told = speech.fill(speech.gettext("Something is wrong with {part}: the box needs a repair."))
    if fault.kind == "camera":
        # Nobody who can read dice has to wait for a camera.
        told = f"{speech.pgettext(_CONTEXT, _TYPE_INSTEAD)} {told}"
    return speech.gettext("{text} (code {code})").format(text=told, code=fault.code) if speech.at_terminal else told


def _tell_tile(speech: Speech, problem: str, cure: str, should: str) -> str:
    """Fill in the templates once: people's marks may hold anything."""
    places = {
        "tile": speech.tile(speech.text("part")),
        "should": speech.pgettext(_CONTEXT, should),
        "moves": speech.pgettext(_CONTEXT, _MOVES[should]),
    }
    problem, cure = (speech.pgettext(_CONTEXT, each).format(**places) for each in (problem, cure))
    return f"{speech.sentence(problem)}. {cure}"


FAULTS: Mapping[MessageKey, Sentence] = {"game.halted": _fault, "fault": _fault}
