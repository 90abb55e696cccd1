"""The rules of a game in sentences, made from its options. Pure."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from controller.game.shutbox.match import limit_of
from controller.messages.options import option_label, option_value
from controller.messages.words import Words
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.web.pages.terms import has_effect


@dataclass(frozen=True, slots=True)
class Chapter:
    """One part of the rules. name: its id on the page."""

    name: str
    title: str
    sentences: tuple[str, ...]


def make_chapters(*parts: tuple[str, str, Iterable[str]]) -> tuple[Chapter, ...]:
    """Return the chapters of these names, titles and sentences, without those that say nothing."""
    told = (Chapter(name, title, tuple(sentences)) for name, title, sentences in parts)
    return tuple(chapter for chapter in told if chapter.sentences)


def chapters_of(rules: Ruleset, words: Words) -> tuple[Chapter, ...]:
    """Return the rules, part by part; parts that do not apply to the game are left out."""
    chapters = _told(rules, words)
    return (
        *chapters,
        *make_chapters(("agreed", words.gettext("Also agreed"), _untold(rules, chapters, words))),
    )


def _untold(rules: Ruleset, chapters: tuple[Chapter, ...], words: Words) -> Iterator[str]:
    """Yield the options that change nothing in these chapters, so that an option without a sentence is told too."""
    for name, value in rules.chosen.items():
        others = {other: each for other, each in rules.chosen.items() if other != name}
        with suppress(InvalidOption):
            usual = rules_of(rules.preset.name, others, rules.marks)
            is_agreed = usual.chosen[name] != value and has_effect(name, rules.chosen)
            if is_agreed and _told(usual, words) == chapters:
                yield f"{option_label(words, name)}: {option_value(words, name, value)}."


def _told(rules: Ruleset, words: Words) -> tuple[Chapter, ...]:
    _ = words.gettext
    if rules.terms.race == "rotation":
        goal = _("Players throw once each, one after the other. The first to shut the box wins.")
    elif rules.terms.alternate:
        goal = _(
            "Players throw once each, one after the other, at one common board. A player who can shut nothing is out."
        )
    else:
        goal = _("Throw the dice and shut tiles, again and again, until nothing fits. What is still open counts.")
    hints = {
        "single": _("In a single game the box tells the odds and best moves to anyone who asks; in a match to nobody."),
        "always": _("The box tells the odds and best moves to anyone who asks."),
        "never": _("The box tells nobody the odds or the best move."),
    }
    undo = {
        "chooser": _("Players may take back their own choice until the next throw."),
        "anybody": _("Anybody may take a choice back until the next throw."),
        "nobody": _("What is shut is shut: nothing is taken back."),
    }
    undo_limit = words.ngettext(
        "That may be done {count} time in a match to the choices of each player.",
        "That may be done {count} times in a match to the choices of each player.",
        rules.terms.undo_limit,
    ).format(count=rules.terms.undo_limit)
    is_limited = rules.terms.undo_limit and rules.terms.undo != "nobody"
    return make_chapters(
        ("goal", _("The game"), [goal]),
        ("tiles", _("The tiles"), _tiles(rules, words)),
        ("throw", _("The throw"), _throw(rules, words)),
        ("shut", _("What may be shut"), _shut(rules, words)),
        ("end", _("The end of a turn"), _end(rules, words)),
        ("score", _("The score"), _score(rules, words)),
        ("round", _("Who wins"), _round(rules, words)),
        ("match", _("The match"), _match(rules, words)),
        ("stakes", _("Coins"), _stakes(rules, words)),
        ("undo", _("Taking back"), [undo[rules.terms.undo], *([undo_limit] if is_limited else [])]),
        ("hints", _("The odds"), [hints[rules.terms.hints]]),
    )


def _tiles(rules: Ruleset, words: Words) -> Iterator[str]:
    _, layout = words.gettext, rules.layout
    if rules.options.domino_set:
        yield {
            15: _("Fifteen dominoes stand open: every pair of two different numbers from 1 to 6."),
            21: _("Twenty-one dominoes stand open: every pair of numbers from 1 to 6, doubles too."),
            28: _("Twenty-eight dominoes stand open: every pair of numbers from 1 to 6, doubles and blanks too."),
        }[rules.options.domino_set]
    elif layout.rows > 1:
        given = {"rows": layout.rows, "count": layout.columns}
        yield words.ngettext(
            "{rows} rows stand one behind the other, of {count} tile each.",
            "{rows} rows stand one behind the other, of {count} tiles each.",
            layout.columns,
        ).format(**given)
        if layout.columns > 1:
            yield _("The front row counts from 1 up to {count}, the row behind it from {count} down to 1.").format(
                **given
            )
        if layout.rows > 2:
            yield _("Further rows go on like that.")
        yield _("A tile behind another is in play once the one in front of it is down.")
    else:
        starts = {
            "all": words.ngettext(
                "{count} tile stands in a row.", "{count} tiles stand in a row, from 1 to {count}.", layout.columns
            ),
            "odd": _("Of {count} tiles in a row, only the odd ones are open: {open}."),
            "even": _("Of {count} tiles in a row, only the even ones are open: {open}."),
            "from_4": _("Of {count} tiles in a row, 1, 2 and 3 are down before the start. These are open: {open}."),
            "only_7": _("Of {count} tiles in a row, only the {open} is open."),
        }
        open_tiles = words.all_of(tile.mark for tile in rules.start().standing)
        yield starts[rules.options.start].format(count=layout.columns, open=open_tiles)
    if rules.options.carry_board:
        yield _("The next player goes on with the tiles as they are; after a shut box all are open again.")
    elif not (rules.terms.alternate or rules.terms.race == "rotation"):
        yield _("Every turn begins with all of them open.")


def _throw(rules: Ruleset, words: Words) -> Iterator[str]:
    _, options = words.gettext, rules.options
    if options.sides > 6:
        told = words.ngettext(
            "Throw {dice} die with {sides} sides.", "Throw {dice} dice with {sides} sides each.", options.dice
        )
    else:
        told = words.ngettext("Throw {dice} die.", "Throw {dice} dice.", options.dice)
    yield told.format(dice=options.dice, sides=options.sides)
    if options.dice == 1:
        return
    if not rules.may_throw_fewer:
        yield _("They are always thrown together.")
        return
    # Which tiles are counted makes a difference only if some are hidden.
    counted = "row" if rules.layout.rows == 1 else options.one_die_total
    one_die = {
        ("only1", "row"): _("Once the 1 alone is open, one die is enough."),
        ("only1", "standing"): _("Once a single 1 is all that is still up, one die is enough."),
        ("only1", "showing"): _("Once a 1 is the only number showing, one die is enough."),
        ("high_covered", "row"): _("Once no tile above 6 is open, one die is enough."),
        ("high_covered", "standing"): _("Once no tile above 6 is up in any row, one die is enough."),
        ("high_covered", "showing"): _("Once no number above 6 is showing, one die is enough."),
        ("at_most", "row"): _("Once the open tiles add up to {limit} or less, one die is enough."),
        ("at_most", "standing"): _(
            "Once all tiles still up, hidden ones too, add up to {limit} or less, one die is enough."
        ),
        ("at_most", "showing"): _("Once the numbers showing add up to {limit} or less, one die is enough."),
    }
    yield one_die[options.one_die, counted].format(limit=options.one_die_limit)
    if options.one_die_forced:
        yield _("Then one die must be thrown.")
    elif options.many_dice == "any" and options.dice > 2:
        yield _("Then any number of dice may be thrown.")
    else:
        yield _("Then you may throw one die, or all of them.")
    if rules.first_move_key is not None:
        yield _("The first throw of a turn is always made with all dice.")


def _shut(rules: Ruleset, words: Words) -> Iterator[str]:
    _, options = words.gettext, rules.options
    if options.each_die:
        yield _("Shut one tile: that of the one die, that of the other, or that of their sum.")
    elif options.domino_set:
        yield {
            "pair": _("Shut the domino with the two numbers that you have thrown."),
            "one_total": _("Shut any one domino that has as many spots as you have thrown."),
            "any_total": _("Shut any dominoes that together have as many spots as you have thrown."),
        }[options.domino_match]
    else:
        yield _("Shut any open tiles that together make what you have thrown. Which ones is your choice.")
    if rules.first_move_key is not None:
        yield _("The first tiles of a turn must have the {number} among them.").format(number=rules.first_move_key)
    if options.max_tiles and not options.each_die:
        yield words.ngettext(
            "No more than {count} tile goes down in one throw.",
            "No more than {count} tiles go down in one throw.",
            options.max_tiles,
        ).format(count=options.max_tiles)
    if rules.layout.rows > 1 and rules.takes_revealed:
        yield _("A tile that comes to light counts at once, in the same throw.")
    elif rules.layout.rows > 1:
        yield _("A tile that comes to light may go with the next throw, not with this one.")
    yield _("If something fits, you have to shut it.")


def _end(rules: Ruleset, words: Words) -> Iterator[str]:
    _, terms = words.gettext, rules.terms
    if terms.race == "rotation":
        yield _("If nothing fits, the dice go to the next player.")
    elif terms.alternate:
        yield _("After each throw the dice go to the next player. If nothing fits, you are out and score what is open.")
        yield _("The last player left wins, with 0 points.")
    else:
        yield _("A turn ends with the first throw that nothing fits.")
    match rules.options.on_seven:
        case "turn":
            yield _("A 7 with two dice ends the turn, and shuts nothing.")
        case "round":
            yield _("A 7 with two dice ends the round for everybody, and shuts nothing.")
        case "played":
            yield _("A 7 with two dice is played, and then the turn is over.")
    if rules.first_move_key is not None:
        yield {
            "round": _("If nothing fits your first throw, you are out of the round."),
            "turn": _("If nothing fits your first throw, you score all the tiles."),
            "game": _("If nothing fits your first throw, you are out of the game."),
        }["turn" if terms.lost == "round" and terms.has_running_totals else terms.lost]


def _score(rules: Ruleset, words: Words) -> Iterator[str]:
    _, has_hidden = words.gettext, rules.layout.rows > 1
    match rules.options.score:
        case "showing" if rules.options.domino_set:
            yield _("The score is all the spots on open dominoes.")
        case "standing" if rules.options.domino_set:
            yield _("The score is all the spots on open dominoes.")
        case "showing" if has_hidden:
            yield _("The score is the sum of the open tiles that can be seen. Hidden ones do not count.")
        case "standing" if has_hidden:
            yield _("The score is the sum of all open tiles, hidden ones too.")
        case "showing" | "standing":
            yield _("The score is the sum of the open tiles.")
        case "double_front":
            yield _("The score is the sum of all open tiles, and those in front count double.")
        case "count" if has_hidden:
            yield _("The score is the number of open tiles that can be seen.")
        case "count":
            yield _("The score is the number of open tiles.")
        case "digits":
            yield _("The score is what the open tiles read from left to right: 1, 2 and 5 make 125.")
    if rules.terms.race != "rotation":
        yield _("Fewer is better.")


def _round(rules: Ruleset, words: Words) -> Iterator[str]:
    _, terms = words.gettext, rules.terms
    first = {
        "lowest": words.ngettext(
            "Everybody throws {dice} die, and the lowest begins.",
            "Everybody throws {dice} dice, and the lowest begins.",
            terms.first_dice,
        ),
        "highest": words.ngettext(
            "Everybody throws {dice} die, and the highest begins.",
            "Everybody throws {dice} dice, and the highest begins.",
            terms.first_dice,
        ),
        "chosen": _("The first player in the list begins."),
        "rotate": _("The first player in the list begins, and the next one in each new round."),
        "winner": _("The first player in the list begins, and then the winner of the round before."),
    }
    yield first[terms.first].format(dice=terms.first_dice)
    if terms.has_running_totals:
        yield _("Every score is added up.")
        if terms.match_shut == "wins_match":
            yield _("A player who shuts the box wins the whole match at once.")
        elif not terms.shut_wins:
            yield _("A player who shuts the box scores 0, and the others still have their turn.")
    elif terms.race != "rotation":
        yield _("The lowest score wins the round.")
        if terms.shut_wins:
            yield _("A player who shuts the box wins at once, and nobody plays after that.")
        else:
            yield _("A player who shuts the box scores 0, and the others still have their turn.")
        again = _("With equal lowest scores nobody wins, and the round is played again.")
        yield {
            "split": _("Equal lowest scores share the win."),
            "play_off": _("Equal lowest scores play another turn for it."),
            "carry_over": _("With equal lowest scores nobody wins the round.") if terms.match == "points" else again,
            "earlier_wins": _("Of equal lowest scores, the one that was played first wins."),
        }[terms.ties]


def _match(rules: Ruleset, words: Words) -> Iterator[str]:
    _, terms = words.gettext, rules.terms
    match terms.match:
        case "single":
            yield _("One round is the whole game.")
            return
        case "tournament":
            told = _("Rounds are played until somebody has {limit} points or more. Then the lowest total wins.")
            yield told.format(limit=limit_of(terms))
            yield {
                "after_round": _("That round is played to its end."),
                "at_once": _("The match ends at that moment, in the middle of a round too."),
            }[terms.match_end]
        case "drop-out":
            told = _("A player with {limit} points or more is out. The last player left wins.")
            yield told.format(limit=limit_of(terms))
            yield {
                "lowest": _("If all the players left go out together, the lowest total wins."),
                "replay": _("If all the players left go out together, they play the round again."),
            }[terms.all_drop]
        case "points":
            yield words.ngettext(
                "The winner of a round gets a point. After {rounds} round the most points win.",
                "The winner of a round gets a point. After {rounds} rounds the most points win.",
                terms.rounds,
            ).format(rounds=terms.rounds)
    yield {
        "extra_round": _("Players who are level at the end play another round for it."),
        "share": _("Players who are level at the end share the win."),
    }[terms.match_tie]


def _stakes(rules: Ruleset, words: Words) -> Iterator[str]:
    _, terms = words.gettext, rules.terms
    if not terms.stake:
        return
    if terms.has_running_totals:
        told = words.ngettext(
            "Everybody pays {stake} coin into the pool before the match, and its winner takes it.",
            "Everybody pays {stake} coins into the pool before the match, and its winner takes it.",
            terms.stake,
        )
    else:
        told = words.ngettext(
            "Everybody pays {stake} coin into the pool before a round, and its winner takes it.",
            "Everybody pays {stake} coins into the pool before a round, and its winner takes it.",
            terms.stake,
        )
    yield told.format(stake=terms.stake)
    if terms.ties == "carry_over" and not terms.has_running_totals:
        yield _("The pool of a round that nobody wins stays for the next one.")
    if terms.stakes_for_shut and terms.shut_wins:
        yield words.ngettext(
            "For a shut box that ends the round at once, all others pay {count} more stake.",
            "For a shut box that ends the round at once, all others pay {count} more stakes.",
            terms.stakes_for_shut,
        ).format(count=terms.stakes_for_shut)
    yield {
        "earliest_seat": _("Coins that cannot be shared go to the winner who sits first."),
        "latest_seat": _("Coins that cannot be shared go to the winner who sits last."),
    }[terms.odd_coin]
