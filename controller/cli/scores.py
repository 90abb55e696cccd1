"""`shutbox scores`: the records of people who play alone, and the statistics of everybody."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.game.core.english import count, percent
from controller.journal.checked import games_of
from controller.journal.journal import Journal
from controller.journal.records import records_of
from controller.process.output import print_json
from controller.process.terminal import answers
from controller.settings import find_box_home


def scores(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default the home folder's.")] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Only games played alone, option by option, with every score.")
    ] = False,
    everybody: Annotated[
        bool, typer.Option("--all", help="Everybody, in JSON too: luck, and the cost of choices by the odds.")
    ] = False,
    tiles: Annotated[bool, typer.Option("--tiles", help="Every tile in every game: how often it was shut.")] = False,
    json: Json = False,
) -> None:
    # Without a choice, programs get what they always got: the records of people who played alone.
    alone = alone or (json and not everybody)
    path = file or find_box_home().journal
    if file is None and not path.exists():
        if not json:
            answers.print(f"nobody has finished a game{' alone' if alone else ''} yet")
        return
    with Journal(path, read_only=True) as journal:
        if tiles:
            from controller.strategy.statistics import count_tiles

            for tile in count_tiles(games_of(journal)):
                if json:
                    print_json(asdict(tile))
                else:
                    share = f"shut in {tile.shut} of {count(tile.turns, 'turn')}, {percent(tile.shut / tile.turns)}"
                    answers.print(f"{tile.tile}, {tile.game}: {share}", markup=False)
        elif alone:
            _tell_records(journal, as_json=json)
        else:
            _tell_everybody(journal, find_box_home().odds, as_json=json)


def _tell_everybody(journal: Journal, tables: Path, *, as_json: bool) -> None:
    # Only luck and errors need the odds, which take time to load.
    from controller.strategy.statistics import statistics_of

    players = [player for player in statistics_of(games_of(journal), tables).players if player.has_played]
    for player in players:
        if as_json:
            print_json(asdict(player))
            continue
        turns = "" if player.is_race else f"{count(player.turns, 'turn')}, "
        points = "no turn with a score"
        if player.mean is not None:
            points = f"{turns}the best {player.best}, on average {player.mean:.2f} points"
        told = f"{player.player}, {player.game}: {count(player.games, 'game')}, {player.wins} won; {points}."
        if player.luck is not None and player.errors is not None:
            dice = "saved" if player.luck <= 0 else "cost"
            told = f"{told} Per turn luck {dice} {abs(player.luck):.2f} points, and choices cost {player.errors:.2f}."
        answers.print(told, markup=False)
    if not players and not as_json:
        answers.print("nobody has finished a game yet")


def _tell_records(journal: Journal, *, as_json: bool) -> None:
    records = records_of(journal)
    for record in records:
        told: dict[str, object] = {"player": record.player, "game": record.game, "options": dict(record.options)}
        told |= {"games": len(record.scores), "best": record.best, "mean": record.mean, "shut": record.shut}
        if as_json:
            print_json({**told, "scores": list(record.scores)})
            continue
        options = "".join(f" {name}={str(value).lower()}" for name, value in record.options.items())
        answers.print(
            f"{record.player}, {record.game}{options}: games {len(record.scores)}, best {record.best}, "
            f"average {record.mean:.1f}, box shut {record.shut}; last {record.scores[-1]}",
            markup=False,
        )
    if not records and not as_json:
        answers.print("nobody has finished a game alone yet")
