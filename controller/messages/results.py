"""Sentences about what turns, rounds, games and matches came to, and how that stands beside earlier ones."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.names import game_title
from controller.messages.speech import Sentence, Speech


def _shut(speech: Speech) -> str:
    return speech.fill(speech.gettext("{player} shuts the box and wins with {result}."), result=_result(speech))


def _won(speech: Speech) -> str:
    return speech.fill(speech.gettext("{player} wins with {result}."), result=_result(speech))


def _finished(speech: Speech) -> str:
    return speech.fill(speech.gettext("{player} ends with {result}."), result=_result(speech))


def _shared(speech: Speech) -> str:
    template = speech.gettext("{players} share the win with {result}.")
    return speech.fill(template, players=_players(speech), result=_result(speech))


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


def _turn_ended(speech: Speech) -> str:
    return speech.by_number("{player} ends with {score} point.", "{player} ends with {score} points.", "score")


def _level_at_start(speech: Speech) -> str:
    return speech.fill(speech.gettext("{players} are level and throw again."), players=_players(speech))


def _round_tied(speech: Speech) -> str:
    template = speech.gettext("{players} are level and play another turn for the round.")
    return speech.fill(template, players=_players(speech))


def _round_won(speech: Speech) -> str:
    players = speech.texts("players")
    template = speech.ngettext("Round {round}: {players} wins.", "Round {round}: {players} win.", len(players))
    return speech.fill(template, players=_players(speech))


def _totals(speech: Speech) -> str:
    return speech.fill(speech.gettext("Points in all: {numbers}."), numbers=_list_numbers(speech, "totals"))


def _points(speech: Speech) -> str:
    return speech.fill(speech.gettext("Won so far: {numbers}."), numbers=_list_numbers(speech, "points"))


def _coins(speech: Speech) -> str:
    return speech.fill(speech.gettext("Coins: {numbers}."), numbers=_list_numbers(speech, "coins", "+d"))


def _out(speech: Speech) -> str:
    return speech.fill(speech.gettext("Out: {players}."), players=_players(speech))


def _list_numbers(speech: Speech, name: str, form: str = "d") -> str:
    return ", ".join(f"{player} {number:{form}}" for player, number in speech.by_name(name).items())


def _players(speech: Speech) -> str:
    return speech.all_of(speech.texts("players"))


def _first_record(speech: Speech) -> str:
    template = speech.gettext("The first score of {player} on record in {game}: {score}.")
    return speech.fill(template, game=game_title(speech, speech.text("game")))


def _record_beaten(speech: Speech) -> str:
    return speech.by_number(
        "A new best: {score}, after {before} in one game.",
        "A new best: {score}, after {before} in {games} games.",
        "games",
    )


def _record_standing(speech: Speech) -> str:
    average = speech.decimal(f"{speech.number('average'):.1f}")
    return speech.by_number(
        "The best of {games} game is {best}, the average {average}.",
        "The best of {games} games is {best}, the average {average}.",
        "games",
        average=average,
    )


RESULTS: Mapping[MessageKey, Sentence] = {
    "game.finished": _finished,
    "game.shut": _shut,
    "game.won": _won,
    "game.shared": _shared,
    "start.level": _level_at_start,
    "turn.ended": _turn_ended,
    "round.tied": _round_tied,
    "round.won": _round_won,
    "match.totals": _totals,
    "match.points": _points,
    "match.out": _out,
    "match.coins": _coins,
    "record.first": _first_record,
    "record.beaten": _record_beaten,
    "record.standing": _record_standing,
}
