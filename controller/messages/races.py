"""Sentences of a race: what its round waits for, who shouts and takes which chip, and what lies there for a claim."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.names import combination_title, faces_told, mark_name
from controller.messages.speech import Sentence, Speech, template

# What one calls when one has it: the name of the game whose dice bear this joker.
_SHOUTS = {"boat": "Fleet!", "bolt": "Flash!"}


def _rolling_off(speech: Speech) -> str:
    text = speech.gettext("Throw your six dice for who names first: {players}; the highest total does.")
    if speech.text("first") == "lowest":
        text = speech.gettext("Throw your six dice for who names first: {players}; the lowest total does.")
    return _with_players(speech, text)


def _naming(speech: Speech) -> str:
    # Translators: the first form is said to one player, the second to several.
    text = speech.ngettext(
        "Round {round} of {rounds}: name a combination, {players}.",
        "Round {round} of {rounds}: name combinations, {players}.",
        len(speech.texts("players")),
    )
    return _with_players(speech, text)


def _ready_for(speech: Speech) -> str:
    text = speech.gettext(
        "Round {round} of {rounds}, for all: {combination}. Take your six dice, and say when all are ready."
    )
    return _with_combination(speech, text)


def _running(speech: Speech) -> str:
    return _with_players(speech, speech.gettext("Round {round} of {rounds} is on: {players}, shout when you have it."))


def _last(speech: Speech) -> str:
    return speech.by_number(
        "{player} is the last, and has {seconds} second in all.",
        "{player} is the last, and has {seconds} seconds in all.",
        "seconds",
    )


def _shouted(speech: Speech) -> str:
    text = speech.gettext("{player} has it: {combination}. Lay the six dice on the baize; the others play on.")
    return _with_combination(speech, text)


def _level(speech: Speech) -> str:
    return _with_players(speech, speech.gettext("{players} are level and throw again."))


def _named_for_all(speech: Speech) -> str:
    return _with_combination(speech, speech.gettext("{player} names for all: {combination}."))


def _shout(speech: Speech) -> str:
    return speech.fill(speech.gettext("{player}: {shout}"), shout=_SHOUTS[speech.text("joker")])


def _withdrawn(speech: Speech) -> str:
    text = speech.gettext("{player} takes the shout back.")
    return speech.fill(text if speech.text("player") else speech.gettext("Somebody takes the shout back."))


def _refused(speech: Speech) -> str:
    return _claimed(speech, speech.gettext("{player}: {dice} is not the combination {combination}. Play goes on."))


def _refused_no_chip(speech: Speech) -> str:
    text = speech.gettext("{player}: {dice} is not the combination {combination}. That costs the chip of this round.")
    return _claimed(speech, text)


def _taken(speech: Speech) -> str:
    return _claimed(speech, speech.gettext("{player} has it: {combination} ({dice}), and takes the chip of {points}."))


def _shared(speech: Speech) -> str:
    text = speech.gettext("{players} shouted at once, and rightly: they share the chip of {points}.")
    return _with_players(speech, text)


def _voided(speech: Speech) -> str:
    text = speech.gettext("{players} shouted at once, and rightly: as agreed, all of them throw again.")
    return _with_players(speech, text)


def _unfinished(speech: Speech) -> str:
    text = speech.ngettext(
        "The round was ended: {players} takes no chip.",
        "The round was ended: {players} take no chip.",
        len(speech.texts("players")),
    )
    return _with_players(speech, text)


def _thrown_anew(speech: Speech) -> str:
    text = speech.ngettext(
        "How the dice lay is not known any more: {players} throws all six again.",
        "How the dice lay is not known any more: {players} throw all six again.",
        len(speech.texts("players")),
    )
    return _with_players(speech, text)


def _round_ended(speech: Speech) -> str:
    told = ", ".join(f"{player} {points}" for player, points in speech.by_name("points").items())
    return speech.fill(speech.gettext("After round {round}: {numbers}."), numbers=told)


def _returned(speech: Speech) -> str:
    return _with_players(speech, speech.gettext("The chip of {points} that {players} took is put back."))


def _too_few(speech: Speech) -> str:
    text = speech.ngettext(
        "{player}: one die of yours lies there. Lay all six on the baize, those in {colour}.",
        "{player}: {seen} dice of yours lie there. Lay all six on the baize, those in {colour}.",
        speech.number("seen"),
    )
    return _with_colours(speech, text)


def _missing(speech: Speech) -> str:
    return _with_colours(speech, speech.gettext("{player}: lay your six dice in {colour} on the baize."))


def _too_many(speech: Speech) -> str:
    text = speech.gettext("{seen} dice in {colour} lie there: a set has six, take the others away.")
    return _with_colours(speech, text)


def _mixed(speech: Speech) -> str:
    text = speech.ngettext(
        "Among the dice in {colour} lies one in {other}: take it away, or lay all six of them.",
        "Among the dice in {colour} lie {seen} in {other}: take them away, or lay all six of them.",
        speech.number("seen"),
    )
    return _with_colours(speech, text)


def _stranger(speech: Speech) -> str:
    text = speech.gettext("A die in {other} lies there, which is nobody's in this game: take it away.")
    return _with_colours(speech, text)


def _with_players(speech: Speech, text: str) -> str:
    return speech.fill(text, players=speech.all_of(speech.texts("players")))


def _with_combination(speech: Speech, text: str) -> str:
    return speech.fill(text, combination=_combination(speech))


def _claimed(speech: Speech, text: str) -> str:
    dice = faces_told(speech, speech.numbers("dice"), speech.text("joker"))
    return speech.fill(text, combination=_combination(speech), dice=dice)


def _combination(speech: Speech) -> str:
    return combination_title(speech, speech.text("combination"), speech.text("joker"))


def _with_colours(speech: Speech, text: str) -> str:
    colours = {name: mark_name(speech, speech.text(name)) for name in ("colour", "other") if name in speech.names}
    return speech.fill(text, **colours)


RACES: Mapping[MessageKey, Sentence] = {
    "race.rolling_off": _rolling_off,
    "race.naming": _naming,
    "race.naming_for_all": template("Round {round} of {rounds}: {player} names a combination for all."),
    "race.ready": template("Round {round} of {rounds}: take your six dice, and say when all are ready."),
    "race.ready_for": _ready_for,
    "race.counting": template("Round {round} of {rounds}: 1, 2, 3 ..."),
    "race.running": _running,
    "race.last": _last,
    "race.shouted": _shouted,
    "race.pressed": template("Whoever pressed the button: lay your six dice on the baize."),
    "race.tiles": template("The box sets its tiles; play on."),
    "race.rolled": template("{player} threw {total}."),
    "race.namer": template("{player} names first."),
    "race.level": _level,
    "race.named": template("{player} has named a combination."),
    "race.named_for_all": _named_for_all,
    "race.go": template("GO!"),
    "race.shout": _shout,
    "race.withdrawn": _withdrawn,
    "race.refused": _refused,
    "race.refused_no_chip": _refused_no_chip,
    "race.taken": _taken,
    "race.shared": _shared,
    "race.last_chip": template("{player} is the last and takes the chip of {points}."),
    "race.voided": _voided,
    "race.time_up": template("Time is up: {player} takes no chip."),
    "race.unfinished": _unfinished,
    "race.round_ended": _round_ended,
    "race.returned": _returned,
    "race.thrown_anew": _thrown_anew,
    "claim.missing": _missing,
    "claim.too_few": _too_few,
    "claim.too_many": _too_many,
    "claim.mixed": _mixed,
    "claim.stranger": _stranger,
    "claim.several": template(
        "Dice of more than one player lie there: leave only those of whoever pressed the button."
    ),
    "claim.typed": template("The camera does not know these dice: say what they show."),
}
