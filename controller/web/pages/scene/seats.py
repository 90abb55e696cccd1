"""The seats with their scores, as a page lists them."""

from dataclasses import dataclass

from controller.game.table.snapshot import SeatView, Snapshot
from controller.words.words import Words


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """One seat.

    detail: the strength of the house, the place of the player, or whether they are away, out or have won.
    score: of this round; None before there is one.
    is_open: the score is that of the open tiles, in a turn that is not over.
    total: of the match; None for a single round.
    coins: balance of coins won and paid; None without stakes.
    """

    name: str
    detail: str
    score: int | None
    is_open: bool
    at_turn: bool
    won: bool
    total: int | None
    coins: int | None


def draw_seats(snapshot: Snapshot, words: Words) -> tuple[DrawnSeat, ...]:
    """Return every seat, in the order of the snapshot."""
    drawn = []
    for seat in snapshot.seats:
        score = snapshot.scores.get(seat.name)
        at_turn = seat.name == snapshot.turn and snapshot.phase != "ended"
        is_open = at_turn and score is None and not snapshot.rolling
        drawn.append(
            DrawnSeat(
                name=seat.name,
                detail=_detail(seat, snapshot, words, at_turn=at_turn),
                score=snapshot.score_now if is_open else score,
                is_open=is_open,
                at_turn=at_turn,
                won=seat.name in snapshot.winners,
                total=snapshot.standing.get(seat.name),
                coins=snapshot.coins.get(seat.name),
            )
        )
    return tuple(drawn)


def describe_counting(snapshot: Snapshot, words: Words) -> str:
    """Explain how points are counted in this game, in a sentence: they can rise when a tile is revealed."""
    _ = words.gettext
    has_rows = any(tile.row > 1 for tile in snapshot.tiles)
    return {
        "showing": _("Every number you see counts, in the back row too: the fewest points win.")
        if has_rows
        else _("Every number you see counts: the fewest points win."),
        "standing": _("Every number that stands counts, hidden too: the fewest points win."),
        "double_front": _("Every number that stands counts, in front twice: the fewest points win."),
        "count": _("Each tile you see counts one: the fewest points win."),
        "digits": _("What you see is read as one number, from the left: the lowest wins."),
    }.get(str(snapshot.options.get("score")), "")


def _detail(seat: SeatView, snapshot: Snapshot, words: Words, *, at_turn: bool) -> str:
    _ = words.gettext
    if seat.name in snapshot.winners:
        return _("has won")
    if not seat.plays:
        return _("out of the match")
    if seat.house is not None:
        # Whole phrases, unlike `strength_name`: in French the adjective agrees with the gender of the house.
        return {
            "careless": _("the house, careless"),
            "casual": _("the house, casual"),
            "steady": _("the house, steady"),
            "skilled": _("the house, skilled"),
            "perfect": _("the house, perfect"),
        }[seat.house]
    if seat.held is None:
        return _("plays now") if at_turn else ""
    if not seat.here:
        return _("away")
    places = {"page": _("on a page of their own"), "terminal": _("at the terminal")}
    return places.get(seat.held, _("through a program"))
