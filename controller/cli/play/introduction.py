"""The introduction of a game: a few lines for somebody who sits down at it for the first time."""

from collections.abc import Mapping, Sequence

from controller.game.core.players import Player, Strength
from controller.game.shutbox.match import limit_of
from controller.messages.names import joker_name
from controller.messages.words import ENGLISH, Words
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.tiles import NO_MARKS, Marks


def introduce(
    game: str,
    options: Mapping[str, object],
    marks: Marks = NO_MARKS,
    players: Sequence[Player] = (),
    words: Words = ENGLISH,
) -> list[str]:
    """Return the lines: what a turn is, how the board is drawn, what hands may do, and who plays for the house."""
    if game in CARDS:
        return _introduce_race(game, options, players, words)
    rules = rules_of(game, options, marks)
    form = words.gettext("{rows} rows, one behind the other.").format(rows=rules.layout.rows)
    if rules.is_as_published and " When " not in rules.preset.summary:
        # The summary of the game holds; when one die is thrown has a line of its own.
        form = words.gettext(rules.preset.summary)
    elif rules.layout.rows == 1:
        form = words.gettext("One row.")
    board = words.gettext("On the board [9] is up, _9_ is shut, and !9! is not where it should be.")
    if rules.layout.rows > 1:
        board = words.gettext(
            "On the board [9] is up, (9) is hidden behind another, _9_ is shut, and !9! is not where it should be."
        )
    how: dict[Strength, str] = {
        "careless": words.pgettext("how the box plays", "with any move that fits"),
        "casual": words.pgettext("how the box plays", "fairly well, with many mistakes"),
        "steady": words.pgettext("how the box plays", "well, with a mistake now and then"),
        "skilled": words.pgettext("how the box plays", "very well, with a small mistake now and then"),
        "perfect": words.pgettext("how the box plays", "without a mistake"),
    }
    house = words.gettext("The box plays {names} {how}. You throw the dice for it.")
    return [
        f"{game}: {form}",
        _describe_turn(rules, words),
        *_describe_one_die(rules, words),
        *_describe_back_row(rules, words),
        board,
        words.gettext(
            "On a real box you may tip tiles by hand, too: a move that fits counts after a moment. When it "
            'says "hands off", keep your hands away: the box is moving the tiles.'
        ),
        *_describe_match(rules, words),
        *_describe_house(house, how, players, words),
    ]


def _describe_turn(rules: Ruleset, words: Words) -> str:
    what = words.pgettext("what is shut", "tiles that add up to the throw")
    if rules.options.each_die:
        what = words.pgettext("what is shut", "the tile of one of the dice, or of their sum")
    elif rules.layout.dominoes and rules.options.domino_match != "any_total":
        what = words.pgettext("what is shut", "a domino that fits")
    if rules.terms.race == "rotation":
        text = words.gettext("Everybody throws once, in turn, and shuts {what}. Whoever shuts the box first wins.")
        return text.format(what=what)
    text = words.gettext("Throw, shut {what}, and throw again, until nothing fits.")
    if rules.terms.alternate:
        text = words.gettext(
            "Everybody plays on one board. Players throw once each, in turn, and shut {what}; a player who "
            "cannot is out."
        )
    points = {
        "showing": words.gettext("Your points are the sum of the numbers still showing. The lowest score wins."),
        "standing": words.gettext(
            "Your points are the sum of all numbers still up, hidden ones included. The lowest score wins."
        ),
        "double_front": words.gettext(
            "Your points are the sum of all numbers still up, hidden ones included and the front row counted "
            "twice. The lowest score wins."
        ),
        "count": words.gettext("Each tile that still shows is a point. The lowest score wins."),
        "digits": words.gettext("Your points are the numbers still up, read as one number. The lowest score wins."),
    }[rules.options.score]
    return f"{text.format(what=what)} {points}"


def _describe_one_die(rules: Ruleset, words: Words) -> list[str]:
    options = rules.options
    if not rules.may_throw_fewer:
        return []
    # Hidden tiles may stand behind the tiles that show.
    shows = rules.layout.rows > 1 and options.one_die_total == "showing"
    match options.one_die:
        case "only1" if shows:
            when = words.pgettext("behind: when", "only a 1 shows")
        case "only1":
            when = words.pgettext("behind: when", "only the 1 is up")
        case "high_covered" if shows:
            when = words.pgettext("behind: when", "no number above 6 shows")
        case "high_covered":
            when = words.pgettext("behind: when", "7 and all higher numbers are shut")
        case _ if options.one_die_total == "standing":
            when = words.pgettext("behind: when", "the tiles still up add up to {limit} or less")
        case _:
            when = words.pgettext("behind: when", "the numbers still showing add up to {limit} or less")
    text = words.gettext("When {when}, you may throw one die.")
    if options.one_die_forced:
        text = words.gettext("When {when}, you throw one die.")
    return [text.format(when=when.format(limit=options.one_die_limit))]


def _describe_back_row(rules: Ruleset, words: Words) -> list[str]:
    if rules.layout.rows == 1 or rules.layout.columns == 1:
        return []
    match rules.takes_revealed, rules.options.score in ("showing", "count"):
        case True, True:
            hidden = words.gettext(
                "A hidden tile scores nothing. You can shut it only together with the tile in front of it."
            )
        case True, False:
            hidden = words.gettext("You can shut a hidden tile only together with the tile in front of it.")
        case False, True:
            hidden = words.gettext(
                "A hidden tile scores nothing. You cannot shut it with the same throw as the tile in front of it, "
                "only with a later one."
            )
        case _:
            hidden = words.gettext(
                "You cannot shut a hidden tile with the same throw as the tile in front of it, only with a later one."
            )
    first, second = rules.layout.by_column[:2]
    text = words.gettext("The {third} is behind the {first}, the {fourth} behind the {second}, and so on.")
    marks = {"first": first[0].mark, "second": second[0].mark, "third": first[1].mark, "fourth": second[1].mark}
    return [f"{text.format(**marks)} {hidden}"]


def _describe_match(rules: Ruleset, words: Words) -> list[str]:
    terms = rules.terms
    match terms.match:
        case "points":
            text = words.ngettext(
                "The match has {rounds} round. The player who wins it wins the match.",
                "The match has {rounds} rounds. The player who wins most of them wins the match.",
                terms.rounds,
            )
            return [text.format(rounds=terms.rounds)]
        case "tournament":
            text = words.gettext("Points add up until somebody has {limit}. Then the lowest score wins.")
            return [text.format(limit=limit_of(terms))]
        case "drop-out":
            text = words.gettext("Points add up. A player with {limit} is out, and the last player left wins.")
            return [text.format(limit=limit_of(terms))]
    return []


def _describe_house(text: str, how: Mapping[Strength, str], players: Sequence[Player], words: Words) -> list[str]:
    by_strength: dict[Strength, list[str]] = {}
    for player in players:
        if player.house and player.strength is not None:
            by_strength.setdefault(player.strength, []).append(player.name)
    return [text.format(names=words.all_of(names), how=how[strength]) for strength, names in by_strength.items()]


def _introduce_race(game: str, options: Mapping[str, object], players: Sequence[Player], words: Words) -> list[str]:
    rules = fleet_rules_of(game, options)
    challenge = {
        "announced": words.gettext(
            "Before each round, every player names one combination from the sheet. "
            "Each player can name each combination only once."
        ),
        "unannounced": words.gettext(
            "A player who shouts says which combination it is. Each player can use each combination only once."
        ),
        "in_turn": words.gettext("Before each round, one player names a combination from the sheet for everybody."),
        "in_order": words.gettext("In each round, everybody races for the next combination on the sheet."),
    }[rules.terms.challenge]
    round_ = words.gettext(
        "At GO everybody throws their six dice, keeps the useful ones and throws the others again, as "
        "fast as they can. A player who has the combination shouts {shout} and takes the highest chip left."
    ).format(shout=f"{rules.name.title()}!")
    joker = words.gettext("A joker ({joker}) counts as any number you like.")
    keeping = words.gettext("You may throw kept dice again.")
    if rules.options.keeping == "frozen":
        keeping = words.gettext("Dice that you keep stay for the round.")
    last = words.gettext("The last player takes the last chip.")
    if rules.terms.timer:
        last = words.ngettext(
            "The last player has {seconds} second, and gets no chip without the combination.",
            "The last player has {seconds} seconds, and gets no chip without the combination.",
            rules.terms.timer,
        ).format(seconds=rules.terms.timer)
    rounds = words.gettext("After {rounds} rounds the most points win.").format(rounds=len(rules.card.combinations))
    how: dict[Strength, str] = {
        "careless": words.pgettext("how the box races", "very slowly and by eye"),
        "casual": words.pgettext("how the box races", "slowly and by eye"),
        "steady": words.pgettext("how the box races", "at an easy pace and by eye"),
        "skilled": words.pgettext("how the box races", "fast and by the odds"),
        "perfect": words.pgettext("how the box races", "very fast and by the odds"),
    }
    house = words.gettext("The box throws the dice for {names} and plays {how}.")
    return [
        f"{game}: {words.gettext(rules.card.summary)}",
        challenge,
        round_,
        f"{joker.format(joker=joker_name(words, rules.card.joker))} {keeping}",
        words.gettext("On the sheet, ▸ marks the combination you are racing for. Chip [3] is free, _3_ is taken."),
        f"{last} {rounds}",
        *_describe_house(house, how, players, words),
    ]
