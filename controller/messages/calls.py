"""What a caller says aloud of the table: a few short sentences, each once, and what only makes a sound."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from controller.game.core.message import CATALOGUE, Message
from controller.game.table.snapshot import Snapshot
from controller.messages.words import Words

# What a call is about, which also tells its sound: dice were read, tiles fall, another is at turn, something happened,
# the game is over, the box was shut, somebody must help.
CallKind = Literal["throw", "move", "turn", "news", "end", "shut", "help"]


@dataclass(frozen=True, slots=True)
class Call:
    """One call. It is made when its key is another than that of the last of its kind.

    text: a short sentence; empty for one that only makes a sound.
    """

    kind: CallKind
    key: str
    text: str


def calls_of(snapshot: Snapshot, words: Words) -> Iterator[Call]:
    """Yield the calls of a moment, in the order in which they are made: first what happened, then what now."""
    moment, *others = snapshot.messages
    at = f"{snapshot.game_id}.{snapshot.event}"
    if told := [each for each in others if _is_called(each)]:
        # It stands there for several events.
        news = words.say_all(told, snapshot.tiles)
        yield Call("news", f"{snapshot.game_id}.{snapshot.round}.{news}", news)
    for each in others:
        if each.severity == "help" and each.key.partition(".")[0] in _HELP:
            yield Call("help", f"{at}.{each.key}", words.say(each, snapshot.tiles))
    match moment.key.partition("."):
        case ("choice", _, _):
            yield Call("throw", at, words.called(moment))
        case (_, _, rest) if rest in _LOST:
            nothing = words.gettext("Nothing fits.")
            yield Call("throw", at, f"{words.called(moment)} {nothing}")
        case ("throw", _, _):
            player = str(moment.args["player"])
            yield Call(
                "turn",
                f"{snapshot.game_id}.{snapshot.round}.{snapshot.rolling}.{player}",
                words.gettext("{player} is next.").format(player=player),
            )
        case ("tiles", _, "moving" | "restoring"):
            yield Call("move", at, "")
        case ("tiles", _, _) | ("game", _, "halted"):
            yield Call("help", f"{at}.{moment.key}", words.say(moment, snapshot.tiles))
        case ("game", _, "shut"):
            yield Call("shut", at, words.say(moment, snapshot.tiles))
        case ("game", _, "given_up" | "unwon" | "finished" | "won" | "shared"):
            yield Call("end", at, words.say(moment, snapshot.tiles))


_LOST = {"lost", "lost_by_seven", "lost_at_first", "missed"}
# Of what came up meanwhile, what those at the table can help with: dice, the claim of a race, the lid, tiles.
_HELP = {"reading", "claim", "lid", "fault"}


def _is_called(message: Message) -> bool:
    """Return True for news; everybody sees the tiles that somebody has chosen."""
    return CATALOGUE[message.key].place == "news" and not message.key.startswith("choice.")
