"""Sentences about what a house player has chosen, and why."""

from collections.abc import Mapping
from typing import cast

from controller.game import Ground, MessageKey, Motive
from controller.words.speech import Sentence, Speech


def _explained(speech: Speech) -> str:
    """What it threw is said with it: when its tiles stand, its dice are gone."""
    motive = _motive_of(speech)
    threw = speech.fill(speech.gettext("{player} threw {faces}."), faces=speech.all_of(speech.texts("faces")))
    chose = speech.fill(
        _template(motive, speech),
        tiles=speech.tiles(speech.texts("tiles")),
        worth=_worth(motive, speech),
        best=speech.tiles(motive.best),
        better=_told(motive, motive.best_worth, speech),
    )
    return f"{threw} {chose}"


def _motive_of(speech: Speech) -> Motive:
    return Motive(
        cast("Ground", speech.text("ground")),
        speech.real("worth"),
        speech.texts("best"),
        speech.real("best_worth"),
        bool(speech.number("wins")),
        bool(speech.number("played_out")),
        bool(speech.number("guessed")),
    )


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


def _worth(motive: Motive, speech: Speech) -> str:
    """How the turn ends, or how often it wins, as it goes on from `the turn`; and what is taken for granted there."""
    if motive.wins and motive.played_out:
        text = speech.pgettext("behind: the turn", "wins {share} of the turns played out in thought")
    elif motive.wins:
        text = speech.pgettext("behind: the turn", "wins {share} of the time")
    elif motive.played_out:
        text = speech.pgettext("behind: the turn", "ends with {points} points in turns played out in thought")
    else:
        text = speech.pgettext("behind: the turn", "ends with {points} points on average")
    if motive.guessed:
        text = speech.pgettext("behind: the turn", "{worth} if the others play for few points").format(worth=text)
    told = _told(motive, motive.worth, speech)
    return text.format(share=told, points=told)


def _told(motive: Motive, worth: float, speech: Speech) -> str:
    return speech.share(worth) if motive.wins else speech.decimal(motive.tell(worth))


MOTIVES: Mapping[MessageKey, Sentence] = {"choice.explained": _explained}
