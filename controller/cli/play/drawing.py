"""Drawings for a terminal: tiles as they stand and lie, dice, scores, moves."""

import re
import textwrap
from collections.abc import Mapping, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.cli.race.drawing import draw_race
from controller.game.table.snapshot import Snapshot
from controller.messages.words import ENGLISH, Words
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import Tile
from hardware.tiles import Position

_IN_A_ROW = re.compile(r"([a-z]+\d*)-(.+)")
_DICE = " ⚀⚁⚂⚃⚄⚅"
_MOST_LISTED = 6  # moves in one column
_ROW_NAME, _FRAME = 7, 3  # characters: the name of a row; the brackets around a mark, and a space
_SHOWING, _HIDDEN, _SHUT, _IN_DOUBT = "bold black on yellow", "grey50 on grey23", "grey42", "bold white on red"


def draw_board(board: Board, width: int = 80, in_doubt: frozenset[str] = frozenset()) -> RenderableType:
    """Draw the tiles, back row above, as the player sees them: `[9]` shows, `(9)` is hidden, `_9_` lies, `!9!` is not
    where it should be.

    A tile is as wide in every state, and can be told apart without colours. Rows wider than `width` characters are
    broken at the same column.
    """
    layout, showing = board.layout, set(board.showing)
    widest = max(len(tile.mark) for tile in layout.by_name.values())

    def draw(tile: Tile) -> Text:
        mark = f"{tile.mark:>{widest}}"
        if tile.name in in_doubt:
            return Text(f"!{mark}!", style=_IN_DOUBT)
        if not board.stands(tile):
            return Text(f"_{mark.replace(' ', '_')}_", style=_SHUT)
        return Text(f"[{mark}]", style=_SHOWING) if tile in showing else Text(f"({mark})", style=_HIDDEN)

    lines = -(-layout.columns // max(1, (width - _ROW_NAME) // (widest + _FRAME)))
    each = -(-layout.columns // lines)
    grids = []
    for first in range(0, layout.columns, each):
        grid = Grid.grid(padding=(0, 1))
        for row in reversed(range(layout.rows)):
            tiles = list(layout.row(row))
            name = "" if layout.dominoes else tiles[0].name.split("-")[0]
            grid.add_row(Text(f"{name:>6}", style="dim"), *map(draw, tiles[first : first + each]))
        grids.append(grid)
    return Group(*grids)


def draw_scores(snapshot: Snapshot, words: Words = ENGLISH) -> Text:
    """Draw the scores so far, with the player at turn marked, the standing of a match, and the coins."""
    text = Text("       ")
    for name, score in snapshot.scores.items():
        mark = "▸" if name == snapshot.turn and snapshot.phase != "ended" else " "
        text.append(f"{mark}{name}{'' if score is None else f' {score}'}   ", style="bold" if mark == "▸" else "")
    if snapshot.standing:
        rounds = int(snapshot.options.get("rounds", 0))
        if snapshot.match != "points":
            standing = words.gettext("Round {round}. Points in all: {standing}")
        elif snapshot.round <= rounds:
            standing = words.gettext("Round {round} of {rounds}. Rounds won: {standing}")
        else:
            # Level players play more rounds than agreed.
            standing = words.gettext("Round {round}. Rounds won: {standing}")
        told = ", ".join(f"{name} {value}" for name, value in snapshot.standing.items())
        told = standing.format(round=snapshot.round, rounds=rounds, standing=told)
        text.append(f"\n        {told}", style="dim")
    if snapshot.coins:
        told = ", ".join(f"{name} {coins:+d}" for name, coins in snapshot.coins.items())
        coins = words.gettext("Coins: {coins}; in the pool: {pool}").format(coins=told, pool=snapshot.pool)
        text.append(f"\n        {coins}", style="dim")
    return text


def draw_table(snapshot: Snapshot, width: int = 80, words: Words = ENGLISH) -> RenderableType:
    """Draw the board and scores of a snapshot, in this many characters a line."""
    if snapshot.race is not None:
        return draw_race(snapshot, width, words)
    if snapshot.board is None or snapshot.game is None:
        return Text("")
    in_doubt = {tile.name for tile in snapshot.found}
    if snapshot.fault is not None:
        # In a halt, every tile out of place needs somebody, unless a person has overridden its sensors.
        for tile in snapshot.tiles:
            wanted = Position.SHUT if tile.state in ("shut", "absent") else Position.OPEN
            if not tile.believed and tile.seen not in (None, wanted):
                in_doubt.add(tile.name)
        in_doubt.add(snapshot.fault.part)
    board = rules_of(snapshot.game, snapshot.options, snapshot.marks).board(snapshot.board)
    return Group(draw_board(board, width, frozenset(in_doubt)), draw_scores(snapshot, words))


def draw_hint(hint: Sequence[str], width: int = 80, *, one_by_one: bool = False) -> RenderableType:
    """Draw what can be typed now, each thing unbroken: several a line, or `one_by_one`."""
    if one_by_one:
        return Text("\n".join(f"  {each}" for each in hint), style="dim")
    lines = [""]
    for each, end in zip(hint, [*(";" for _ in hint[1:]), ""], strict=True):
        longer = f"{lines[-1]} {each}{end}".strip()
        if lines[-1] and len(longer) > width - 2:
            lines.append(f"{each}{end}")
        else:
            lines[-1] = longer
    # A thing longer than a line has to be broken.
    told = [textwrap.fill(line, width, initial_indent="  ", subsequent_indent="  ") for line in lines]
    return Text("\n".join(told), style="dim")


def draw_keys(keys: Mapping[str, str]) -> RenderableType:
    """Draw what can be typed, and what it does."""
    grid = Grid.grid(padding=(0, 2))
    for key, words in keys.items():
        grid.add_row(Text(f"  {key}", no_wrap=True), Text(words))
    return grid


def draw_moves(snapshot: Snapshot, words: Words = ENGLISH) -> RenderableType:
    """Draw the legal moves with the numbers to choose them by, in as many columns as fit the terminal."""
    cells = []
    for number, move in enumerate(snapshot.moves, 1):
        # Row by row: `front 1 3, back 8`; dominoes by their pips.
        rows: dict[str, list[str]] = {}
        found = [_IN_A_ROW.fullmatch(tile) for tile in move]
        for match in filter(None, found):
            rows.setdefault(match[1], []).append(match[2])
        told = ", ".join(f"{row} {' '.join(marks)}" for row, marks in rows.items()) if all(found) else " ".join(move)
        cells.append(Text.assemble((f"{number:>7}", "bold cyan"), "  ", told, no_wrap=True))
    shown = (
        Group(*cells) if len(cells) <= _MOST_LISTED else Columns(cells, equal=True, padding=(0, 2), column_first=True)
    )
    more = snapshot.moves_count - len(snapshot.moves)
    told = words.gettext("and {number} more: type their tiles").format(number=more)
    return Group(shown, Text(f"  {told}")) if more else shown


def dice_faces(dice: tuple[int, ...]) -> str:
    """Return the dice as pictures of dice."""
    return " ".join(_DICE[face] if face < len(_DICE) else f"[{face}]" for face in dice)
