"""A combination as people type it: its number on the sheet, or a part of its name that no other one has."""

from collections.abc import Sequence

from controller.cli.not_understood import NotUnderstood
from controller.game.fleet.engine import RaceView
from controller.words.names import combination_title
from controller.words.words import Words


def parse_combination(typed: Sequence[str], race: RaceView, words: Words) -> str:
    """Return the name of a combination. Raises `NotUnderstood` if the sheet has none or several that fit."""
    text = " ".join(typed)
    names = [row.name for row in race.rows]
    if text.isascii() and text.isdigit() and len(text) < 3:
        number = int(text)
        if 1 <= number <= len(names):
            return names[number - 1]
        raise NotUnderstood(words.gettext("The combinations are numbered 1 to {last}.").format(last=len(names)))
    found = matching(text, race, words)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotUnderstood(words.gettext("{typed} is no combination of this sheet.").format(typed=repr(text)))
    titles = words.one_of(combination_title(words, name, race.joker) for name in found)
    raise NotUnderstood(words.gettext("Say more of it: {titles}?").format(titles=titles))


def matching(text: str, race: RaceView, words: Words) -> list[str]:
    """Return the combinations that a text may mean: those that it is, else that begin with it, else that contain it."""
    wanted = _plain(text)
    known = {row.name: (_plain(row.name), _plain(combination_title(words, row.name, race.joker))) for row in race.rows}
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [name for name, calls in known.items() if wanted and any(fits(call, wanted) for call in calls)]
        if found:
            return found
    return []


def _plain(text: str) -> str:
    return text.lower().replace("-", " ")
