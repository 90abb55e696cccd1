"""One game told move by move, with what the odds say of every throw and of every choice."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from controller.cli.race import tell_race
from controller.cli.tile_names import shorten
from controller.errors import SettingsError
from controller.game import Game, Race, count
from controller.journal import Journal, replay_checked
from controller.process import answers, print_json, table
from controller.strategy import Account, Choice, Share, look_back, story_of


def tell_game(game: int, path: Path, tables: Path, *, as_json: bool) -> None:
    """Tell one game of the journal at `path`. Raises `SettingsError` where there is none of that number."""
    with Journal(path, read_only=True) as journal:
        _require(journal, game)
        entries = journal.entries(game)
    events, played = [entry.event for entry in entries], replay_checked(entries)
    if played is None:
        raise SettingsError(f"game {game} has not begun")
    if isinstance(played, Race):
        tell_race(game, events, played, as_json=as_json)
        return
    assert isinstance(played, Game)  # noqa: S101  these two families are looked back at
    back = look_back(events, tables)
    if as_json:
        print_json(asdict(story_of(game, played, back)))
        return
    answers.print(f"Game {game}, {played.rules.preset.name}.", markup=False)
    if back.missing:
        answers.print(f"There are no odds to look back by: {back.missing}", markup=False)
        return
    for account in back.points:
        _draw(account, played)
    for share in back.shares:
        answers.print(_in_words(share, back.points, played), markup=False)


def _require(journal: Journal, game: int) -> None:
    """Raise `SettingsError` where there is no such game."""
    game_ids = journal.game_ids()
    if not game_ids:
        raise SettingsError("nobody has played a game yet")
    if game not in game_ids:
        raise SettingsError(f"there is no game {game}; the last one is {game_ids[-1]}")


def _draw(account: Account, game: Game) -> None:
    """One turn: every throw, what it added to the score that was to be expected, and what the choice added."""
    name = game.players[account.player].name
    title = f"{name}, round {account.round}: {account.expected:.1f} to be expected"
    if not account.choices:
        # In a race of single throws nobody chooses: what a player's throws did to him is in what all came to.
        answers.print(title, markup=False)
        return
    grid = Grid(box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    grid.add_column("board", no_wrap=True)
    for column in ("dice", "shut", "luck", "choice", "better"):
        grid.add_column(column, justify="right" if column in ("luck", "choice") else "left")
    for choice in account.choices:
        grid.add_row(*_row(choice))
    table.print(grid)


def _row(choice: Choice) -> tuple[str, ...]:
    error = choice.dice_error + choice.error
    better = " or ".join(" ".join(map(shorten, tiles)) for tiles in choice.best) if error else ""
    return (
        choice.board.replace("/", "\n"),
        ",".join(map(str, choice.dice)),
        " ".join(map(shorten, choice.tiles)) or "nothing",
        f"{choice.luck:+.1f}",
        f"{error:+.1f}" if error else "",
        better,
    )


def _in_words(share: Share, accounts: Sequence[Account], game: Game) -> str:
    """What a player's turns came to, and by what."""
    turns = sum(game.players[each.player].name == share.name and each.result is not None for each in accounts)
    if not turns:
        return f"{share.name} has not finished a turn."
    dice = "took" if share.luck <= 0 else "added"
    came = f"{share.name}: {count(round(share.result), 'point')} in {count(turns, 'turn')}"
    return (
        f"{came}. {share.expected:.1f} were to be expected; the dice {dice} {abs(share.luck):.1f}, "
        f"choices added {share.errors:.1f}."
    )
