"""The best order of a card, in sentences for a terminal; JSON has all of it."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from controller.game.core.english import count, percent
from controller.game.table.questions import FleetQuestion, Question
from controller.messages.names import combination_title, faces_told
from controller.messages.throws import average_points, winning_share
from controller.messages.words import ENGLISH, Words
from controller.odds.fleet.races import Races
from controller.opponents.hints import FleetBook, OddsBook
from controller.opponents.simulation import Tally, Wins
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import FleetRules


def draw_order(rules: FleetRules, found: Mapping[str, Any]) -> Text:
    """Draw the order, its points compared with the order of the sheet, and how it was found."""
    names = [rules.title(rules.combination(name)) for name in found["order"]]
    rounds = "\n".join(f"{place:3}. {name}" for place, name in enumerate(names, start=1))
    said = f"{found['value']:.2f} points on average; {found['in_order']:.2f} in the order of the sheet."
    return Text(f"{rounds}\n{said}\nFound {found['found_by']}.")


_MOST_ROWS = 18  # of bars, so that they fit a screen
_MOST_MOVES = 12  # as many as the numbered moves of a throw
_LABELS = 30  # characters that a row of bars needs beside its bar
SAME = 1e-9  # values that differ by less count as equal
CONFIDENCE = 1.96  # standard errors: 95 %


def draw_answer(
    found: Mapping[str, Any], question: Question, book: OddsBook, width: int = 80, words: Words = ENGLISH
) -> RenderableType:
    """Draw an answer, in this many characters a line."""
    if "curve" in found:
        curve = found["curve"]
        step = -(-len(curve) // _MOST_ROWS)
        rows = [(f"at most {score}", curve[score]) for score in range(0, len(curve) - 1, step)]
        return draw_bars([*rows, (f"at most {len(curve) - 1}", curve[-1])], width)
    if "seats" in found:
        names = ("first", "second", "third", "fourth", "fifth", "sixth")
        rows = list(zip(names, found["seats"], strict=False))
        gains = zip(names, found.get("gains") or (), strict=False)
        coins = [f"The {name} player gains {gain:+.2f} coins a round." for name, gain in gains]
        head = Text("How often each wins a round, by who plays when:")
        return Group(head, draw_bars(rows, width), *map(Text, coins))
    is_race = question.rules().terms.race == "rotation" and question.aim == "win"
    if "best" not in found:
        if is_race:
            text = words.gettext("By the odds, the player whose turn it is wins {share} of such races.")
            return Text(text.format(share=words.share(found["value"])))
        worth, dice = _tell_worth(found["aim"], found["value"], words), found["dice"]
        if dice is None:
            return Text(words.gettext("The box is shut: the turn {worth}.").format(worth=worth))
        text = words.ngettext(
            "Thrown with one die and played as well as can be, a turn from this board on {worth}.",
            "Thrown with {dice} dice and played as well as can be, a turn from this board on {worth}.",
            dice,
        )
        return Text(text.format(dice=dice, worth=worth))
    if not found["best"]:
        return Text(words.gettext("Nothing fits: the turn is over."))
    if is_race:
        text = words.gettext("After {tiles} the turn {worth}.")
        tiles = words.all_of(found["best"][0])
        return Text(text.format(tiles=tiles, worth=_tell_worth("win", found["value"], words)))
    return Group(*map(Text, _tell_moves(book.move_values(question), question.aim or "score", words)))


def draw_bars(rows: Sequence[tuple[str, float]], width: int = 80) -> RenderableType:
    """Draw shares of one as bars, the longest as wide as the room."""
    grid = Grid.grid(padding=(0, 1))
    longest = max(share for _, share in rows) or 1.0
    room = max(10, width - _LABELS)
    for label, share in rows:
        bar = Text("█" * round(room * share / longest), style="cyan")
        grid.add_row(Text(label, justify="right"), bar, percent(share))
    return grid


def draw_tally(tally: Tally, width: int = 80) -> RenderableType:
    """Draw a tally with its histogram; many different scores share bars with their neighbours."""
    error = CONFIDENCE * tally.standard_error
    head = (
        f"{count(tally.turns, 'turn')}: {tally.mean:.2f} points on average (known to {error:.2f}), "
        f"the box shut in {percent(tally.shut_share)}, {tally.throws_per_turn:.1f} throws a turn."
    )
    scores = sorted(tally.histogram)
    step = 1
    while len({score // step for score in scores}) > _MOST_ROWS:
        # People count in ranges of these widths, and beyond in powers of ten.
        step = next((each for each in (2, 5, 10, 20, 50, 100) if each > step), 10 * step)
    rows = []
    for place, group in groupby(scores, key=lambda score: score // step):
        share = sum(tally.histogram[score] for score in group) / tally.turns
        label = str(place * step) if step == 1 else f"{place * step} to {(place + 1) * step - 1}"
        rows.append((label, share))
    return Group(Text(head), draw_bars(rows, width))


def draw_wins(players: Sequence[str], wins: Wins, width: int = 80) -> RenderableType:
    """Draw who won how often."""
    errors = 100 * CONFIDENCE * max(wins.standard_errors)
    head = (
        f"{count(wins.games, 'round')}, everybody first as often as any other; each share is known to {errors:.1f} %."
    )
    return Group(Text(head), draw_bars(list(zip(players, wins.shares, strict=True)), width))


def _tell_moves(worths: Sequence[tuple[Sequence[str], float]], aim: str, words: Words) -> list[str]:
    (names, best), *others = worths[:_MOST_MOVES]
    text = words.gettext("The only move is {tiles}: the turn then {worth}.")
    if others:
        text = words.gettext("The best is {tiles}: the turn then {worth}.")
    said = [text.format(tiles=words.all_of(names), worth=_tell_worth(aim, best, words))]
    for names, value in others:
        tiles = words.all_of(names)
        if abs(value - best) < SAME:
            text = words.ngettext("{tiles} is as good.", "{tiles} are as good.", len(names))
            said.append(f"  {text.format(tiles=tiles)}")
        elif aim == "score":
            # The difference of the figures shown, so that they add up.
            worse = words.decimal(f"{round(value, 2) - round(best, 2):.2f}")
            text = words.gettext("{tiles}: {points} points, {worse} worse.")
            said.append(f"  {text.format(tiles=tiles, points=words.decimal(f'{value:.2f}'), worse=worse)}")
        else:
            said.append(f"  {tiles}: {words.share(value)}.")
    more = len(worths) - len(said)
    if more:
        text = words.ngettext(
            "And {number} more move, which is no better.", "And {number} more moves, none of them better.", more
        )
        said.append(text.format(number=more))
    return said


def _tell_worth(aim: str, value: float, words: Words) -> str:
    match aim:
        case "score":
            return average_points(words).format(points=words.decimal(f"{value:.2f}"))
        case "shut":
            text = words.pgettext("behind: the turn", "shuts the box {share} of the time")
        case "win":
            text = winning_share(words)
        case _:
            text = words.pgettext("behind: the turn", "ends with at most {points} points {share} of the time")
    return text.format(points=aim.removeprefix("at-most:"), share=words.share(value))


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
            return Text(words.gettext("{combination} can never be thrown.").format(combination=title))
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
    (dice, best), *others = values[:most]
    text = words.gettext("Keep {dice}: you then need {throws} more throws on average.")
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
            "And {number} more choice, which is no better.", "And {number} more choices, none of them better.", more
        )
        said.append(text.format(number=more))
    return said


def _tell_dice(dice: Dice, rules: FleetRules, words: Words) -> str:
    return faces_told(words, dice.faces, rules.card.joker) if len(dice) else words.pgettext("dice to keep", "none")
