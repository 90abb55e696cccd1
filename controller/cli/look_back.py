"""One recorded game, told move by move, with the luck of every throw and the cost of every choice by the odds."""

from dataclasses import asdict
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from controller.cli.race.told import tell_race
from controller.cli.tile_names import shorten
from controller.errors import SettingsError
from controller.game.core.english import count
from controller.game.fleet.state import Race
from controller.game.shutbox.state import Game
from controller.journal.checked import replay_checked
from controller.journal.journal import Journal
from controller.process.output import print_json
from controller.process.terminal import answers, table
from controller.strategy.account import Account
from controller.strategy.lookback import look_back, story_of


def tell_game(game: int, path: Path, tables: Path, *, as_json: bool) -> None:
    """Tell one game of the journal at `path`. Raises `SettingsError` if it has no game of that number."""
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
    if isinstance(played, Race):
        tell_race(game, events, played, as_json=as_json)
        return
    assert isinstance(played, Game)  # noqa: S101  there are these two families
    back = look_back(events, tables)
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
    """Print a turn: every throw with its luck, and what each choice added to the expected score."""
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
