"""What may be done to an evening, and what follows: each function yields events, or refuses. Pure functions."""

from collections.abc import Iterable, Iterator

from controller.errors import EveningError
from controller.game.evening.evening import Evening, evolve
from controller.game.evening.events import AnyEvent, Finished, Opened, Paired, Withdrew
from controller.game.evening.pairing import berger_rounds, bracket, next_lines, swiss_round


def open_evening(opened: Opened) -> Iterator[AnyEvent]:
    """Yield the opening, and the rounds that can be drawn at once. Raises `EveningError` for what cannot be played."""
    evening = Evening(opened)
    count = len(evening.players)
    if len(set(evening.players)) < count:
        raise EveningError(f"two players have one name: {', '.join(evening.players)}")
    most = count - 1 + count % 2  # then everybody has met everybody else
    if opened.form == "swiss" and not 1 <= opened.rounds <= most:
        raise EveningError(f"{count} players can meet in 1 to {most} rounds, not {opened.rounds}")
    yield opened
    yield from _and_draw(evening, ())


def finish(evening: Evening, result: Finished) -> Iterator[AnyEvent]:
    """Yield what follows when a match ends, or is decided otherwise.

    Raises `EveningError` for players who are not in it, and once a later round was drawn by the present result.
    """
    match = evening.match(result.match)
    if strangers := [name for name in (*result.winners, *result.scores) if name not in match.players]:
        raise EveningError(f"{strangers[0]} is not in match {match.number}: that is {' against '.join(match.players)}")
    if evening.opened.form != "round-robin" and match.round < len(evening.rounds):
        raise EveningError(f"round {match.round + 1} was drawn by the result of match {match.number}, which stands")
    yield from _and_draw(evening, [result])


def withdraw(evening: Evening, player: str, at: str) -> Iterator[AnyEvent]:
    """Yield what follows when a player goes home: whom they had still to meet wins without playing.

    at: in ISO 8601. Raises `EveningError` for who is not there.
    """
    if player not in evening.present:
        raise EveningError(f"{player} is not here; those who are: {', '.join(evening.present)}")
    walkovers = []
    for match in evening.open_matches:
        if player in match.players:
            others = tuple(name for name in match.players if name in evening.present and name != player)
            walkovers.append(Finished(match.number, others, "walkover", at))
    yield from _and_draw(evening, [Withdrew(player), *walkovers])


def is_over(evening: Evening) -> bool:
    """True once every match is decided, and no other can be drawn."""
    return not _draw(evening) and not evening.open_matches


def _draw(evening: Evening) -> list[Paired]:
    """Return the rounds that can be drawn now; none before the last one is over, and none after the end."""
    drawn, opened = len(evening.rounds), evening.opened
    if evening.open_matches:
        return []
    if opened.form == "round-robin":
        return [] if drawn else [Paired(at, slots) for at, slots in enumerate(berger_rounds(evening.players), 1)]
    if opened.form == "swiss":
        is_due = drawn < opened.rounds and len(evening.present) > 1
        return [Paired(drawn + 1, swiss_round(evening))] if is_due else []
    lines = next_lines(evening) if drawn else bracket(evening.players)
    return [Paired(drawn + 1, lines)] if len(lines) > 1 else []


def _and_draw(evening: Evening, events: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
    """Yield events and the rounds that can be drawn after them: several, where nobody is left to meet in one."""
    following: Iterable[AnyEvent] = events
    while True:
        for event in following:
            yield event
            evening = evolve(evening, event)
        following = _draw(evening)
        if not following:
            return
