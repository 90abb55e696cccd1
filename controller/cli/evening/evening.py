"""The subcommands of `shutbox evening`: open an evening, play it on boxes, and tell how it stands."""

import asyncio
import json as json_text
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.evening.ladder import check_parts, ladder_of
from controller.cli.evening.print_out import print_evening, write_results
from controller.cli.evening.store import EveningFile, evenings_of
from controller.cli.options import GameName, Json, Match, Set, Variant, choose_game
from controller.errors import BadPlayers, EveningError
from controller.game.core.players import DEFAULT_STRENGTH, LONGEST_NAME, read_players
from controller.game.evening.decide import finish, open_evening, withdraw
from controller.game.evening.evening import Evening
from controller.game.evening.events import LEAST_PLAYERS, MOST_PLAYERS, MOST_ROUNDS, AnyEvent, Finished, Form, Opened
from controller.game.evening.view import EVENING, view_of
from controller.game.table.engines import any_rules_of
from controller.runtime.home import Home, find_home
from controller.runtime.output import print_document
from controller.runtime.terminal import answers
from controller.runtime.threads import cancel_on_signal
from controller.web.network import find_socket

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the evening.")]


def open_new(
    name: Name,
    players: Annotated[
        str, typer.Option("--players", metavar="NAMES", help=f"{LEAST_PLAYERS} to {MOST_PLAYERS} names by commas.")
    ],
    form: Annotated[Form, typer.Option("--form", help="How players meet.")] = "round-robin",
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, max=MOST_ROUNDS, help="Of a Swiss evening; enough to find one winner if none."),
    ] = None,
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    match: Match = None,
) -> None:
    check_parts()
    words = tuple(word.strip() for word in players.split(","))
    if not LEAST_PLAYERS <= len(words) <= MOST_PLAYERS:
        raise BadPlayers(f"--players: {LEAST_PLAYERS} to {MOST_PLAYERS} names by commas, not {len(words)}")
    for word in words:
        read_players([word], (), DEFAULT_STRENGTH)
    if rounds is not None and form != "swiss":
        raise typer.BadParameter(f"--rounds is for --form swiss: a {form} evening has as many as it needs")
    choice = choose_game(game, options, variant, None, match)
    rules = any_rules_of(choice.game, choice.options, choice.marks)
    # So many halve the players until one is left, as in a knock-out.
    drawn = (rounds or (len(words) - 1).bit_length()) if form == "swiss" else 0
    opened = Opened(name, _now(), form, words, choice.game, rules.chosen, drawn)
    home = find_home()
    home.make()
    print_evening(view_of(_file(home, name).create(open_evening(opened))))


def run(
    name: Name,
    boxes: Annotated[
        list[str] | None,
        typer.Option("--box", metavar="NAME=SOCKET", help="A box by its daemon's socket; repeat it. This one if none."),
    ] = None,
    pause: Annotated[
        float, typer.Option("--pause", min=0, max=3600, help="Seconds for which a box shows the end of a game.")
    ] = 20.0,
) -> None:
    check_parts()
    home = find_home()
    file = _file(home, name)
    opened = file.load().opened
    others = [each for each in evenings_of(home) if each.opened.at < opened.at]
    asyncio.run(_run(file, others, _boxes(boxes or [], home), pause))
    print_evening(view_of(file.load()))


async def _run(file: EveningFile, others: list[Evening], boxes: dict[str, Path], pause_s: float) -> None:
    from controller.cli.evening.director import call_matches
    from controller.runtime.locks import lock_evening

    with lock_evening(file.path):
        async with cancel_on_signal():
            await call_matches(file, others, boxes, pause_s, lambda line: answers.print(line, markup=False))


def show(name: Name, json: Json = False) -> None:
    check_parts()
    home = find_home()
    evening = _file(home, name).load()
    here = tuple(rating for rating in ladder_of(evenings_of(home)) if rating.name in evening.players)
    view = view_of(evening, here)
    if json:
        print_document(json_text.loads(EVENING.dump_json(view)))
    else:
        print_evening(view)


def result(
    name: Name,
    number: Annotated[int, typer.Argument(metavar="MATCH", help="The number of the match.")],
    winner: Annotated[str, typer.Argument(metavar="WINNER", help="The player who won it, or tie.")],
) -> None:
    check_parts()

    def decide(evening: Evening) -> Iterator[AnyEvent]:
        players = evening.match(number).players
        if winner not in (*players, "tie"):
            raise EveningError(f"say {players[0]}, {players[1]} or tie, not {winner}")
        won = players if winner == "tie" else (winner,)
        return finish(evening, Finished(number, won, "said", _now()))

    print_evening(view_of(_file(find_home(), name).change(decide)))


def go_home(name: Name, player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who goes.")]) -> None:
    check_parts()
    print_evening(view_of(_file(find_home(), name).change(lambda evening: withdraw(evening, player, _now()))))


def export(
    name: Name,
    stn: Annotated[bool, typer.Option("--stn", help="Every game that was played, as text.")] = False,
) -> None:
    check_parts()
    evening = _file(find_home(), name).load()
    if stn:
        for match in evening.matches:
            for game in match.games:
                if game.record:
                    print(game.record)
        return
    write_results(evening, sys.stdout)


def ladder(json: Json = False) -> None:
    check_parts()
    found = ladder_of(evenings_of(find_home()))
    if json:
        print_document({"ladder": [asdict(each) for each in found]})
        return
    if not found:
        answers.print("Nobody has played a match of an evening yet.")
    for place, each in enumerate(found, 1):
        told = f"{each.rating:.0f}, give or take {2 * each.deviation:.0f}, of {each.matches} matches"
        answers.print(f"{place}. {each.name}: {told}", markup=False)


def _boxes(words: list[str], home: Home) -> dict[str, Path]:
    """Return the socket of each box by its name. Raises `typer.BadParameter`."""
    found = {}
    for word in words:
        name, _, socket = word.partition("=")
        if not 0 < len(name) <= LONGEST_NAME or not socket or name in found:
            raise typer.BadParameter(
                f"--box {word}: say NAME=SOCKET, each name once, of {LONGEST_NAME} characters at most"
            )
        found[name] = Path(socket)
    return found or {"box": find_socket(home)}


def _file(home: Home, name: str) -> EveningFile:
    if not _NAME.fullmatch(name):
        raise EveningError(f"an evening is named with 1 to 24 small letters, digits and -, not {name!r}")
    return EveningFile(home.evening(name))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
