"""Sentences about the box, its dice, its journal, its jobs and its operators."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.refusals import explain_code
from controller.messages.speech import Sentence, Speech, plural, template


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


def _under_way(speech: Speech) -> str:
    doing = {
        "servos": speech.gettext("The servos are being calibrated."),
        "camera": speech.gettext("The camera is being calibrated."),
        "dice": speech.gettext("The box is being taught dice."),
        "selftest": speech.gettext("The box tests itself."),
        "wiring": speech.gettext("The wiring is being checked."),
        "exchange": speech.gettext("Another simulated box is put on the table."),
        "outage": speech.gettext("The power is out."),
    }[speech.text("kind")]
    # The words of a job are English, and written for a terminal.
    return f"{doing} {speech.text('words')}".strip() if speech.at_terminal else doing


BOX: Mapping[MessageKey, Sentence] = {
    "table.idle": template("No game is on. Start one."),
    "turn.done": template("The turn of {player} is over."),
    "turn.undone": template("{player} takes that back."),
    "turn.forfeited": template("{player} loses on the first throw."),
    "start.decided": template("{player} begins."),
    "round.unwon": template("Round {round}: nobody wins."),
    "round.begun": template("{player} begins round {round}."),
    "tiles.moving": template("The box sets its tiles: hands off."),
    "tiles.restoring": template("The box puts its tiles right: hands off."),
    "game.paused": template("Paused. The tiles stay as they are."),
    "game.given_up": template("The game was given up."),
    "game.unwon": template("The game is over, and nobody wins."),
    "game.resumed": template("The game was kept."),
    "game.comparing": template("The box checks its tiles before the game goes on."),
    "game.unreadable": template("The last game cannot be taken up. A new one can be started."),
    "game.undecidable": template(
        "Nobody can ever win this: no throw shuts a tile, and all stay level. Give it up; take other tiles or ties."
    ),
    "house.counting": template("{player} works out the odds; the first time takes a while."),
    "layout.front_row": template("Only the front row plays: numbers that come to light behind do not count."),
    "layout.rows": template("Only the first {rows} rows play: numbers that come to light behind do not count."),
    "lid.closed": template(
        "The lid is closed. Open it, and the game goes on by itself. If it is open already, close and open it once; "
        "if that does not help, its switch needs a repair."
    ),
    "dice.unreadable": template("The camera cannot read a die of {sides} sides: throw it and type what it shows."),
    "reading.moving": template("The dice are still moving: wait until they lie still."),
    "reading.cocked": template("One die leans on something or lies on another. Throw again."),
    "reading.stacked": template("One die lies on another or touches something: throw again."),
    "reading.off_field": template("One die lies outside the field. Throw again."),
    "reading.hand": template("Take your hand out of the field."),
    "reading.unexplained": template(
        "Something lies on the baize that is no die: take it away, or move the dice apart."
    ),
    "reading.too_many": template("Too many dice lie there: leave only those that were to be thrown."),
    "reading.too_few": template("Too few dice lie there: throw all of them again."),
    "reading.glare": template("The light is too bright to read the dice: turn the lamp away, or say what you threw."),
    "reading.blurred": template("The picture is blurred: keep the dice still and wipe the lens."),
    "reading.camera_moved": template(
        "The camera has moved since it was calibrated: set it back, or calibrate it again."
    ),
    "reading.stale": template("These are the dice of the last throw: throw them, or type what they show."),
    "reading.unsure": template("The camera is not sure of the dice: say what you threw."),
    "record.unreadable": template("There is no record of scores: the journal cannot be read."),
    "journal.newer": template(
        "The games here were kept by a newer version of the program, and it put them aside: ask whoever updates it."
    ),
    "journal.unmarked": template(
        "Nobody can tell whether the last moves were all kept: look whether the game stands where you left it."
    ),
    "journal.closed": template(
        "No game can be kept, so none can be played: the memory card takes nothing. Make room on it, or have it "
        "replaced; then switch the box off and on."
    ),
    "access.damaged": template(
        "Who the operators of this box are can no longer be read: set a PIN with `shutbox pin`, or pair anew."
    ),
    "access.pairing": template(
        "{name} wants to be an operator's device and shows {number}. If it is yours, hold the button for five "
        "seconds, or say `shutbox pair {number}`; else do nothing."
    ),
    "access.given": template("{name} is an operator's device now."),
    "access.not_given": template("{name} is no operator's device: nobody agreed."),
    "job.under_way": _under_way,
    "error": lambda speech: explain_code(speech.text("code"), speech.gettext),
    "journal.damaged": lambda speech: " ".join(
        (
            speech.gettext("The memory card has spoilt the file of the games, and it was put aside."),
            {
                "all": speech.gettext("Nothing is lost."),
                "earlier": speech.gettext("All earlier games are here."),
                "some": speech.gettext("What could be read of it is here. If games are missing, bring back a backup."),
            }[speech.text("kept")],
        )
    ),
    "journal.lost": _lost,
    "access.guessed": plural(
        "Somebody in the network has tried {wrong} wrong PIN at this box.",
        "Somebody in the network has tried {wrong} wrong PINs at this box.",
        "wrong",
    ),
}
