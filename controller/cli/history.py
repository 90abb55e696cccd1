"""`shutbox scores`: the records of people who play alone, and the statistics of everybody."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.game.core.english import count, percent
from controller.journal.records import records_of
from controller.journal.replay import games_of
from controller.journal.store import Journal
from controller.opponents.fairness import TELLING, fairness_of
from controller.opponents.misreadings import Misreadings, misreadings_of
from controller.opponents.statistics import faces_by_sides
from controller.runtime.home import find_box_home
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers


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
    if alone and everybody:
        raise typer.BadParameter("--alone and --all do not go together")
    # Without a choice, programs get what they always got: the records of people who played alone.
    alone = alone or (json and not everybody)
    path = file or find_box_home().journal
    if file is None and not path.exists():
        if not json:
            answers.print(f"nobody has finished a game{' alone' if alone else ''} yet")
        return
    with Journal(path, read_only=True) as journal:
        if tiles:
            from controller.opponents.statistics import count_tiles

            for tile in count_tiles(games_of(journal)):
                if json:
                    print_json(asdict(tile))
                else:
                    share = f"shut in {tile.shut} of {count(tile.turns, 'turn')}, {percent(tile.shut / tile.turns)}"
                    answers.print(f"{tile.tile}, {tile.game}: {share}", markup=False)
        elif alone:
            _tell_records(journal, as_json=json)
        else:
            home = find_box_home()
            home.make()
            _tell_everybody(journal, home.odds, as_json=json)


def _tell_everybody(journal: Journal, tables: Path, *, as_json: bool) -> None:
    # Only luck and errors need the odds, which take time to load.
    from controller.opponents.statistics import statistics_of

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


def _tell_misreadings(path: Path, *, is_own: bool, as_json: bool) -> None:
    """Tell how often somebody corrected what the camera read; a missing journal of one's own has no throws."""
    seen = Misreadings(0, ())
    if not is_own or path.exists():
        with Journal(path, read_only=True) as journal:
            seen = misreadings_of(games_of(journal))
    if as_json:
        corrected = [{"read": read, "dice": dice, "times": times} for read, dice, times in seen.corrected]
        print_json({"throws": seen.throws, "wrong": seen.wrong, "most": seen.most, "corrected": corrected})
        return
    if not seen.throws:
        answers.print("the camera has read no throws yet")
        return
    throws = count(seen.throws, "throw")
    answers.print(f"The camera has read {throws} on this table; {seen.wrong or 'none'} of them had to be corrected.")
    for read, dice, times in seen.corrected:
        answers.print(
            f"  {','.join(map(str, read))} was {','.join(map(str, dice))}: {count(times, 'time')}", markup=False
        )
    answers.print(
        f"If people notice what is wrong, it reads at most {seen.most * seen.throws:.0f} in {throws} wrongly, "
        "with 95 % confidence."
    )


_BESIDE_BAR = 24  # characters of a row of dice besides its bar


def dice(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default the home folder's.")] = None,
    misread: Annotated[bool, typer.Option("--misread", help="How often the camera was corrected.")] = False,
    json: Json = False,
) -> None:
    path = file or find_box_home().journal
    if misread:
        _tell_misreadings(path, is_own=file is None, as_json=json)
        return
    thrown: dict[int, list[int]] = {}
    if file is not None or path.exists():
        with Journal(path, read_only=True) as journal:
            thrown = faces_by_sides(games_of(journal))
    found = {sides: fairness_of(faces, sides) for sides, faces in thrown.items()}
    for sides, fairness in found.items():
        if json:
            counts = {str(face): count for face, count in enumerate(fairness.counts, 1)}
            told = {"sides": sides, "dice": fairness.dice, "counts": counts, "fair": not fairness.is_unfair}
            print_json({**told, "p": fairness.p, "face": fairness.face})
            continue
        # Bars with their difference from a fair share, and the verdict.
        most, share = max(fairness.counts), fairness.dice / sides
        room = max(10, min(answers.width, 80) - _BESIDE_BAR)
        answers.print(
            f"{fairness.dice} dice of {sides} sides; the last column is what lies above a fair share:", markup=False
        )
        for face, times in enumerate(fairness.counts, 1):
            bar = f"{'█' * round(room * times / most):<{room}}"
            answers.print(f"{face:>3}  {bar}  {times:>6}  {times - share:+8.1f}", markup=False)
        often = f"fair ones would look like this, or worse, with a chance of {percent(fairness.p)} at most"
        if fairness.p >= 1:
            often = "fair ones look like this"
        if fairness.is_unfair:
            much = "often" if fairness.counts[(fairness.face or 1) - 1] > share else "seldom"
            verdict = f"These dice are not fair: the {fairness.face} comes too {much}; {often}. Try others."
        elif fairness.dice < TELLING:
            verdict = f"Nothing is odd about these dice so far; a verdict needs {TELLING} dice or more."
        else:
            verdict = f"These dice look fair: {often} at some moment of an evening."
        answers.print(verdict, markup=False)
    if not found and not json:
        answers.print("nobody has thrown any dice yet")
    raise typer.Exit(Exit.NO if any(fairness.is_unfair for fairness in found.values()) else Exit.DONE)
