"""The changes in a race that are no events: the count, dice that were thrown here, the time left."""

from collections.abc import Iterator, Sequence

from controller.cli.places import acts_for
from controller.cli.race.drawing import tell_dice, tell_time_left
from controller.cli.race.whose import column_of
from controller.game.table.snapshot import Snapshot
from controller.words.words import Words

_COUNTED = 3  # 1-2-3-GO
_TOLD_AT_S = frozenset({60, 30, 20, 10, 5, 3, 2, 1})  # of the last player's time: a line each second would be too many


def race_changes(before: Snapshot | None, after: Snapshot, names: Sequence[str], words: Words) -> Iterator[str]:
    """Iterate over the new lines for a terminal with the seats of `names`."""
    race, was = after.race, before.race if before is not None else None
    if before is None or race is None or was is None or before.game_id != after.game_id:
        return
    if after.phase == "counting" and after.countdown_s not in (None, before.countdown_s):
        yield f"{_COUNTED + 1 - (after.countdown_s or 0)} ..."
    people = [seat.name for seat in after.seats if seat.house is None and acts_for(after, names, seat.name)]
    for column in race.columns:
        old = column_of(before, column.player)
        if column.player in people and column.dice and (column.dice, column.kept) != (old.dice, old.kept):
            yield tell_dice(column, race, words)
    if race.left_s != was.left_s and race.left_s in _TOLD_AT_S and after.phase == "racing":
        yield tell_time_left(race.left_s, words)


def only_time_passed(before: Snapshot, after: Snapshot) -> bool:
    """Return whether nothing has changed in a race but the time of the last player."""
    if before.race is None or after.race is None or before.phase != after.phase or before.say != after.say:
        return False
    return before.race.left_s != after.race.left_s and before.news == after.news


def is_drawn(before: Snapshot | None, after: Snapshot) -> bool:
    """Return whether the sheet is drawn again: at the beginning of a round, and once its combinations are known."""
    if before is None:
        return True
    if before.phase == after.phase:
        return False
    # A player who names for all has the sheet in view already.
    return after.phase == "naming" or (after.phase == "ready" and after.options.get("challenge") != "in_turn")
