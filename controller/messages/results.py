"""Sentences about what turns, rounds, games and matches came to, and how that stands beside earlier ones."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.races import RACES
from controller.messages.speech import Sentence, Speech, plural, template


def _result(speech: Speech) -> str:
    """What a winner has come to, as it stands behind `with`."""
    score, rounds = speech.number("score"), speech.number("rounds")
    match speech.text("match"):
        case "single":
            template = speech.npgettext("behind: wins with", "{score} point", "{score} points", score)
        case "points":
            template = speech.npgettext(
                "behind: wins with",
                "{score} of {rounds} round",
                "{score} of {rounds} rounds",
                rounds,
            )
        case _:
            template = speech.npgettext(
                "behind: wins with",
                "{score} in all after {rounds} round",
                "{score} in all after {rounds} rounds",
                rounds,
            )
    return speech.fill(template)


RESULTS: Mapping[MessageKey, Sentence] = {
    "game.finished": lambda speech: speech.fill(speech.gettext("{player} ends with {result}."), result=_result(speech)),
    "game.shut": lambda speech: speech.fill(
        speech.gettext("{player} shuts the box and wins with {result}."), result=_result(speech)
    ),
    "game.won": lambda speech: speech.fill(speech.gettext("{player} wins with {result}."), result=_result(speech)),
    "game.shared": lambda speech: speech.fill(
        speech.gettext("{players} share the win with {result}."), result=_result(speech)
    ),
    "start.level": RACES["race.level"],
    "turn.ended": plural("{player} ends with {score} point.", "{player} ends with {score} points.", "score"),
    "round.tied": template("{players} are level and play another turn for the round."),
    "round.won": plural("Round {round}: {players} wins.", "Round {round}: {players} win.", "players"),
    "match.totals": template("Points in all: {numbers}."),
    "match.points": template("Won so far: {numbers}."),
    "match.out": template("Out: {players}."),
    "match.coins": template("Coins: {numbers}."),
    "record.first": template("The first score of {player} on record in {game}: {score}."),
    "record.beaten": plural(
        "A new best: {score}, after {before} in one game.",
        "A new best: {score}, after {before} in {games} games.",
        "games",
    ),
    "record.standing": lambda speech: speech.by_number(
        "The best of {games} game is {best}, the average {average}.",
        "The best of {games} games is {best}, the average {average}.",
        "games",
        average=speech.decimal(f"{speech.real('average'):.1f}"),
    ),
}
