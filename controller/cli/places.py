"""The places at the table as a terminal tells of them: whose they are, who comes and goes, which ones are asked for.

Pure functions of snapshots, as in `typed.py`.
"""

from collections.abc import Iterator, Sequence

from controller.game import OF_TURN, Snapshot, join_and


def others_turn(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """The players for whom others act, where the turn is theirs; none where it may be this terminal's."""
    wanted = tuple(dict.fromkeys(name for action in snapshot.actions if action.kind in OF_TURN for name in action.by))
    elsewhere = {seat.name for seat in snapshot.seats if seat.held and seat.name not in names}
    return wanted if wanted and elsewhere.issuperset(wanted) else ()


def changes_of_seats(before: Snapshot, after: Snapshot, names: Sequence[str]) -> Iterator[str]:
    """A line for each seat, but for this terminal's own, that was taken or given back, or whose player came or went."""
    known = {seat.name: seat for seat in before.seats}
    for seat in after.seats:
        was = known.get(seat.name)
        if was is None or seat.name in names or (was.held, was.here) == (seat.held, seat.here):
            continue
        if seat.held and seat.here:
            yield f"{seat.name} sits down at another {seat.held}."
        elif seat.held:
            yield f"{seat.name} is away."
        elif was.held:
            yield f"{seat.name}'s seat is free."


def changes_of_pace(before: Snapshot, after: Snapshot, names: Sequence[str]) -> Iterator[str]:
    """A line if somebody at another place pauses the game, or has it go on."""
    if after.event == before.event or after.by is None or after.by in names:
        return
    if after.phase == "parked" and before.phase != "parked":
        yield f"{after.by} pauses the game."
    elif before.phase == "parked" and after.phase != "parked":
        yield f"{after.by} goes on with the game."


def names_in(line: str, snapshot: Snapshot) -> tuple[str, ...]:
    """The players in `sit Ann Bob`, by their names in whatever case; none in `stand`."""
    rest = line.partition(" ")[2].replace(",", " ")
    known = {name.lower(): name for name in snapshot.players}
    if rest.strip().lower() in known:
        return (known[rest.strip().lower()],)
    return tuple(known.get(word.lower(), word) for word in rest.split())


def describe_seats(names: Sequence[str]) -> str:
    """Which seats this terminal has."""
    if not names:
        return "This terminal plays for everybody who has no place of his own."
    return f"This terminal plays for {join_and(names)}, and nobody else does."
