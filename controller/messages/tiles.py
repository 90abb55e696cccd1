"""Sentences about tiles: those that hands have tipped, that were moved while the box was off, and that wear out."""

from collections.abc import Mapping

from controller.game.core.message import MessageKey
from controller.messages.speech import Sentence, Speech, plural, template


def _corrected(speech: Speech) -> str:
    shut, up = speech.texts("shut"), speech.texts("up")
    told = []
    if shut:
        text = speech.ngettext("{tiles} now counts as shut.", "{tiles} now count as shut.", len(shut))
        told.append(speech.fill(text, tiles=speech.tiles(shut)))
    if up:
        text = speech.ngettext("{tiles} now counts as up.", "{tiles} now count as up.", len(up))
        told.append(speech.fill(text, tiles=speech.tiles(up)))
    return " ".join(told)


def _differing(*more: Sentence) -> Sentence:
    """What was found, how it is put right, and what else may become of it."""

    def say(speech: Speech) -> str:
        told = [speech.gettext("Something moved while the box was off.")]
        # Tiles that were found alike are told together.
        alike: dict[tuple[str, str], list[str]] = {}
        for name, seen, expected in zip(*map(speech.texts, ("tiles", "seen", "expected")), strict=True):
            alike.setdefault((seen, expected), []).append(name)
        for (seen, expected), names in alike.items():
            text = _found_at(speech, seen, len(names), should_stand=expected == "OPEN")
            told.append(speech.fill(text, tiles=speech.tiles(names)))
        right = speech.by_number(
            "Put it right by hand and the game continues. Or keep your hands off and let the box do it.",
            "Put them right by hand and the game continues. Or keep your hands off and let the box do it.",
            "tiles",
        )
        return " ".join((*told, right, *(each(speech) for each in more)))

    return say


def _found_at(speech: Speech, seen: str, number: int, *, should_stand: bool) -> str:
    match seen, should_stand:
        case "OPEN", False:
            return speech.ngettext("{tiles} is up and should be down.", "{tiles} are up and should be down.", number)
        case "SHUT", True:
            return speech.ngettext("{tiles} is down and should be up.", "{tiles} are down and should be up.", number)
        case "BETWEEN", True:
            return speech.ngettext(
                "{tiles} is half way and should be up.", "{tiles} are half way and should be up.", number
            )
        case "BETWEEN", False:
            return speech.ngettext(
                "{tiles} is half way and should be down.", "{tiles} are half way and should be down.", number
            )
        case _, True:
            return speech.ngettext(
                "The sensors of {tiles} disagree; the tile should be up.",
                "The sensors of {tiles} disagree; the tiles should be up.",
                number,
            )
    return speech.ngettext(
        "The sensors of {tiles} disagree; the tile should be down.",
        "The sensors of {tiles} disagree; the tiles should be down.",
        number,
    )


def _counting(speech: Speech) -> str:
    """What becomes of tiles that are left as they are; those nobody moved may count otherwise, too."""
    shut, up = speech.texts("shut"), speech.texts("up")
    told = []
    if shut:
        text = speech.ngettext("{tiles} then counts as shut.", "{tiles} then count as shut.", len(shut))
        told.append(speech.fill(text, tiles=speech.tiles(shut)))
    if up:
        text = speech.ngettext("{tiles} then counts as up.", "{tiles} then count as up.", len(up))
        told.append(speech.fill(text, tiles=speech.tiles(up)))
    return " ".join(told)


TILES: Mapping[MessageKey, Sentence] = {
    "tiles.differing": _differing(),
    "tiles.differing_choice": _differing(
        plural("Or leave it: it then counts as your move.", "Or leave them: they then count as your move.", "tiles")
    ),
    "tiles.differing_game": _differing(
        plural("Or leave it: it then counts as it is.", "Or leave them: they then count as they are.", "tiles"),
        _counting,
    ),
    "tiles.brought": plural(
        "{tiles} was on its way when the power went; the box brings it there.",
        "{tiles} were on their way when the power went; the box brings them there.",
        "tiles",
    ),
    "board.corrected": _corrected,
    "hand.half_way": template("{tile} is half way: tip it all the way down, or put it up again."),
    "hand.incomplete": plural(
        "{tiles} is down: tip the rest of a move, or put it up again.",
        "{tiles} are down: tip the rest of a move, or put them up again.",
        "tiles",
    ),
    "hand.countdown": lambda speech: speech.by_number(
        "{tiles} is down: that counts as your move in {time}, unless you put it up again.",
        "{tiles} are down: that counts as your move in {time}, unless you put them up again.",
        "tiles",
        time=speech.by_number("{seconds} second", "{seconds} seconds", "seconds"),
    ),
    "wear.slower": lambda speech: speech.fill(
        {
            "down": speech.gettext("{tile} now takes {now} s to go down, {before} s before: check whether it rubs."),
            "up": speech.gettext("{tile} now takes {now} s to come up, {before} s before: check whether it rubs."),
        }[speech.text("way")],
        now=speech.seconds("now_s"),
        before=speech.seconds("before_s"),
    ),
    "wear.retried": template(
        "{tile} needed another try in {again} of its last {moves} moves: check its horn and its plug."
    ),
    "wear.unseen": plural(
        "{tile} was not seen moving for {games} game: run the self-test.",
        "{tile} was not seen moving for {games} games: run the self-test.",
        "games",
    ),
    "wear.more": plural("One more tile needs a look.", "{count} more tiles need a look.", "count"),
}
