"""What a race is about, in a few lines for somebody who sits down at it for the first time."""

from collections.abc import Mapping, Sequence

from controller.game import Player, Strength
from controller.rules.fleet import FleetRules, fleet_rules_of
from controller.words import Words, joker_name


def introduce_race(game: str, options: Mapping[str, object], players: Sequence[Player], words: Words) -> list[str]:
    """The lines before a race: what a round is for, what is done in it, what chips are, and who the house is."""
    rules = fleet_rules_of(game, options)
    rounds = words.gettext("After {rounds} rounds the most points win.").format(rounds=len(rules.card.combinations))
    return [
        f"{game}: {words.gettext(rules.card.summary)}",
        _describe_challenge(rules, words),
        _describe_round(rules, words),
        f"{_describe_joker(rules, words)} {_describe_keeping(rules, words)}",
        words.gettext("On the sheet ▸ is what one races for. Of the chips [3] is there, and _3_ is taken."),
        f"{_describe_last(rules, words)} {rounds}",
        *_describe_house(players, words),
    ]


def _describe_challenge(rules: FleetRules, words: Words) -> str:
    return {
        "announced": words.gettext("Before each round everybody names one combination of the sheet, each but once."),
        "unannounced": words.gettext("Whoever shouts says which combination of the sheet it is, each but once."),
        "in_turn": words.gettext("Before each round one names a combination of the sheet for all."),
        "in_order": words.gettext("In each round all go for the next combination of the sheet."),
    }[rules.terms.challenge]


def _describe_round(rules: FleetRules, words: Words) -> str:
    text = words.gettext(
        "At GO all throw their six dice at once, keep what serves, and throw the others again, as fast as they can. "
        "Whoever has it shouts {shout} and takes the highest chip that is left."
    )
    return text.format(shout=f"{rules.name.title()}!")


def _describe_joker(rules: FleetRules, words: Words) -> str:
    text = words.gettext("A joker ({joker}) is whatever number one likes.")
    return text.format(joker=joker_name(words, rules.card.joker))


def _describe_keeping(rules: FleetRules, words: Words) -> str:
    if rules.options.keeping == "frozen":
        return words.gettext("What one has kept stays for the round.")
    return words.gettext("What one has kept may be thrown again.")


def _describe_last(rules: FleetRules, words: Words) -> str:
    if not rules.terms.timer:
        return words.gettext("The last one takes the chip that is left.")
    text = words.ngettext(
        "The last one has {seconds} second, and without the combination no chip.",
        "The last one has {seconds} seconds, and without the combination no chip.",
        rules.terms.timer,
    )
    return text.format(seconds=rules.terms.timer)


def _describe_house(players: Sequence[Player], words: Words) -> list[str]:
    """Who races for the box, and how well: it throws its dice itself."""
    by_strength: dict[Strength, list[str]] = {}
    for player in players:
        if player.house and player.strength is not None:
            by_strength.setdefault(player.strength, []).append(player.name)
    text = words.gettext("The box plays for {names} and throws their dice: {how}.")
    return [
        text.format(names=words.all_of(names), how=_describe_strength(strength, words))
        for strength, names in by_strength.items()
    ]


def _describe_strength(strength: Strength, words: Words) -> str:
    return {
        "careless": words.pgettext("how the box races", "very slowly, and by eye"),
        "casual": words.pgettext("how the box races", "slowly, and by eye"),
        "steady": words.pgettext("how the box races", "at an easy pace, and by eye"),
        "skilled": words.pgettext("how the box races", "fast, and by the odds"),
        "perfect": words.pgettext("how the box races", "very fast, and by the odds"),
    }[strength]
