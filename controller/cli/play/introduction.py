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
        "careless": words.pgettext("how the box plays", "any move that fits"),
        "casual": words.pgettext("how the box plays", "fairly well, with many a mistake"),
        "steady": words.pgettext("how the box plays", "well, with a mistake now and then"),
        "skilled": words.pgettext("how the box plays", "very well, with a small mistake now and then"),
        "perfect": words.pgettext("how the box plays", "without a mistake"),
    }
    house = words.gettext("The box plays for {names}: {how}. You throw the dice for it.")
    return [
        f"{game}: {form}",
        _describe_turn(rules, words),
        *_describe_one_die(rules, words),
        *_describe_back_row(rules, words),
        board,
        words.gettext(
            "On a real box you may tip tiles by hand, too: a move that fits counts after a moment. Where it says hands "
            "off, keep them away: the box moves the tiles."
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
            "All play on one board: everybody throws once, in turn, and shuts {what}; who cannot is out."
        )
    points = {
        "showing": words.gettext(
            "The numbers that still show, added up, are your points; whoever has the fewest wins."
        ),
        "standing": words.gettext(
            "All numbers that are still up, hidden ones too, added up, are your points; whoever has the fewest wins."
        ),
        "double_front": words.gettext(
            "All numbers that are still up, hidden ones too, added up, those in front twice, are your points; "
            "whoever has the fewest wins."
        ),
        "count": words.gettext("Each tile that still shows is a point; whoever has the fewest wins."),
        "digits": words.gettext(
            "The numbers that are still up, read as one number, are your points; whoever has the fewest wins."
        ),
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
            when = words.pgettext("behind: when", "a 1 alone shows")
        case "only1":
            when = words.pgettext("behind: when", "only the 1 is up")
        case "high_covered" if shows:
            when = words.pgettext("behind: when", "no number above 6 shows")
        case "high_covered":
            when = words.pgettext("behind: when", "7 and all higher numbers are shut")
        case _ if options.one_die_total == "standing":
            when = words.pgettext("behind: when", "all that is up makes {limit} or less together")
        case _:
            when = words.pgettext("behind: when", "all that shows makes {limit} or less together")
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
                "A hidden tile adds no points, and can be shut only together with the one before it."
            )
        case True, False:
            hidden = words.gettext("A hidden tile can be shut only together with the one before it.")
        case False, True:
            hidden = words.gettext(
                "A hidden tile adds no points, and can be shut only by a throw after the one before it was shut."
            )
        case _:
            hidden = words.gettext("A hidden tile can be shut only by a throw after the one before it was shut.")
    first, second = rules.layout.by_column[:2]
    text = words.gettext("Behind the {first} stands the {third}, behind the {second} the {fourth}, and so on.")
    marks = {"first": first[0].mark, "second": second[0].mark, "third": first[1].mark, "fourth": second[1].mark}
    return [f"{text.format(**marks)} {hidden}"]


def _describe_match(rules: Ruleset, words: Words) -> list[str]:
    terms = rules.terms
    match terms.match:
        case "points":
            text = words.ngettext(
                "{rounds} round is played; whoever wins most of them wins the match.",
                "{rounds} rounds are played; whoever wins most of them wins the match.",
                terms.rounds,
            )
            return [text.format(rounds=terms.rounds)]
        case "tournament":
            text = words.gettext("Points add up until somebody has {limit}; then whoever has the fewest wins.")
            return [text.format(limit=limit_of(terms))]
        case "drop-out":
            text = words.gettext("Points add up; at {limit} one is out, and the last one left wins.")
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
        "announced": words.gettext("Before each round everybody names one combination of the sheet, each but once."),
        "unannounced": words.gettext("Whoever shouts says which combination of the sheet it is, each but once."),
        "in_turn": words.gettext("Before each round one names a combination of the sheet for all."),
        "in_order": words.gettext("In each round all go for the next combination of the sheet."),
    }[rules.terms.challenge]
    round_ = words.gettext(
        "At GO all throw their six dice at once, keep what serves, and throw the others again, as fast as they can. "
        "Whoever has it shouts {shout} and takes the highest chip that is left."
    ).format(shout=f"{rules.name.title()}!")
    joker = words.gettext("A joker ({joker}) is whatever number one likes.")
    keeping = words.gettext("What one has kept may be thrown again.")
    if rules.options.keeping == "frozen":
        keeping = words.gettext("What one has kept stays for the round.")
    last = words.gettext("The last one takes the chip that is left.")
    if rules.terms.timer:
        last = words.ngettext(
            "The last one has {seconds} second, and without the combination no chip.",
            "The last one has {seconds} seconds, and without the combination no chip.",
            rules.terms.timer,
        ).format(seconds=rules.terms.timer)
    rounds = words.gettext("After {rounds} rounds the most points win.").format(rounds=len(rules.card.combinations))
    how: dict[Strength, str] = {
        "careless": words.pgettext("how the box races", "very slowly, and by eye"),
        "casual": words.pgettext("how the box races", "slowly, and by eye"),
        "steady": words.pgettext("how the box races", "at an easy pace, and by eye"),
        "skilled": words.pgettext("how the box races", "fast, and by the odds"),
        "perfect": words.pgettext("how the box races", "very fast, and by the odds"),
    }
    house = words.gettext("The box plays for {names} and throws their dice: {how}.")
    return [
        f"{game}: {words.gettext(rules.card.summary)}",
        challenge,
        round_,
        f"{joker.format(joker=joker_name(words, rules.card.joker))} {keeping}",
        words.gettext("On the sheet ▸ is what one races for. Of the chips [3] is there, and _3_ is taken."),
        f"{last} {rounds}",
        *_describe_house(house, how, players, words),
    ]
