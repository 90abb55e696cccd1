"""Answers about the odds of Fleet! and Flash!, in sentences for a terminal; in full they are in the JSON form."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.cli.odds_words import draw_bars
from controller.game import count, percent
from controller.game.fleet import FleetQuestion
from controller.odds.fleet import Races
from controller.rules.fleet import Dice, FleetRules
from controller.strategy import FleetBook

_MOST_CHOICES = 12  # as many as the moves of a throw in the other games
_Z = 1.96  # standard errors: with a confidence of 95 %
_SAME = 1e-9  # values that lie closer are told as equal


def draw_fleet_answer(found: Mapping[str, Any], question: FleetQuestion, book: FleetBook) -> RenderableType:
    """An answer drawn for a terminal."""
    lines = _tell_after(found, question, book) if "best" in found else [_tell_before(found, question)]
    return Group(*map(Text, lines))


def draw_races(rules: FleetRules, players: Sequence[str], races: Races, width: int = 80) -> RenderableType:
    """Who won how often, with his chips a game, and how many throws each combination took."""
    error = 100 * _Z * max(races.standard_errors)
    head = (
        f"{count(races.games, 'game')}, combinations in the order of the sheet; each share is known to {error:.1f} %."
    )
    labels = [f"{player}, {chips:.1f} chips" for player, chips in zip(players, races.chips, strict=True)]
    bars = draw_bars(list(zip(labels, races.wins, strict=True)), width)
    grid = Grid.grid(padding=(0, 2))
    grid.add_row("throws on average", *(Text(player, justify="right") for player in (*players, "round")))
    for name, throws in races.throws.items():
        told = (Text(f"{each:.2f}", justify="right") for each in (*throws, races.rounds[name]))
        grid.add_row(rules.title(rules.combination(name)), *told)
    return Group(Text(head), bars, grid)


def _tell_before(found: Mapping[str, Any], question: FleetQuestion) -> str:
    rules = question.rules()
    kept = question.parse_kept(rules)
    title = rules.title(question.parse_combination(rules))
    beside = f" with {kept.tell(rules.card.joker)} kept" if len(kept) else ""
    if found["value"] is None:
        return f"{title}{beside} can never be."
    takes = f"{title}{beside} takes {found['value']:.2f} throws on average, if the best dice are kept."
    return f"{takes} One throw is enough {percent(found['at_once'])} of the time."


def _tell_after(found: Mapping[str, Any], question: FleetQuestion, book: FleetBook) -> list[str]:
    rules = question.rules()
    if found["value"] is None:
        return [_tell_before(found, question)]
    if found["value"] == 0:
        return [f"{rules.title(question.parse_combination(rules))}: shout {rules.card.name.title()}!"]
    return _tell_choices(book.keep_values(question), rules.card.joker)


def _tell_choices(values: Sequence[tuple[Dice, float]], joker: str) -> list[str]:
    """A sentence for each choice of dice to keep, the best first, and how much longer another takes."""
    (dice, best), *others = values[:_MOST_CHOICES]
    said = [f"Keep {_tell_dice(dice, joker)}: it then takes {best:.2f} throws more on average."]
    for dice, value in others:
        kept = _tell_dice(dice, joker)
        if abs(value - best) < _SAME:
            said.append(f"  {kept}: as good.")
        else:
            # Of the figures that are shown: they are to add up.
            said.append(f"  {kept}: {value:.2f} throws, {round(value, 2) - round(best, 2):.2f} worse.")
    more = len(values) - len(said)
    return [*said, f"And {count(more, 'choice')} more, none of them better."] if more else said


def _tell_dice(dice: Dice, joker: str) -> str:
    return dice.tell(joker) if len(dice) else "none"
