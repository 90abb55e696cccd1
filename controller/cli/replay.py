"""`shutbox replay`: play the games of journals again, and compare with where they led; or tell one of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.look_back import tell_game
from controller.cli.options import Json
from controller.errors import SettingsError
from controller.game import count, describe_moment, phase_name, scores_of
from controller.journal import ReplayedGame, journals_of, replay_all
from controller.process import Exit, answers, print_json
from controller.settings import find_box_home
from controller.words import ENGLISH


def replay(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="JOURNAL|GAME",
            help="A journal, by default every one of the home folder; or the number of a game, to be told.",
        ),
    ] = None,
    journal: Annotated[Path | None, typer.Option("--journal", help="Whose game it is; the home folder's.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether every game leads where it led.")] = False,
    json: Json = False,
) -> None:
    """Play journals again and check every state on the way; with a number, tell that game move by move."""
    home = find_box_home()
    if which is not None and which.isascii() and which.isdigit() and len(which) < 19 and not check:
        if journal is None and not home.journal.exists():
            raise SettingsError("nobody has played a game yet")
        tell_game(int(which), journal or home.journal, home.odds, as_json=json)
        return
    paths = [Path(which)] if which else [journal] if journal else journals_of(home)
    raise typer.Exit(report_replays(paths, check=check, as_json=json))


def report_replays(paths: Sequence[Path], *, check: bool, as_json: bool) -> Exit:
    """Print of every game where it leads; with `check`, only those that lead elsewhere than they did. NO if any does.

    Raises `JournalError` if a file cannot be read at all.
    """
    results = [result for path in paths for result in replay_all(path)]
    for result in results:
        if as_json:
            print_json(_as_json(result))
        elif result.problem or not check:
            answers.print(_in_words(result), markup=False)
    bad = sum(bool(result.problem) for result in results)
    if not as_json:
        answers.print(f"{count(len(results), 'game')} replayed, {bad} of them differ")
    return Exit.NO if bad else Exit.DONE


def _as_json(result: ReplayedGame) -> dict[str, object]:
    told = {"journal": str(result.file), "game": result.game_id, "events": result.events, "ok": not result.problem}
    if result.game is None:
        return {**told, "problem": result.problem}
    scores = {player.name: score for player, score in zip(result.game.players, scores_of(result.game), strict=True)}
    return {**told, "phase": phase_name(result.game.phase), "board": str(result.game.board), "scores": scores}


def _in_words(result: ReplayedGame) -> str:
    end = result.problem or (ENGLISH.say_at_terminal([describe_moment(result.game)]) if result.game else "no events")
    return f"{result.file.name} game {result.game_id}: {result.events} events: {end}"
