"""Sentences for who looks after the box: faults, what the journal has kept, jobs, and strangers who try PINs."""

from collections.abc import Iterator, Mapping

from controller.game import TYPE_INSTEAD, MessageKey, Trouble, trouble_of, trouble_texts
from controller.words.refusals import explain_code
from controller.words.speech import Sentence, Speech, capitalised
from hardware.errors import Fault

_CONTEXT = "fault"


def fault_texts() -> Iterator[tuple[str, str]]:
    """All that is said of faults, with its context, for those who translate it."""
    for text in trouble_texts():
        yield _CONTEXT, text


def _fault(speech: Speech) -> str:
    """The problem and the cure; the code stands elsewhere, for whoever repairs the box."""
    names = ("code", "part", "expected", "seen", "cure")
    fault = Fault(*map(speech.text, names))
    trouble = trouble_of(fault)
    if trouble is None:
        told = speech.fill(speech.gettext("Something is wrong with {part}: the box needs a repair."))
    elif trouble.should:
        told = _of_tile(speech, trouble)
    else:
        told = f"{speech.pgettext(_CONTEXT, trouble.problem)} {speech.pgettext(_CONTEXT, trouble.cure)}"
    first = f"{speech.pgettext(_CONTEXT, TYPE_INSTEAD)} " if fault.kind == "camera" else ""
    return f"{first}{told}"


def _of_tile(speech: Speech, trouble: Trouble) -> str:
    words = {
        "tile": speech.tile(speech.text("part")),
        "should": speech.pgettext(_CONTEXT, trouble.should),
        "moves": speech.pgettext(_CONTEXT, trouble.moves),
    }
    problem, cure = (speech.pgettext(_CONTEXT, each) for each in (trouble.problem, trouble.cure))
    return f"{capitalised(problem.format(**words))}. {cure.format(**words)}"


def _error(speech: Speech) -> str:
    return explain_code(speech.text("code"), speech.gettext)


def _damaged(speech: Speech) -> str:
    kept = {
        "all": speech.gettext("Nothing is lost."),
        "earlier": speech.gettext("All earlier games are here."),
        "some": speech.gettext("What could be read of it is here. If games are missing, bring back a backup."),
    }
    spoilt = speech.gettext("The memory card has spoilt the file of the games, and it was put aside.")
    return f"{spoilt} {kept[speech.text('kept')]}"


def _lost(speech: Speech) -> str:
    match speech.text("lost"):
        case "game":
            return speech.gettext("The memory card has not kept the last game.")
        case "steps":
            return speech.by_number(
                "The memory card has not kept the last step of the game: it goes on from before.",
                "The memory card has not kept the last {events} steps of the game: it goes on from before.",
                "events",
            )
    return speech.gettext("The memory card has kept another game than the one that was played last.")


def _guessed(speech: Speech) -> str:
    return speech.by_number(
        "Somebody in the network has tried {wrong} wrong PIN at this box.",
        "Somebody in the network has tried {wrong} wrong PINs at this box.",
        "wrong",
    )


def _under_way(speech: Speech) -> str:
    return {
        "servos": speech.gettext("The servos are being calibrated."),
        "camera": speech.gettext("The camera is being calibrated."),
        "dice": speech.gettext("The box is being taught dice."),
        "selftest": speech.gettext("The box tests itself."),
        "wiring": speech.gettext("The wiring is being checked."),
        "exchange": speech.gettext("Another simulated box is put on the table."),
        "outage": speech.gettext("The power is out."),
    }[speech.text("kind")]


SERVICE: Mapping[MessageKey, Sentence] = {
    "job.under_way": _under_way,
    "game.halted": _fault,
    "fault": _fault,
    "error": _error,
    "journal.damaged": _damaged,
    "journal.lost": _lost,
    "access.guessed": _guessed,
}
