"""Drawings of a race for a terminal: its sheet with the players as columns, chips, and dice."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.game import ColumnView, RaceView, Snapshot
from controller.words import Words, combination_title, faces_told

_NUMBER, _LEAST_TITLE = 3, 16  # characters: the number of a row; what is left of its title where there are many players
_WIDEST, _NARROWEST = 12, 5  # characters of a column
_STANDS, _TAKEN, _NOW = "bold black on yellow", "grey42", "bold cyan"


def draw_race(snapshot: Snapshot, width: int, words: Words) -> RenderableType:
    """The sheet, the chips and the dice of a race, in so many characters a line."""
    race = snapshot.race
    if race is None:
        return Text("")
    return Group(_draw_sheet(race, width, words), *_lines(snapshot, race, words))


def tell_dice(column: ColumnView, race: RaceView, words: Words) -> str:
    """The dice of a player as they lie before him, and those of them that are kept."""
    thrown = faces_told(words, column.dice, race.joker)
    if not column.kept:
        return words.gettext("{player}: {dice}").format(player=column.player, dice=thrown)
    kept = faces_told(words, column.kept, race.joker)
    return words.gettext("{player}: {dice}; kept: {kept}").format(player=column.player, dice=thrown, kept=kept)


def _draw_sheet(race: RaceView, width: int, words: Words) -> RenderableType:
    titles = [combination_title(words, row.name, race.joker) for row in race.rows]
    longest = max(map(len, (*titles, *_last_titles(words))))
    room = (width - _NUMBER - 1 - min(longest, _LEAST_TITLE)) // len(race.columns) - 1
    each = min(max(_NARROWEST, max(len(column.player) for column in race.columns)), max(_NARROWEST, room), _WIDEST)
    title = min(longest, width - _NUMBER - 1 - (each + 1) * len(race.columns))
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", width=_NUMBER - 1)
    grid.add_column(no_wrap=True, overflow="ellipsis", width=title)
    for _ in race.columns:
        grid.add_column(no_wrap=True, overflow="ellipsis", justify="right", width=each)
    grid.add_row("", "", *(Text(column.player, style="bold") for column in race.columns))
    for number, (row, name) in enumerate(zip(race.rows, titles, strict=True), 1):
        grid.add_row(f"{number}", name, *(_cell(column, row.name) for column in race.columns))
    now, total = _last_titles(words)
    grid.add_row("", Text(now, style="dim"), *(Text(_now(column, words), style=_NOW) for column in race.columns))
    grid.add_row("", Text(total, style="bold"), *(Text(f"{column.total}", style="bold") for column in race.columns))
    return grid


def _last_titles(words: Words) -> tuple[str, str]:
    """The two rows below the combinations."""
    return words.gettext("This round"), words.gettext("Total")


def _cell(column: ColumnView, combination: str) -> Text:
    """What a combination has brought, or the mark of the one that is raced for."""
    if combination in column.boxes:
        return Text(f"{column.boxes[combination]}")
    return Text("▸" if combination == column.named else "", style=_NOW)


def _now(column: ColumnView, words: Words) -> str:
    """How far somebody is in this round: his chip, a shout, or that he takes none."""
    if column.chip is not None:
        return f"{column.chip}"
    if column.out:
        return "-"
    return words.pgettext("how far somebody is in a round", "shout") if column.shouted else ""


def _lines(snapshot: Snapshot, race: RaceView, words: Words) -> Iterator[RenderableType]:
    """The chips; the dice of everybody for whom the box throws; coins; the time that is left."""
    text = Text(words.gettext("Chips:"))
    text.append(" ")
    for chip in race.chips:
        taken = f"_{chip.points}_ {words.all_of(chip.taken_by)}".strip()
        text.append(taken if chip.taken_by else f"[{chip.points}]", style=_TAKEN if chip.taken_by else _STANDS)
        text.append("  ")
    if race.left_s is not None:
        text.append(tell_time_left(race.left_s, words), style="bold red")
    yield text
    for column in race.columns:
        if column.dice or column.kept:
            yield Text(tell_dice(column, race, words))
    if snapshot.coins:
        told = ", ".join(f"{name} {coins:+d}" for name, coins in snapshot.coins.items())
        coins = words.gettext("Coins: {coins}; in the pool: {pool}").format(coins=told, pool=snapshot.pool)
        yield Text(coins, style="dim")


def tell_time_left(seconds: int, words: Words) -> str:
    """The time that the last one still has."""
    return words.ngettext("{seconds} second left", "{seconds} seconds left", seconds).format(seconds=seconds)
