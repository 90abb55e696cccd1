"""The table drawn for a terminal: the tiles as they stand and lie, the dice, the scores."""

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.rules import Board, rules_of
from controller.snapshot import Snapshot

_DICE = " ⚀⚁⚂⚃⚄⚅"
_SHOWING, _HIDDEN, _SHUT = "bold black on yellow", "grey50 on grey23", "grey42"


def draw_board(board: Board) -> RenderableType:
    """The tiles, back row above, as the player sees them: bright shows, grey is hidden, a dash lies."""
    grid = Grid.grid(padding=(0, 1))
    showing = set(board.showing)
    for row in reversed(range(board.layout.rows)):
        tiles = list(board.layout.row(row))
        cells = []
        for tile in tiles:
            if not board.stands(tile):
                cells.append(Text("──", style=_SHUT))
            else:
                cells.append(Text(f"{tile.mark:>2} ", style=_SHOWING if tile in showing else _HIDDEN))
        name = "" if board.layout.dominoes else tiles[0].name.split("-")[0]
        grid.add_row(Text(f"{name:>6}", style="dim"), *cells)
    return grid


def draw_scores(snapshot: Snapshot) -> Text:
    """Everybody's score so far, the player at turn marked."""
    text = Text("       ")
    for name, score in snapshot.scores.items():
        mark = "▸" if name == snapshot.turn and snapshot.phase != "ended" else " "
        text.append(f"{mark}{name}: {'-' if score is None else score}   ", style="bold" if mark == "▸" else "")
    if snapshot.standing:
        kind = "points" if snapshot.match == "points" else "totals"
        told = "   ".join(f"{name}: {value}" for name, value in snapshot.standing.items())
        text.append(f"\n        {snapshot.match}, round {snapshot.round}, {kind}   {told}", style="dim")
    if snapshot.coins:
        told = "   ".join(f"{name}: {coins:+d}" for name, coins in snapshot.coins.items())
        text.append(f"\n        coins   {told}   pool: {snapshot.pool}", style="dim")
    return text


def draw_table(snapshot: Snapshot) -> RenderableType:
    """Board and scores of a snapshot with a game on it."""
    if snapshot.board is None or snapshot.game is None:
        return Text("")
    board = rules_of(snapshot.game, snapshot.options, snapshot.marks).board(snapshot.board)
    return Group(draw_board(board), draw_scores(snapshot))


def draw_moves(snapshot: Snapshot) -> RenderableType:
    """The legal moves with the numbers to choose them by, in as many columns as the terminal has room for."""
    cells = [
        Text.assemble((f"{number:>7}", "bold cyan"), "  ", " ".join(move), no_wrap=True)
        for number, move in enumerate(snapshot.moves, 1)
    ]
    return Columns(cells, equal=True, padding=(0, 2))


def dice_faces(dice: tuple[int, ...]) -> str:
    """The dice as pictures of dice."""
    return " ".join(_DICE[face] if face < len(_DICE) else f"[{face}]" for face in dice)
