"""`shutbox replay`: replay the games of journals and check where they lead, or tell one of them."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from controller.cli.options import Json
from controller.cli.play.tile_names import shorten
from controller.cli.race.seats import tell_race
from controller.errors import SettingsError
from controller.game.core.engine import AnyGame
from controller.game.core.english import count
from controller.game.core.events import GameEvent
from controller.game.core.phases import phase_name
from controller.game.fleet.state import Race
from controller.game.shutbox.state import Game
from controller.game.stn.position import position_of, position_text
from controller.game.table.engines import describe_moment
from controller.game.table.snapshot import scores_of
from controller.journal.replay import journals_of, replay_all, replay_checked
from controller.journal.stn import load_records
from controller.journal.store import Journal
from controller.opponents.lookback import Account, look_back, story_of
from controller.runtime.home import Home, find_box_home
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers, table


def tell_game(game: int, path: Path, home: Home, *, as_json: bool) -> None:
    """Tell one game of the journal at `path`; its odds are kept in `home`.

    Raises `SettingsError` if it has no game of that number.
    """
    with Journal(path, read_only=True) as journal:
        game_ids = journal.game_ids()
        if not game_ids:
            raise SettingsError("nobody has played a game yet")
        if game not in game_ids:
            raise SettingsError(f"there is no game {game}; the last one is {game_ids[-1]}")
        entries = journal.entries(game)
    events, played = [entry.event for entry in entries], replay_checked(entries)
    if played is None:
        raise SettingsError(f"game {game} has not begun")
    _tell(game, events, played, home, as_json=as_json)


def tell_records(path: Path, home: Home, *, position: bool, as_json: bool) -> None:
    """Tell the games of a file of records, one after the other; they have the numbers that they have in it.

    position: only the line of the last position of each; races have none. Raises `RecordError` and `OSError`.
    """
    for number, record in enumerate(load_records(path), 1):
        if position and isinstance(record.game, Game):
            print(position_text(position_of(record.game)))
        elif not position:
            _tell(number, record.events, record.game, home, as_json=as_json)


def _tell(game: int, events: Sequence[GameEvent], played: AnyGame, home: Home, *, as_json: bool) -> None:
    if isinstance(played, Race):
        tell_race(game, events, played, as_json=as_json)
        return
    assert isinstance(played, Game)  # noqa: S101  there are these two families
    home.make()
    back = look_back(events, home.odds)
    if as_json:
        print_json(asdict(story_of(game, played, back)))
        return
    answers.print(f"Game {game}, {played.rules.preset.name}.", markup=False)
    if back.missing:
        answers.print(f"There are no odds to look back by: {back.missing}", markup=False)
        return
    for account in back.points:
        _print_turn(account, played.players[account.player].name)
    for share in back.shares:
        name = share.name
        turns = sum(played.players[each.player].name == name and each.result is not None for each in back.points)
        if not turns:
            answers.print(f"{name} has not finished a turn.", markup=False)
            continue
        dice = "took" if share.luck <= 0 else "added"
        answers.print(
            f"{name}: {count(round(share.result), 'point')} in {count(turns, 'turn')}. {share.expected:.1f} were to be "
            f"expected; the dice {dice} {abs(share.luck):.1f}, choices added {share.errors:.1f}.",
            markup=False,
        )


def _print_turn(account: Account, name: str) -> None:
    title = f"{name}, round {account.round}: {account.expected:.1f} to be expected"
    if not account.choices:
        # In a race of single throws nobody chooses: the luck of the throws is in the sum of all turns.
        answers.print(title, markup=False)
        return
    grid = Grid(box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    grid.add_column("board", no_wrap=True)
    for column in ("dice", "shut", "luck", "choice", "better"):
        grid.add_column(column, justify="right" if column in ("luck", "choice") else "left")
    for choice in account.choices:
        error = choice.dice_error + choice.error
        grid.add_row(
            choice.board.replace("/", "\n"),
            ",".join(map(str, choice.dice)),
            " ".join(map(shorten, choice.tiles)) or "nothing",
            f"{choice.luck:+.1f}",
            f"{error:+.1f}" if error else "",
            " or ".join(" ".join(map(shorten, tiles)) for tiles in choice.best) if error else "",
        )
    table.print(grid)


def replay(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="JOURNAL|FILE.stn|GAME",
            help="A journal, by default every one of the home folder; or games to show: a file of them, or a number.",
        ),
    ] = None,
    journal: Annotated[
        Path | None, typer.Option("--journal", help="The journal of that game; the home folder's if none.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only report whether every game still replays to the same result.")
    ] = False,
    position: Annotated[
        bool, typer.Option("--position", help="Of a file of games: only the last position of each, as a line.")
    ] = False,
    json: Json = False,
) -> None:
    if position and (json or check or which is None or not which.endswith(".stn")):
        raise typer.BadParameter("--position is for a file of games alone: shutbox replay FILE.stn --position")
    home = find_box_home()
    if which is not None and which.isascii() and which.isdigit() and len(which) < 19 and not check:
        if journal is None and not home.journal.exists():
            raise SettingsError("nobody has played a game yet")
        tell_game(int(which), journal or home.journal, home, as_json=json)
        return
    if which is not None and which.endswith(".stn"):
        tell_records(Path(which), home, position=position, as_json=json)
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
