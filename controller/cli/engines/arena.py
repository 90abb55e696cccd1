"""`shutbox arena`: engines and houses play one another."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.options import EngineLog, GameName, Json, MarksFile, Match, Set, Variant, choose_game
from controller.cli.progress import show_progress
from controller.rules.fleet.cards import CARDS
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.home import find_home
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers, words

if TYPE_CHECKING:
    from controller.opponents.engines.arena import Arena, PlayedGame


def arena(
    engines: Annotated[
        list[str], typer.Argument(metavar="ENGINES", help="Each is house:skilled, or a command in quotes.")
    ],
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    match: Match = None,
    games: Annotated[int, typer.Option("--games", min=1, max=100_000_000, help="How many games they play.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the dice.")] = 1,
    time: Annotated[
        float, typer.Option("--time", min=0.01, max=3600, help="Seconds that an engine has for each choice.")
    ] = 10.0,
    stn: Annotated[Path | None, typer.Option("--stn", help="Write the games as text into this file.")] = None,
    log: EngineLog = None,
    json: Json = False,
) -> None:
    choice = choose_game(game, options, variant, marks, match)
    if choice.game in CARDS:
        raise typer.BadParameter(f"{choice.game} is a race: people and the house throw its dice, and no engine can")
    # Each of them begins equally often, so nobody throws for that unless it is asked for.
    rules = rules_of(choice.game, {"first": "chosen", **choice.options}, choice.marks)
    with show_progress("playing games") as progress, _open_records(stn) as keep:
        # Loading this takes a while, during which the progress is shown.
        from controller.opponents.engines.arena import Arena, arena_json
        from controller.opponents.engines.minds import open_minds

        with open_minds(engines, find_home().odds, move_s=time, log=log) as minds:
            table, number = Arena(rules, minds, seed), 0
            for number, played in enumerate(table.play(games), 1):
                keep(played)
                progress(number / games)
    if json:
        print_json(arena_json(table, number))
    else:
        _print_standings(table)
    if number < games:
        words.print(f"Only {number} of {games} games were played: too few were left for the rest.")
    if any(each.out for each in table.standings):
        raise typer.Exit(Exit.NO)


def _print_standings(table: "Arena") -> None:
    for each in table.standings:
        low, high = each.interval
        mean = "" if each.mean is None else f", {each.mean:.2f} points a game"
        told = f"{each.name}: won {each.share:.4f} of {each.games} games ({low:.4f} to {high:.4f}){mean}"
        answers.print(told, markup=False)
        if each.out:
            answers.print(f"  lost its seat: {each.out}", markup=False)


@contextmanager
def _open_records(path: Path | None) -> "Iterator[Callable[[PlayedGame], None]]":
    """Keep games as text in a new file, where there is to be one."""
    from controller.game.stn.record import write_record

    with ExitStack() as stack:
        file = stack.enter_context(path.open("w", encoding="utf-8")) if path is not None else None

        def keep(played: "PlayedGame") -> None:
            if file is not None:
                file.write(f"{write_record(played.told)}\n")

        yield keep
