"""A game as one picture to pass on: who played, the luck of each, the board at its end, and the throws. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from controller.game.shutbox.state import Game
from controller.game.table.snapshot import scores_of, winners_of
from controller.messages.words import Words
from controller.opponents.lookback import GameStory
from controller.rules.tiles import Tile
from controller.web.pages.lookback.turns import Turn
from controller.web.pages.phrases import say_score, say_throw, say_tile

WIDTH = 720
_MARGIN, _LINE = 32, 26
_HEAD, _NAME = 92, 34  # the room of the title, and of each player's line
_CURVE, _SPACE = 180, 36
_TILE_HEIGHT, _GAP = 54, 6
_MOST_LINES = 30  # of throws: a picture is looked at on a phone


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player with their score. number: of their colour, from 0. path: their luck so far, as an SVG path."""

    name: str
    score: str
    won: bool
    number: int
    y: float
    path: str = ""


@dataclass(frozen=True, slots=True)
class TileShape:
    """A tile as it stands or lies: its mark and its place."""

    mark: str
    stands: bool
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Picture:
    """All of it, with the places of its parts from above; `zero_y` is where luck is 0, None without odds."""

    players: tuple[PlayerLine, ...]
    zero_y: float | None
    curve_y: float
    tiles: tuple[TileShape, ...]
    lines: tuple[tuple[float, str], ...]
    left_out: int
    height: float
    width: int = WIDTH
    margin: int = _MARGIN


def picture_of(game: Game, turns: Sequence[Turn], story: GameStory | None, words: Words) -> Picture:
    """Return the picture of a game. story: its analysis by the odds; None, or without turns, leaves the curve out."""
    curve_y = _HEAD + _NAME * len(game.players) + _SPACE
    paths, zero_y = _luck(game, story, curve_y)
    board_y = curve_y + (_CURVE + _SPACE if paths else 0)
    lines_y = board_y + game.board.layout.rows * (_TILE_HEIGHT + _GAP) + _SPACE
    told = _throws(game, turns, words)
    shown = told[:_MOST_LINES]
    scores, winners = scores_of(game), winners_of(game)
    players = tuple(
        PlayerLine(
            player.name, say_score(scores[seat]), seat in winners, seat % 4, _HEAD + _NAME * seat, paths.get(seat, "")
        )
        for seat, player in enumerate(game.players)
    )
    lines = tuple((lines_y + _LINE * at, line) for at, line in enumerate(shown))
    left_out = len(told) - len(shown)
    height = lines_y + _LINE * (len(shown) + bool(left_out)) + _MARGIN
    return Picture(players, zero_y, curve_y, tuple(_tiles(game, board_y)), lines, left_out, height)


def _luck(game: Game, story: GameStory | None, top: float) -> tuple[dict[int, str], float | None]:
    """Return the luck of each seat so far, throw by throw, as a path; and where 0 is."""
    if story is None or not story.turns:
        return {}, None
    sums: dict[int, list[float]] = {}
    for seat, player in enumerate(game.players):
        own = (choice.luck for turn in story.turns if turn.player == player.name for choice in turn.choices)
        sums[seat] = list(accumulate(own, initial=0.0))
    longest = max(map(len, sums.values()))
    if longest == 1:
        return {}, None
    high = max(0.5, *(max(each) for each in sums.values()))
    low = min(-0.5, *(min(each) for each in sums.values()))
    step = (WIDTH - 2 * _MARGIN) / (longest - 1)

    def y(value: float) -> float:
        return round(top + (high - value) / (high - low) * _CURVE, 1)

    paths = {
        seat: "M" + "L".join(f"{_MARGIN + at * step:.1f} {y(value):g}" for at, value in enumerate(each))
        for seat, each in sums.items()
        if len(each) > 1
    }
    return paths, y(0.0)


def _tiles(game: Game, top: float) -> list[TileShape]:
    layout = game.board.layout
    width = (WIDTH - 2 * _MARGIN + _GAP) / layout.columns - _GAP

    def shape(tile: Tile) -> TileShape:
        # The front row is drawn below the rows behind it, as a player sees them.
        row_y = top + (layout.rows - tile.row) * (_TILE_HEIGHT + _GAP)
        x = _MARGIN + (tile.column - 1) * (width + _GAP)
        return TileShape(tile.mark, game.board.stands(tile), round(x, 1), row_y, round(width, 1))

    return [shape(tile) for tile in layout.by_name.values() if tile.column not in layout.absent]


def _throws(game: Game, turns: Sequence[Turn], words: Words) -> list[str]:
    """Return the turns as lines: who, and each throw with the tiles that it shut."""
    faces = game.rules.marks.faces
    lines = []
    for turn in turns:
        throws = [
            f"{say_throw(step.dice, faces)} {'+'.join(say_tile(tile, words) for tile in step.move) or '-'}"
            for step in turn.steps
        ]
        name = game.players[turn.steps[0].player].name if turn.player is None else game.players[turn.player].name
        for at in range(0, len(throws), 6):
            head = f"{name}: " if at == 0 else ""
            end = f"  = {turn.score}" if turn.score is not None and at + 6 >= len(throws) else ""
            lines.append(f"{head}{'   '.join(throws[at : at + 6])}{end}")
    return lines
