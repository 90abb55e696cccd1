"""`shutbox replay`: replay the games of journals and check where they lead, or tell one of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.look_back import tell_game
from controller.cli.options import Json
from controller.errors import SettingsError
from controller.game.core.english import count
from controller.game.core.phases import phase_name
from controller.game.table.engines import describe_moment
from controller.game.table.snapshot import scores_of
from controller.journal.replay import journals_of, replay_all
from controller.process.output import Exit, print_json
from controller.process.terminal import answers
from controller.settings import find_box_home


def replay(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="JOURNAL|GAME",
            help="A journal, by default every one of the home folder; or the number of a game to tell.",
        ),
    ] = None,
    journal: Annotated[
        Path | None, typer.Option("--journal", help="The journal of that game; the home folder's if none.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether every game leads where it led before.")
    ] = False,
    json: Json = False,
) -> None:
    home = find_box_home()
    if which is not None and which.isascii() and which.isdigit() and len(which) < 19 and not check:
        if journal is None and not home.journal.exists():
            raise SettingsError("nobody has played a game yet")
        tell_game(int(which), journal or home.journal, home.odds, as_json=json)
        return
    paths = [Path(which)] if which else [journal] if journal else journals_of(home)
    raise typer.Exit(report_replays(paths, check=check, as_json=json))


def report_replays(paths: Sequence[Path], *, check: bool, as_json: bool) -> Exit:
    """Print where every game leads; with `check`, only games that lead elsewhere than before. NO if any does.

    Raises `JournalError` if a file cannot be read at all.
    """
    results = [result for path in paths for result in replay_all(path)]
    for result in results:
        game = result.game
        if as_json:
            told = {"journal": str(result.file), "game": result.game_id, "events": result.events}
            told |= {"ok": not result.problem}
            if game is None:
                print_json({**told, "problem": result.problem})
            else:
                scores = {player.name: score for player, score in zip(game.players, scores_of(game), strict=True)}
                print_json({**told, "phase": phase_name(game.phase), "board": str(game.board), "scores": scores})
        elif result.problem or not check:
            end = result.problem or (describe_moment(game).text if game else "no events")
            answers.print(f"{result.file.name} game {result.game_id}: {result.events} events: {end}", markup=False)
    bad = sum(bool(result.problem) for result in results)
    if not as_json:
        answers.print(f"{count(len(results), 'game')} replayed, {bad} of them differ")
    return Exit.NO if bad else Exit.DONE
