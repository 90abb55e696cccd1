"""Sentences of a race: what its round waits for, who shouts and takes which chip, and what lies there for a claim."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.speech import Sentence, plural, template

# What one calls when one has it: the name of the game whose dice bear this joker.
_SHOUTS = {"boat": "Fleet!", "bolt": "Flash!"}


RACES: Mapping[MessageKey, Sentence] = {
    "race.rolling_off": lambda speech: speech.fill(
        speech.gettext("Throw your six dice for who names first: {players}; the lowest total does.")
        if speech.text("first") == "lowest"
        else speech.gettext("Throw your six dice for who names first: {players}; the highest total does.")
    ),
    # Translators: the first form is said to one player, the second to several.
    "race.naming": plural(
        "Round {round} of {rounds}: name a combination, {players}.",
        "Round {round} of {rounds}: name combinations, {players}.",
        "players",
    ),
    "race.naming_for_all": template("Round {round} of {rounds}: {player} names a combination for all."),
    "race.ready": template("Round {round} of {rounds}: take your six dice, and say when all are ready."),
    "race.ready_for": template(
        "Round {round} of {rounds}, for all: {combination}. Take your six dice, and say when all are ready."
    ),
    "race.counting": template("Round {round} of {rounds}: 1, 2, 3 ..."),
    "race.running": template("Round {round} of {rounds} is on: {players}, shout when you have it."),
    "race.last": plural(
        "{player} is the last, and has {seconds} second in all.",
        "{player} is the last, and has {seconds} seconds in all.",
        "seconds",
    ),
    "race.shouted": template("{player} has it: {combination}. Lay the six dice on the baize; the others play on."),
    "race.pressed": template("Whoever pressed the button: lay your six dice on the baize."),
    "race.tiles": template("The box sets its tiles; play on."),
    "race.rolled": template("{player} threw {total}."),
    "race.namer": template("{player} names first."),
    "race.level": template("{players} are level and throw again."),
    "race.named": template("{player} has named a combination."),
    "race.named_for_all": template("{player} names for all: {combination}."),
    "race.go": template("GO!"),
    "race.shout": lambda speech: speech.fill(speech.gettext("{player}: {shout}"), shout=_SHOUTS[speech.text("joker")]),
    "race.withdrawn": lambda speech: speech.fill(
        speech.gettext("{player} takes the shout back.")
        if speech.text("player")
        else speech.gettext("Somebody takes the shout back.")
    ),
    "race.refused": template("{player}: {dice} is not the combination {combination}. Play goes on."),
    "race.refused_no_chip": template(
        "{player}: {dice} is not the combination {combination}. That costs the chip of this round."
    ),
    "race.taken": template("{player} has it: {combination} ({dice}), and takes the chip of {points}."),
    "race.shared": template("{players} shouted at once, and rightly: they share the chip of {points}."),
    "race.last_chip": template("{player} is the last and takes the chip of {points}."),
    "race.voided": template("{players} shouted at once, and rightly: as agreed, all of them throw again."),
    "race.time_up": template("Time is up: {player} takes no chip."),
    "race.unfinished": plural(
        "The round was ended: {players} takes no chip.", "The round was ended: {players} take no chip.", "players"
    ),
    "race.round_ended": template("After round {round}: {numbers}."),
    "race.returned": template("The chip of {points} that {players} took is put back."),
    "race.thrown_anew": plural(
        "How the dice lay is not known any more: {players} throws all six again.",
        "How the dice lay is not known any more: {players} throw all six again.",
        "players",
    ),
    "claim.missing": template("{player}: lay your six dice in {colour} on the baize."),
    "claim.too_few": plural(
        "{player}: one die of yours lies there. Lay all six on the baize, those in {colour}.",
        "{player}: {seen} dice of yours lie there. Lay all six on the baize, those in {colour}.",
        "seen",
    ),
    "claim.too_many": template("{seen} dice in {colour} lie there: a set has six, take the others away."),
    "claim.mixed": plural(
        "Among the dice in {colour} lies one in {other}: take it away, or lay all six of them.",
        "Among the dice in {colour} lie {seen} in {other}: take them away, or lay all six of them.",
        "seen",
    ),
    "claim.stranger": template("A die in {other} lies there, which is nobody's in this game: take it away."),
    "claim.several": template(
        "Dice of more than one player lie there: leave only those of whoever pressed the button."
    ),
    "claim.typed": template("The camera does not know these dice: say what they show."),
}
