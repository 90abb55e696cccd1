"""The places at the table as a terminal shows them: who holds them, who comes and goes, whose turn it is.

Pure functions of snapshots.
"""

from collections.abc import Iterator, Mapping, Sequence

from controller.game.core.actions import ActionKind
from controller.game.table.snapshot import Snapshot
from controller.messages.words import ENGLISH, Words

# The actions that a moment waits for; others do not decide whose turn it is.
_DUE: Mapping[str, tuple[ActionKind, ...]] = {
    "awaiting_throw": ("roll", "dice"),
    "choosing": ("choose",),
    "turn_lost": ("accept",),
}


def others_turn(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """Return the players whose turn it is, if other terminals act for all of them."""
    due = [action for action in snapshot.actions if action.kind in _DUE.get(snapshot.phase, ())]
    wanted = tuple(dict.fromkeys(name for action in due for name in action.by))
    return wanted if wanted and not any(acts_for(snapshot, names, name) for name in wanted) else ()


def acts_for(snapshot: Snapshot, names: Sequence[str], name: str) -> bool:
    """Return whether a terminal with the seats of `names` may act for this player."""
    return name in names or not any(seat.held for seat in snapshot.seats if seat.name == name)


def changes_of_seats(before: Snapshot, after: Snapshot, names: Sequence[str], words: Words = ENGLISH) -> Iterator[str]:
    """Iterate over a line for each seat of another terminal that changed hands, or whose player came or went."""
    known = {seat.name: seat for seat in before.seats}
    for seat in after.seats:
        was = known.get(seat.name)
        if was is None or seat.name in names or (was.held, was.here) == (seat.held, seat.here):
            continue
        if seat.held and seat.here:
            yield {
                "page": words.gettext("{name} plays at another page now."),
                "script": words.gettext("{name} plays at another script now."),
                "remote": words.gettext("{name} plays at the other box now."),
            }.get(seat.held, words.gettext("{name} plays at another terminal now.")).format(name=seat.name)
        elif seat.held:
            yield words.gettext("{name} is away.").format(name=seat.name)
        elif was.held:
            text = words.gettext(
                '{name} has left the seat. You can play for {name} at any terminal where nobody has typed "sit".'
            )
            if after.shared:
                text = words.gettext("{name} has left the seat. You can play for {name} here.")
            yield text.format(name=seat.name)


def changes_of_pace(before: Snapshot, after: Snapshot, names: Sequence[str], words: Words = ENGLISH) -> Iterator[str]:
    """Iterate over a line if somebody at another place pauses or resumes the game."""
    if after.event == before.event or after.by is None or after.by in names:
        return
    if after.phase == "parked" and before.phase != "parked":
        yield words.gettext("{name} pauses the game.").format(name=after.by)
    elif before.phase == "parked" and after.phase != "parked":
        yield words.gettext("{name} resumes the game.").format(name=after.by)


def names_in(line: str, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the players in `sit Ann Bob`, whatever the case of their names; none in `stand`."""
    rest = line.partition(" ")[2].replace(",", " ")
    known = {name.lower(): name for name in snapshot.players}
    if rest.strip().lower() in known:
        return (known[rest.strip().lower()],)
    return tuple(known.get(word.lower(), word) for word in rest.split())


def describe_seats(names: Sequence[str], words: Words = ENGLISH) -> str:
    """Return a sentence on the seats of this terminal."""
    if not names:
        return words.gettext("Players without their own terminal play here now.")
    text = words.ngettext(
        "Only {names} plays at this terminal now.", "Only {names} play at this terminal now.", len(names)
    )
    return text.format(names=words.all_of(names))
