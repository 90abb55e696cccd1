"""Answers about the odds of Fleet! and Flash!, in sentences for a terminal; JSON has all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.cli.odds_words import CONFIDENCE, SAME, draw_bars
from controller.game.core.english import count
from controller.game.table.questions import FleetQuestion
from controller.odds.fleet.races import Races
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import FleetRules
from controller.strategy.fleet_book import FleetBook
from controller.words.names import combination_title, faces_told
from controller.words.words import ENGLISH, Words

_MOST_CHOICES = 12  # as many as the numbered moves of a throw in the other games


def draw_fleet_answer(
    found: Mapping[str, Any],
    question: FleetQuestion,
    book: FleetBook,
    words: Words = ENGLISH,
    most: int = _MOST_CHOICES,
) -> RenderableType:
    """Draw an answer, with at most this many choices of dice."""
    rules = question.rules()
    title = combination_title(words, question.combination or "", rules.card.joker)
    if "best" not in found or found["value"] is None:
        kept = question.parse_kept(rules)
        if len(kept):
            text = words.gettext("{combination} with {dice} kept")
            title = text.format(combination=title, dice=_tell_dice(kept, rules, words))
        if found["value"] is None:
            return Text(words.gettext("{combination} can never be.").format(combination=title))
        text = words.gettext(
            "{combination} takes {throws} throws on average, if the best dice are kept. One throw is enough {share} of "
            "the time."
        )
        throws = words.decimal(f"{found['value']:.2f}")
        return Text(text.format(combination=title, throws=throws, share=words.share(found["at_once"])))
    if found["value"] == 0:
        text = words.gettext("{combination}: shout {shout}")
        return Text(text.format(combination=title, shout=f"{rules.card.name.title()}!"))
    return Group(*map(Text, _tell_choices(book.keep_values(question), rules, words, most)))


def draw_races(rules: FleetRules, players: Sequence[str], races: Races, width: int = 80) -> RenderableType:
    """Draw who won how often, with their points a game, and how many throws each combination took."""
    error = 100 * CONFIDENCE * max(races.standard_errors)
    head = (
        f"{count(races.games, 'game')}, combinations in the order of the sheet; each share is known to {error:.1f} %."
    )
    labels = [f"{player}, {chips:.1f} points" for player, chips in zip(players, races.chips, strict=True)]
    bars = draw_bars(list(zip(labels, races.wins, strict=True)), width)
    grid = Grid.grid(padding=(0, 2))
    grid.add_row("throws on average", *(Text(player, justify="right") for player in (*players, "round")))
    for name, throws in races.throws.items():
        told = (Text(f"{each:.2f}", justify="right") for each in (*throws, races.rounds[name]))
        grid.add_row(rules.title(rules.combination(name)), *told)
    return Group(Text(head), bars, grid)


def _tell_choices(values: Sequence[tuple[Dice, float]], rules: FleetRules, words: Words, most: int) -> list[str]:
    """Return a sentence for each choice of dice to keep, the best first, with how much longer the others take."""
    (dice, best), *others = values[:most]
    text = words.gettext("Keep {dice}: it then takes {throws} throws more on average.")
    said = [text.format(dice=_tell_dice(dice, rules, words), throws=words.decimal(f"{best:.2f}"))]
    for dice, value in others:
        kept = _tell_dice(dice, rules, words)
        if abs(value - best) < SAME:
            told = words.gettext("{dice}: as good.").format(dice=kept)
        else:
            # The difference of the figures shown, so that they add up.
            worse = words.decimal(f"{round(value, 2) - round(best, 2):.2f}")
            text = words.gettext("{dice}: {throws} throws, {worse} worse.")
            told = text.format(dice=kept, throws=words.decimal(f"{value:.2f}"), worse=worse)
        said.append(f"  {told}")
    more = len(values) - len(said)
    if more:
        text = words.ngettext(
            "And {number} choice more, none of them better.", "And {number} choices more, none of them better.", more
        )
        said.append(text.format(number=more))
    return said


def _tell_dice(dice: Dice, rules: FleetRules, words: Words) -> str:
    return faces_told(words, dice.faces, rules.card.joker) if len(dice) else words.pgettext("dice to keep", "none")
