"""Drawings for a terminal: tiles as they stand and lie, dice, scores, moves."""

from collections.abc import Mapping

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.game import Snapshot, StartGame
from controller.rules import Board, Tile, rules_of

_DICE = " ⚀⚁⚂⚃⚄⚅"
_MOST_LISTED = 6  # moves that stand one below the other
_ROW_NAME, _FRAME = 7, 3  # characters: the name of a row; the brackets around a mark, and a space
_SHOWING, _HIDDEN, _SHUT, _IN_DOUBT = "bold black on yellow", "grey50 on grey23", "grey42", "bold white on red"


def draw_board(board: Board, width: int = 80, in_doubt: frozenset[str] = frozenset()) -> RenderableType:
    """The tiles, back row above, as the player sees them: `[9]` shows, `(9)` is hidden, `_9_` lies, `!9!` needs help.

    A tile is as wide in every state, and told apart without colours too. Rows that are wider than `width` characters
    are broken, all at the same column.
    """
    layout = board.layout
    widest = max(len(tile.mark) for tile in layout.by_name.values())
    lines = -(-layout.columns // max(1, (width - _ROW_NAME) // (widest + _FRAME)))
    each = -(-layout.columns // lines)
    return Group(*(_draw_columns(board, widest, at, at + each, in_doubt) for at in range(0, layout.columns, each)))


def _draw_columns(board: Board, widest: int, first: int, end: int, in_doubt: frozenset[str]) -> RenderableType:
    """The tiles of some columns, counted from 0 at the left, in all rows."""
    grid, showing = Grid.grid(padding=(0, 1)), set(board.showing)

    def draw(tile: Tile) -> Text:
        mark = f"{tile.mark:>{widest}}"
        if tile.name in in_doubt:
            return Text(f"!{mark}!", style=_IN_DOUBT)
        return _draw_tile(mark, board.stands(tile), tile in showing)

    for row in reversed(range(board.layout.rows)):
        tiles = list(board.layout.row(row))
        cells = map(draw, tiles[first:end])
        name = "" if board.layout.dominoes else tiles[0].name.split("-")[0]
        grid.add_row(Text(f"{name:>6}", style="dim"), *cells)
    return grid


def _draw_tile(mark: str, stands: bool, shows: bool) -> Text:
    if not stands:
        return Text(f"_{mark.replace(' ', '_')}_", style=_SHUT)
    return Text(f"[{mark}]", style=_SHOWING) if shows else Text(f"({mark})", style=_HIDDEN)


def draw_scores(snapshot: Snapshot) -> Text:
    """Everybody's score so far, the player at turn marked."""
    text = Text("       ")
    for name, score in snapshot.scores.items():
        mark = "▸" if name == snapshot.turn and snapshot.phase != "ended" else " "
        text.append(f"{mark}{name}{'' if score is None else f' {score}'}   ", style="bold" if mark == "▸" else "")
    if snapshot.standing:
        kind = "rounds won" if snapshot.match == "points" else "points in all"
        told = ", ".join(f"{name} {value}" for name, value in snapshot.standing.items())
        text.append(f"\n        {snapshot.match}, round {snapshot.round}; {kind}: {told}", style="dim")
    if snapshot.coins:
        told = ", ".join(f"{name} {coins:+d}" for name, coins in snapshot.coins.items())
        text.append(f"\n        coins: {told}; in the pool: {snapshot.pool}", style="dim")
    return text


def draw_table(snapshot: Snapshot, width: int = 80) -> RenderableType:
    """Board and scores of a snapshot with a game on it, in so many characters a line."""
    if snapshot.board is None or snapshot.game is None:
        return Text("")
    board = rules_of(snapshot.game, snapshot.options, snapshot.marks).board(snapshot.board)
    return Group(draw_board(board, width, _in_doubt(snapshot)), draw_scores(snapshot))


def _in_doubt(snapshot: Snapshot) -> frozenset[str]:
    """The tiles that need somebody: one that did not go where it should, those that hands have moved."""
    halted = {snapshot.fault.part} if snapshot.fault is not None else set()
    return frozenset(halted | {tile.name for tile in snapshot.found})


def describe_game(start: StartGame) -> list[str]:
    """What a game is about, for somebody who plays it for the first time, and how the board is drawn."""
    rules = rules_of(start.game, start.options, start.marks)
    lines = [
        f"{start.game}: {rules.preset.summary}",
        "Throw, shut tiles that make the throw, and throw again until nothing fits. What is then left are your points: "
        "the fewest win.",
    ]
    if rules.layout.rows > 1:
        counts = ", and does not count yet" if rules.options.score == "showing" else ""
        lines.append(f"[8] is up; (2) is hidden behind another{counts}; _8_ is shut.")
    return lines


def draw_keys(keys: Mapping[str, str]) -> RenderableType:
    """What can be typed, and what it does."""
    grid = Grid.grid(padding=(0, 2))
    for key, words in keys.items():
        grid.add_row(Text(f"  {key}", no_wrap=True), Text(words))
    return grid


def draw_moves(snapshot: Snapshot) -> RenderableType:
    """The legal moves with the numbers to choose them by, in as many columns as the terminal has room for."""
    cells = [
        Text.assemble((f"{number:>7}", "bold cyan"), "  ", " ".join(move), no_wrap=True)
        for number, move in enumerate(snapshot.moves, 1)
    ]
    shown = (
        Group(*cells) if len(cells) <= _MOST_LISTED else Columns(cells, equal=True, padding=(0, 2), column_first=True)
    )
    more = snapshot.moves_count - len(snapshot.moves)
    return Group(shown, Text(f"  and {more} more: type their tiles")) if more else shown


def dice_faces(dice: tuple[int, ...]) -> str:
    """The dice as pictures of dice."""
    return " ".join(_DICE[face] if face < len(_DICE) else f"[{face}]" for face in dice)
