"""Drawings of a race for a terminal: its sheet with the players as columns, its chips, and dice."""

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.game.fleet.engine import ColumnView, RaceView
from controller.game.table.snapshot import Snapshot
from controller.messages.names import combination_title, faces_told
from controller.messages.words import Words

_NUMBER, _LEAST_TITLE = 3, 16  # characters: the number of a row; the least of its title that many players leave
_WIDEST, _NARROWEST = 12, 5  # characters of a column
_STANDS, _TAKEN, _NOW = "bold black on yellow", "grey42", "bold cyan"


def draw_race(snapshot: Snapshot, width: int, words: Words) -> RenderableType:
    """Draw the sheet, the chips and the dice of a race, in this many characters a line."""
    race = snapshot.race
    if race is None:
        return Text("")
    chips = Text(words.gettext("Chips:"))
    chips.append(" ")
    for chip in race.chips:
        taken = f"_{chip.points}_ {words.all_of(chip.taken_by)}".strip()
        chips.append(taken if chip.taken_by else f"[{chip.points}]", style=_TAKEN if chip.taken_by else _STANDS)
        chips.append("  ")
    if race.left_s is not None:
        chips.append(tell_time_left(race.left_s, words), style="bold red")
    lines = [chips]
    # The box throws the dice of some players only.
    lines += [Text(tell_dice(column, race, words)) for column in race.columns if column.dice or column.kept]
    if snapshot.coins:
        told = ", ".join(f"{name} {coins:+d}" for name, coins in snapshot.coins.items())
        coins = words.gettext("Coins: {coins}; in the pool: {pool}").format(coins=told, pool=snapshot.pool)
        lines.append(Text(coins, style="dim"))
    return Group(_draw_sheet(race, width, words), *lines)


def tell_dice(column: ColumnView, race: RaceView, words: Words) -> str:
    """Return a line with the dice of a player as they lie, and those that they keep."""
    thrown = faces_told(words, column.dice, race.joker)
    if not column.kept:
        return words.gettext("{player}: {dice}").format(player=column.player, dice=thrown)
    kept = faces_told(words, column.kept, race.joker)
    return words.gettext("{player}: {dice}; kept: {kept}").format(player=column.player, dice=thrown, kept=kept)


def _draw_sheet(race: RaceView, width: int, words: Words) -> RenderableType:
    titles = [combination_title(words, row.name, race.joker) for row in race.rows]
    now, total = words.gettext("This round"), words.gettext("Total")
    longest = max(map(len, (*titles, now, total)))
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
        cells = [
            Text(f"{column.boxes[row.name]}")
            if row.name in column.boxes
            else Text("▸" if row.name == column.named else "", style=_NOW)
            for column in race.columns
        ]
        grid.add_row(f"{number}", name, *cells)
    progress = []
    for column in race.columns:
        told = words.pgettext("how far somebody is in a round", "shout") if column.shouted else ""
        if column.out:
            told = "-"
        progress.append(told if column.chip is None else f"{column.chip}")
    grid.add_row("", Text(now, style="dim"), *(Text(told, style=_NOW) for told in progress))
    grid.add_row("", Text(total, style="bold"), *(Text(f"{column.total}", style="bold") for column in race.columns))
    return grid


def tell_time_left(seconds: int, words: Words) -> str:
    """Return the time that the last player still has."""
    return words.ngettext("{seconds} second left", "{seconds} seconds left", seconds).format(seconds=seconds)
