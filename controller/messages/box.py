"""Sentences about the box, its dice, its journal, its jobs and its operators."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.refusals import explain_code
from controller.messages.speech import Sentence, Speech, plural, template


def _lost(speech: Speech) -> str:
    match speech.text("lost"):
        case "game":
            return speech.gettext("The memory card has lost the last game.")
        case "steps":
            return speech.by_number(
                "The memory card has lost the last step of the game, which continues from before it.",
                "The memory card has lost the last {events} steps of the game, which continues from before them.",
                "events",
            )
    return speech.gettext("The game on the memory card is not the one that was played last.")


def _closed(speech: Speech) -> str:
    if speech.text("file"):
        return speech.fill(
            speech.gettext(
                "Games cannot be saved, so you cannot play: {file} belongs to {owner}, and the box may not write it. "
                "Its log, and i at its terminal, say how to mend that; then switch the box off and on."
            )
        )
    return speech.gettext(
        "Games cannot be saved, so you cannot play: the memory card cannot be written to. Make room on "
        "it, or have it replaced; then switch the box off and on."
    )


def _under_way(speech: Speech) -> str:
    doing = {
        "servos": speech.gettext("The servos are being calibrated."),
        "camera": speech.gettext("The camera is being calibrated."),
        "dice": speech.gettext("The box is being taught dice."),
        "selftest": speech.gettext("The box is testing itself."),
        "wiring": speech.gettext("The wiring is being checked."),
        "bringup": speech.gettext("How the box is wired is being found out."),
        "exchange": speech.gettext("Another simulated box is being put on the table."),
        "outage": speech.gettext("The power is out."),
    }[speech.text("kind")]
    # The words of a job are English, and written for a terminal.
    return f"{doing} {speech.text('words')}".strip() if speech.at_terminal else doing


BOX: Mapping[MessageKey, Sentence] = {
    "table.idle": template("No game is on. Start one."),
    "turn.done": template("{player}'s turn is over."),
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
    "game.resumed": template("The game was saved."),
    "game.comparing": template("The box checks its tiles before the game goes on."),
    "game.unreadable": template("The last game cannot be continued. You can start a new one."),
    "game.undecidable": template(
        "Nobody can ever win this: no throw shuts a tile, and all stay level. Give it up; take other tiles or ties."
    ),
    "house.counting": template("{player} is working out the odds; the first time takes a while."),
    "layout.front_row": template("Only the front row plays: numbers that appear behind it do not count."),
    "layout.rows": template("Only the first {rows} rows play: numbers that appear behind them do not count."),
    "lid.closed": template(
        "The lid is closed. Open it, and the game goes on by itself. If it is open already, close and open it once; "
        "if that does not help, its switch needs a repair."
    ),
    "dice.unreadable": template("The camera cannot read a die of {sides} sides: throw it and type what it shows."),
    "reading.moving": template("The dice are still moving: wait until they lie still."),
    "reading.cocked": template("One die is leaning on something or lying on another. Throw again."),
    "reading.stacked": template("One die is lying on another or touching something: throw again."),
    "reading.off_field": template("One die is outside the field. Throw again."),
    "reading.hand": template("Take your hand out of the field."),
    "reading.unexplained": template(
        "There is something on the baize that is not a die: take it away, or move the dice apart."
    ),
    "reading.too_many": template("There are too many dice: leave only the ones for this throw."),
    "reading.too_few": template("There are too few dice: throw all of them again."),
    "reading.glare": template("The light is too bright to read the dice: turn the lamp away, or type what you threw."),
    "reading.blurred": template("The picture is blurred: keep the dice still and wipe the lens."),
    "reading.camera_moved": template(
        "The camera has moved since it was calibrated: set it back, or calibrate it again."
    ),
    "reading.stale": template("The dice have not moved since the last throw: throw them, or type what they show."),
    "reading.unsure": template("The camera is not sure: throw again, or say what the dice show."),
    "record.unreadable": template("There is no record of scores: the journal cannot be read."),
    "journal.newer": template(
        "These games were saved by a newer version of the program and have been set aside: ask the "
        "person who updates the box."
    ),
    "journal.unmarked": template("The last moves may not all be saved: check that the game is where you left it."),
    "journal.closed": _closed,
    "journal.in_memory": template(
        "This box keeps its games in memory only: they are gone when the power goes. Ask the person who "
        "looks after the box."
    ),
    "access.damaged": template(
        "The list of this box's operators can no longer be read: set a PIN with `shutbox pin`, or pair again."
    ),
    "access.pairing": template(
        "{name} wants to be an operator's device and shows {number}. If it is yours, hold the button for "
        "five seconds, or type `shutbox pair {number}`; otherwise do nothing."
    ),
    "access.given": template("{name} is an operator's device now."),
    "access.not_given": template("{name} is not an operator's device: nobody agreed."),
    "job.under_way": _under_way,
    "error": lambda speech: explain_code(speech.text("code"), speech.gettext),
    "journal.damaged": lambda speech: " ".join(
        (
            speech.gettext("The memory card has damaged the file of the games, which was set aside."),
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
