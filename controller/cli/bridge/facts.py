"""What the bridge tells: the state of the table as one object, and what happens as an object each. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from controller.game.table.snapshot import Snapshot

EventType = Literal[
    "game_started",
    "throw",
    "choice",
    "score",
    "claim",
    "game_ended",
    "game_paused",
    "game_resumed",
    "fault",
    "fault_over",
]
# The tables of an export, as one says it of one row.
_OF_TABLE: Mapping[str, EventType] = {"throws": "throw", "choices": "choice", "scores": "score", "claims": "claim"}
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)


def state_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return the state that is kept at the broker. Keys are only ever added."""
    fault = snapshot.fault
    return {
        "say": snapshot.say,
        "phase": snapshot.phase,
        "on": snapshot.is_game_on,
        "game": snapshot.game,
        "game_id": snapshot.game_id,
        "event": snapshot.event,
        "round": snapshot.round,
        "players": list(snapshot.players),
        "turn": snapshot.turn if snapshot.is_game_on else None,
        "throw": list(snapshot.throw),
        "total": sum(snapshot.throw) if snapshot.throw and snapshot.race is None else None,
        "board": snapshot.board,
        "score_now": snapshot.score_now,
        "scores": dict(snapshot.scores),
        "standing": dict(snapshot.standing),
        "winners": list(snapshot.winners),
        "help": fault is not None or snapshot.phase == "differing",
        "fault": None if fault is None else {"code": fault.code, "part": fault.part, "cure": fault.cure},
        "lid": snapshot.lid,
        "simulated": snapshot.simulated,
    }


def changes(before: Snapshot | None, now: Snapshot) -> Iterator[dict[str, Any]]:
    """Yield what has happened to the game as a whole. before: None at the first look, when nothing is news."""
    if before is None:
        return
    if now.game_id > before.game_id:
        yield _event("game_started", now, game=now.game, players=list(now.players))
    is_same = now.game_id == before.game_id
    if now.phase == "ended" and not (is_same and before.phase == "ended"):
        yield _event("game_ended", now, winners=list(now.winners), scores={**(now.standing or now.scores)})
    if is_same and now.phase == "parked" and before.phase != "parked":
        yield _event("game_paused", now)
    if is_same and before.phase == "parked" and now.phase not in ("parked", "ended"):
        yield _event("game_resumed", now)
    if now.fault != before.fault:
        if now.fault is not None:
            told = {"code": now.fault.code, "part": now.fault.part, "cure": now.fault.cure}
            yield _event("fault", now, **told)
        else:
            yield _event("fault_over", now)


def row_event(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a row of a game's history as an event; None for a row of another kind."""
    kind = _OF_TABLE.get(str(row.get("table")))
    if kind is None:
        return None
    told = {name: value for name, value in row.items() if name not in ("table", "game", "event")}
    return {"event_type": kind, "game_id": row["game"], "event": row["event"], **told}


def _event(kind: EventType, snapshot: Snapshot, **told: object) -> dict[str, Any]:
    return {"event_type": kind, "game_id": snapshot.game_id, "event": snapshot.event, **told}
