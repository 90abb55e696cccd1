"""Sentences of a race: what its round waits for, who shouts and takes which chip, and what lies there for a claim."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.names import faces_told
from controller.messages.speech import Sentence, Speech, plural, template

# What one calls when one has it: the name of the game whose dice bear this joker.
_SHOUTS = {"boat": "Fleet!", "bolt": "Flash!"}


def _refused(then: Sentence) -> Sentence:
    """What lies there is not the combination, what it lacks, and what comes of that."""

    def say(speech: Speech) -> str:
        told = [speech.fill(speech.gettext("{player}: {dice} is not {combination}."))]
        if ways := speech.lists("missing"):
            faces = speech.one_of(faces_told(speech, way, speech.text("joker")) for way in ways)
            told.append(speech.fill(speech.gettext("Missing: {faces}."), faces=faces))
        elif speech.number("short"):
            told.append(speech.fill(speech.gettext("{short} dice do not fit.")))
        return " ".join((*told, then(speech)))

    return say


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
        "{player} is last and has {seconds} second.",
        "{player} is last and has {seconds} seconds.",
        "seconds",
    ),
    "race.shouted": lambda speech: speech.fill(
        speech.gettext("{player} shouts: {combination}. The box looks at the dice; the others keep playing.")
        if speech.number("dice_lie")
        else speech.gettext("{player} shouts: {combination}. Lay the six dice on the baize; the others keep playing.")
    ),
    "race.pressed": template("Whoever pressed the button: lay your six dice on the baize."),
    "race.tiles": template("The box sets its tiles; keep playing."),
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
    "race.refused": _refused(template("That costs nothing: the race goes on.")),
    "race.refused_no_chip": _refused(template("No chip for {player} in this round.")),
    "race.taken": lambda speech: speech.fill(
        speech.gettext("{player} takes chip {points}, as typed: {combination} ({dice}).")
        if speech.number("typed")
        else speech.gettext("{player} takes chip {points}: {combination} ({dice}).")
    ),
    "race.shared": template("{players} shouted at once, and were right: they share the chip of {points}."),
    "race.last_chip": template("{player} is last and takes chip {points}."),
    "race.voided": template("{players} shouted at once, and were right: as agreed, all of them throw again."),
    "race.time_up": template("Time is up: {player} takes no chip."),
    "race.unfinished": plural(
        "Round ended early: {players} takes no chip.", "Round ended early: {players} take no chip.", "players"
    ),
    "race.round_ended": template("After round {round}: {numbers}."),
    "race.returned": template("The chip of {points} that {players} took is put back."),
    "race.thrown_anew": plural(
        "The box no longer knows how the dice lay: {players} throws all six again.",
        "The box no longer knows how the dice lay: {players} throw all six again.",
        "players",
    ),
    "claim.missing": template("{player}: lay your six dice in {colour} on the baize."),
    "claim.too_few": plural(
        "{player}: only one of your dice is there. Lay all six on the baize, the ones in {colour}.",
        "{player}: only {seen} of your dice are there. Lay all six on the baize, the ones in {colour}.",
        "seen",
    ),
    "claim.too_many": template("There are {seen} dice in {colour}: a set has six, take the others away."),
    "claim.mixed": plural(
        "Among the dice in {colour} there is one in {other}: take it away, or lay all six in {other}.",
        "Among the dice in {colour} there are {seen} in {other}: take them away, or lay all six in {other}.",
        "seen",
    ),
    "claim.stranger": template("There is a die in {other}, a colour that nobody has in this game: take it away."),
    "claim.several": template(
        "There are dice of more than one player: leave only those of the player who pressed the button."
    ),
    "claim.typed": template("The camera does not know these dice: type what they show."),
}
