"""Sentences about throws and choices: who is to throw, what was thrown, what comes of it, and why the house chose."""

from collections.abc import Mapping
from typing import cast

from controller.game.core.message import MessageKey
from controller.game.shutbox.events import Ground, Motive
from controller.messages.speech import Sentence, Speech, plural, template
from controller.messages.writing import ContextTranslator


def _awaited(speech: Speech) -> str:
    return _ask(speech, speech.dice(speech.numbers("counts")))


def _ask(speech: Speech, dice: str) -> str:
    """Who is to throw: the player, or for a house that cannot the person who sat before it, if there is one."""
    thrower = speech.text("thrower")
    text = speech.gettext("Throw {dice} for {player}.")
    if speech.number("by_house"):
        text = speech.gettext("{player} throws {dice}.")
    elif thrower == speech.text("player"):
        text = speech.gettext("{player}: throw {dice}.")
    elif thrower:
        text = speech.gettext("{thrower}: throw {dice} for {player}.")
    return speech.fill(text, dice=dice)


def _after_throw(now: Sentence) -> Sentence:
    """A throw that lies, by its faces as they are marked and what they make together, and a sentence on what now."""

    def say(speech: Speech) -> str:
        text = speech.gettext("{player} threw {faces}, total {total}.")
        if speech.texts("faces") == (speech.text("total"),):
            text = speech.gettext("{player} threw {faces}.")
        return f"{speech.fill(text)} {now(speech)}"

    return say


def _corrected(speech: Speech) -> str:
    text = speech.gettext("Somebody corrects {read} to {faces}.")
    if "player" in speech.names:
        text = speech.gettext("{player} corrects {read} to {faces}.")
    return speech.fill(text, read=speech.all_of(speech.texts("faces_read")))


def _explained(speech: Speech) -> str:
    """What it threw is said with it: when its tiles stand, its dice are gone."""
    motive = Motive(
        cast("Ground", speech.text("ground")),
        speech.real("worth"),
        speech.texts("best"),
        speech.real("best_worth"),
        bool(speech.number("wins")),
        bool(speech.number("played_out")),
        bool(speech.number("guessed")),
    )
    threw = speech.fill(speech.gettext("{player} threw {faces}."))
    chose = speech.fill(
        _template(motive, speech),
        worth=_worth(motive, speech),
        best=speech.tiles(motive.best),
        better=_told(motive, motive.best_worth, speech),
    )
    return f"{threw} {chose}"


def _template(motive: Motive, speech: Speech) -> str:
    match motive.ground:
        case "only":
            return speech.gettext("{player} chooses {tiles}: nothing else fits.")
        case "whim":
            return speech.gettext("{player} chooses {tiles}: the first set that came to mind.")
        case "thumb":
            return speech.gettext(
                "{player} chooses {tiles}: few tiles and high ones; the odds of this game cannot be worked out."
            )
    if motive.best:
        return speech.gettext(
            "{player} chooses {tiles}, not the best: the turn then {worth}; with {best} it would be {better}."
        )
    return speech.gettext("{player} chooses {tiles}, the best move: the turn then {worth}.")


def winning_share(words: ContextTranslator) -> str:
    """Return the template of a chance to win, as it stands after "the turn"."""
    return words.pgettext("behind: the turn", "wins {share} of the time")


def average_points(words: ContextTranslator) -> str:
    """Return the template of a mean score, as it stands after "the turn"."""
    return words.pgettext("behind: the turn", "ends with {points} points on average")


def _worth(motive: Motive, speech: Speech) -> str:
    """How the turn ends, or how often it wins, as it goes on from `the turn`; and what is taken for granted there."""
    if motive.wins and motive.played_out:
        text = speech.pgettext("behind: the turn", "wins {share} of the turns played out in thought")
    elif motive.wins:
        text = winning_share(speech)
    elif motive.played_out:
        text = speech.pgettext("behind: the turn", "ends with {points} points in turns played out in thought")
    else:
        text = average_points(speech)
    if motive.guessed:
        text = speech.pgettext("behind: the turn", "{worth} if the others play for few points").format(worth=text)
    told = _told(motive, motive.worth, speech)
    return text.format(share=told, points=told)


def _told(motive: Motive, worth: float, speech: Speech) -> str:
    """A worth: a chance to win, or points to as many places as they are known."""
    return speech.share(worth) if motive.wins else speech.decimal(f"{worth:.{1 if motive.played_out else 2}f}")


THROWS: Mapping[MessageKey, Sentence] = {
    "throw.for_start": lambda speech: " ".join(
        (
            _awaited(speech),
            {
                "lowest": speech.gettext("The lowest throw begins."),
                "highest": speech.gettext("The highest throw begins."),
            }[speech.text("first")],
        )
    ),
    "throw.awaited": _awaited,
    "throw.pondered": template("{player} is choosing how many dice are thrown."),
    "throw.wished": lambda speech: _ask(speech, speech.dice([speech.number("wanted")])),
    "throw.corrected": _corrected,
    "throw.corrected_by": _corrected,
    "choice.due": _after_throw(template("Choose tiles that fit.")),
    "choice.pondered": _after_throw(template("{player} is thinking.")),
    "choice.made": template("{player} chooses {tiles}."),
    "choice.revealed": template("{player} chooses {tiles}. What stands behind counts now: {points} points."),
    "choice.explained": _explained,
    "choice.undone": template("{player} takes the choice back: {tiles}."),
    "turn.lost": _after_throw(
        plural(
            "Nothing can be shut: the turn is over with {points} point.",
            "Nothing can be shut: the turn is over with {points} points.",
            "points",
        )
    ),
    "turn.lost_by_seven": _after_throw(
        plural("A 7 ends the turn: {points} point.", "A 7 ends the turn: {points} points.", "points")
    ),
    "turn.lost_at_first": _after_throw(
        plural(
            "No move that fits has the {number}, and that loses: {points} point.",
            "No move that fits has the {number}, and that loses: {points} points.",
            "points",
        )
    ),
    "turn.missed": _after_throw(template("Nothing can be shut, and the next player throws.")),
    "round.lost_by_seven": _after_throw(
        plural("A 7 ends the round: {points} point.", "A 7 ends the round: {points} points.", "points")
    ),
    "start.thrown": template("{player} threw {total}."),
    # The tiles that a hand tipped make no move for a throw, or for none that is known.
    "hand.wrong": lambda speech: speech.by_number(
        "{tiles} is not part of any move for {throw}. Hands off: the box puts it back.",
        "{tiles} together are not part of any move for {throw}. Hands off: the box puts them back.",
        "tiles",
        throw=speech.all_of(map(str, speech.numbers("dice"))),
    ),
}
