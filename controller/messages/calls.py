"""What a caller says aloud of the table: a few short sentences, each once, and what only makes a sound."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.game.core.message import CATALOGUE, Message
from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words

# What a call is about, which also tells its sound: dice were read, tiles fall, another is at turn, something happened,
# the game is over, the box was shut, something is wrong with the box though the game goes on, somebody must help.
CallKind = Literal["throw", "move", "turn", "news", "end", "shut", "warning", "help"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call. It is made unless its key is among those of its kind that came last.

    Help is called for again once a moment came without it. text: a short sentence; empty where nothing is said.
    """

    kind: CallKind
    key: str
    text: str


def calls_of(snapshot: Snapshot, words: Words) -> Iterator[Call]:
    """Yield the calls of a moment, in the order in which they are made: first what happened, then what now."""
    moment, *others = snapshot.messages
    at = f"{snapshot.game_id}.{snapshot.event}"
    in_round = f"{snapshot.game_id}.{snapshot.round}"
    # The same throw is due again after a pause, or once a choice was taken back: events later, at the same board.
    thrown = f"{in_round}.{moment.args.get('player')}.{snapshot.board}.{moment.args.get('dice')}"
    for each in others:
        told, kind = words.say(each, snapshot.tiles), each.key.partition(".")[0]
        if _is_called(each):
            # It stands there for several events.
            yield Call("news", f"{in_round}.{told}", told)
        elif kind == "fault":
            yield Call("warning", f"{each.args['code']}.{each.args['part']}", told)
        elif each.severity == "help" and kind in _HELP and snapshot.eye != "rolling":
            yield Call("help", each.key, told)
    is_due = moment.key.startswith("throw.")
    # Noted, too, while they choose: their next throw is of the same turn.
    if is_due or "faces" in moment.args:
        player = moment.args["player"]
        next_up = words.gettext("{player} is next.").format(player=player) if is_due else ""
        yield Call("turn", f"{in_round}.{snapshot.rolling}.{player}", next_up)
    match moment.key.partition("."):
        case (_, _, "lost" | "missed"):
            nothing = words.gettext("Nothing fits.")
            yield Call("throw", thrown, f"{words.called(moment)} {nothing}")
        case ("choice", _, _) | (_, _, "lost_by_seven" | "lost_at_first"):
            yield Call("throw", thrown, words.called(moment))
        case ("tiles", _, "moving" | "restoring"):
            yield Call("move", at, "")
        case ("tiles", _, _) | ("game", _, "halted"):
            yield Call("help", f"{at}.{moment.key}", words.say(moment, snapshot.tiles))
        case ("game", _, "shut"):
            yield Call("shut", at, words.say(moment, snapshot.tiles))
        case ("game", _, "given_up" | "unwon" | "finished" | "won" | "shared"):
            yield Call("end", at, words.say(moment, snapshot.tiles))


# Of what came up meanwhile, what those at the table can help with: dice, the claim of a race, the lid.
_HELP = {"reading", "claim", "lid"}


def _is_called(message: Message) -> bool:
    """Return True for news; everybody sees the tiles that somebody has chosen."""
    return CATALOGUE[message.key].place == "news" and not message.key.startswith("choice.")


class Announcer:
    """Tells somebody who hears one snapshot after the other which calls are new, as `static/listen.js` does on a page.

    Of the first snapshot only help is called for: all else in it was before.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self._last: Mapping[CallKind, set[str]] | None = None

    def new_calls(self, snapshot: Snapshot) -> list[Call]:
        """Return the calls that are to be made now that the table stands so."""
        calls = [*calls_of(snapshot, self._words)]
        last = self._last
        if last is None:
            new = [call for call in calls if call.kind == "help"]
        else:
            new = [call for call in calls if call.key not in last.get(call.kind, ())]
        now: dict[CallKind, set[str]] = {"help": set()}
        for call in calls:
            now.setdefault(call.kind, set()).add(call.key)
        self._last = {**(last or {}), **now}
        return new
