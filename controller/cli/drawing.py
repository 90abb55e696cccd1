"""Drawings for a terminal: tiles as they stand and lie, dice, scores, moves."""

import re
import textwrap
from collections.abc import Mapping, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.cli.race import draw_race
from controller.game import Snapshot, TileView
from controller.rules import Board, Tile, rules_of
from controller.words import ENGLISH, Words
from hardware.tiles import Position

_IN_A_ROW = re.compile(r"([a-z]+\d*)-(.+)")
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


def draw_scores(snapshot: Snapshot, words: Words = ENGLISH) -> Text:
    """Everybody's score so far, the player at turn marked."""
    text = Text("       ")
    for name, score in snapshot.scores.items():
        mark = "▸" if name == snapshot.turn and snapshot.phase != "ended" else " "
        text.append(f"{mark}{name}{'' if score is None else f' {score}'}   ", style="bold" if mark == "▸" else "")
    if snapshot.standing:
        text.append(f"\n        {_describe_standing(snapshot, words)}", style="dim")
    if snapshot.coins:
        told = ", ".join(f"{name} {coins:+d}" for name, coins in snapshot.coins.items())
        coins = words.gettext("Coins: {coins}; in the pool: {pool}").format(coins=told, pool=snapshot.pool)
        text.append(f"\n        {coins}", style="dim")
    return text


def _describe_standing(snapshot: Snapshot, words: Words) -> str:
    """The round, and what everybody has won or lost so far."""
    rounds = int(snapshot.options.get("rounds", 0))
    if snapshot.match != "points":
        text = words.gettext("Round {round}. Points in all: {standing}")
    elif snapshot.round <= rounds:
        text = words.gettext("Round {round} of {rounds}. Rounds won: {standing}")
    else:
        # Those that were level play more of them.
        text = words.gettext("Round {round}. Rounds won: {standing}")
    told = ", ".join(f"{name} {value}" for name, value in snapshot.standing.items())
    return text.format(round=snapshot.round, rounds=rounds, standing=told)


def draw_table(snapshot: Snapshot, width: int = 80, words: Words = ENGLISH) -> RenderableType:
    """Board and scores of a snapshot with a game on it, in so many characters a line."""
    if snapshot.race is not None:
        return draw_race(snapshot, width, words)
    if snapshot.board is None or snapshot.game is None:
        return Text("")
    board = rules_of(snapshot.game, snapshot.options, snapshot.marks).board(snapshot.board)
    return Group(draw_board(board, width, _in_doubt(snapshot)), draw_scores(snapshot, words))


def _in_doubt(snapshot: Snapshot) -> frozenset[str]:
    """The tiles that need somebody: those of a fault, those that hands have moved, and, in a halt, any out of place."""
    doubtful = {tile.name for tile in snapshot.found}
    if snapshot.fault is not None:
        doubtful |= {snapshot.fault.part, *(tile.name for tile in snapshot.tiles if _is_elsewhere(tile))}
    return frozenset(doubtful)


def _is_elsewhere(tile: TileView) -> bool:
    """True if the sensors showed the tile elsewhere than the game has it, and nobody knows better."""
    wanted = Position.SHUT if tile.state in ("shut", "absent") else Position.OPEN
    return not tile.believed and tile.seen not in (None, wanted)


def draw_hint(hint: Sequence[str], width: int = 80, *, one_by_one: bool = False) -> RenderableType:
    """What can be typed now, each thing in one piece: several a line, or `one_by_one`."""
    if one_by_one:
        return Text("\n".join(f"  {each}" for each in hint), style="dim")
    lines = [""]
    for each, end in zip(hint, [*(";" for _ in hint[1:]), ""], strict=True):
        longer = f"{lines[-1]} {each}{end}".strip()
        if lines[-1] and len(longer) > width - 2:
            lines.append(f"{each}{end}")
        else:
            lines[-1] = longer
    # What is longer than a line is broken where it must be.
    told = [textwrap.fill(line, width, initial_indent="  ", subsequent_indent="  ") for line in lines]
    return Text("\n".join(told), style="dim")


def draw_keys(keys: Mapping[str, str]) -> RenderableType:
    """What can be typed, and what it does."""
    grid = Grid.grid(padding=(0, 2))
    for key, words in keys.items():
        grid.add_row(Text(f"  {key}", no_wrap=True), Text(words))
    return grid


def draw_moves(snapshot: Snapshot, words: Words = ENGLISH) -> RenderableType:
    """The legal moves with the numbers to choose them by, in as many columns as the terminal has room for."""
    cells = [
        Text.assemble((f"{number:>7}", "bold cyan"), "  ", _tell_move(move), no_wrap=True)
        for number, move in enumerate(snapshot.moves, 1)
    ]
    shown = (
        Group(*cells) if len(cells) <= _MOST_LISTED else Columns(cells, equal=True, padding=(0, 2), column_first=True)
    )
    more = snapshot.moves_count - len(snapshot.moves)
    told = words.gettext("and {number} more: type their tiles").format(number=more)
    return Group(shown, Text(f"  {told}")) if more else shown


def _tell_move(move: Sequence[str]) -> str:
    """The tiles of a move, row by row: `front 1 3, back 8`; dominoes by their pips."""
    rows: dict[str, list[str]] = {}
    for tile in move:
        found = _IN_A_ROW.fullmatch(tile)
        if found is None:
            return " ".join(move)
        rows.setdefault(found[1], []).append(found[2])
    return ", ".join(f"{row} {' '.join(marks)}" for row, marks in rows.items())


def dice_faces(dice: tuple[int, ...]) -> str:
    """The dice as pictures of dice."""
    return " ".join(_DICE[face] if face < len(_DICE) else f"[{face}]" for face in dice)
