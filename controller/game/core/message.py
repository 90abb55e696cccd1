"""A message to people: a key with its arguments. `controller.messages` alone holds its sentence, in every language.

`CATALOGUE` is the table of all keys. A new message has its key and its entry here, and its sentence there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

# Where a snapshot says it: of this moment, of what came up meanwhile, or of what happened last.
Place = Literal["moment", "notice", "news"]
# The languages that messages are said in; a further one is a catalogue in `controller/messages/locale`.
Language = Literal["en", "de", "fr"]

# news: to know. question: the players are to act. help: the box needs a hand or somebody who sees to it.
Severity = Literal["news", "question", "help"]
# Data of a sentence, plain in JSON: names, tiles, dice, numbers, codes; of a failure its cause, as whoever repairs the
# box reads it.
Datum = str | int | float | tuple[str, ...] | tuple[int, ...] | tuple[tuple[int, ...], ...] | Mapping[str, int]

MessageKey = Literal[
    "table.idle",
    "job.under_way",
    "throw.for_start",
    "throw.awaited",
    "throw.pondered",
    "throw.wished",
    "choice.due",
    "choice.pondered",
    "turn.lost",
    "turn.lost_by_seven",
    "turn.lost_at_first",
    "turn.missed",
    "round.lost_by_seven",
    "turn.done",
    "tiles.moving",
    "tiles.restoring",
    "game.halted",
    "game.paused",
    "tiles.differing",
    "tiles.differing_choice",
    "tiles.differing_game",
    "game.given_up",
    "game.unwon",
    "game.finished",
    "game.shut",
    "game.won",
    "game.shared",
    "throw.corrected",
    "throw.corrected_by",
    "board.corrected",
    "choice.explained",
    "choice.made",
    "choice.revealed",
    "choice.undone",
    "turn.undone",
    "start.thrown",
    "start.decided",
    "start.level",
    "turn.ended",
    "turn.forfeited",
    "round.tied",
    "round.won",
    "round.unwon",
    "round.begun",
    "match.totals",
    "match.points",
    "match.out",
    "match.coins",
    "race.rolling_off",
    "race.naming",
    "race.naming_for_all",
    "race.ready",
    "race.ready_for",
    "race.counting",
    "race.running",
    "race.last",
    "race.shouted",
    "race.pressed",
    "race.tiles",
    "race.rolled",
    "race.namer",
    "race.level",
    "race.named",
    "race.named_for_all",
    "race.go",
    "race.shout",
    "race.withdrawn",
    "race.refused",
    "race.refused_no_chip",
    "race.taken",
    "race.shared",
    "race.last_chip",
    "race.voided",
    "race.time_up",
    "race.unfinished",
    "race.round_ended",
    "race.returned",
    "race.thrown_anew",
    "claim.missing",
    "claim.too_few",
    "claim.too_many",
    "claim.mixed",
    "claim.stranger",
    "claim.several",
    "claim.typed",
    "record.first",
    "record.beaten",
    "record.standing",
    "record.unreadable",
    "journal.damaged",
    "journal.newer",
    "journal.lost",
    "journal.unmarked",
    "journal.closed",
    "journal.in_memory",
    "game.resumed",
    "game.comparing",
    "tiles.brought",
    "game.unreadable",
    "game.undecidable",
    "layout.front_row",
    "layout.rows",
    "dice.unreadable",
    "hand.half_way",
    "hand.incomplete",
    "hand.countdown",
    "hand.wrong",
    "house.counting",
    "lid.closed",
    "wear.slower",
    "wear.retried",
    "wear.unseen",
    "wear.more",
    "reading.moving",
    "reading.cocked",
    "reading.stacked",
    "reading.off_field",
    "reading.hand",
    "reading.unexplained",
    "reading.too_many",
    "reading.too_few",
    "reading.glare",
    "reading.blurred",
    "reading.camera_moved",
    "reading.stale",
    "reading.unsure",
    "access.damaged",
    "access.guessed",
    "access.pairing",
    "access.given",
    "access.not_given",
    "fault",
    "error",
]


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that is said to people; `compose` makes it.

    key: what is said, for good: programs compare it. text: the same in English, complete. args: the data in it.
    """

    # The text is filled in where a snapshot is published; within the game it is empty.

    key: MessageKey
    text: str
    args: Mapping[str, Datum]
    severity: Severity


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is fixed for a key: where it is said, how grave it is, and the names of its arguments."""

    place: Place
    severity: Severity
    args: tuple[str, ...]


_THROWN = ("player", "dice", "faces", "total")
_MOTIVE = ("ground", "worth", "best", "best_worth", "wins", "played_out", "guessed")
_FAULT = ("code", "part", "expected", "seen", "cure")
_WON = ("player", "score", "rounds", "match")
_READ = ("likely",)
_DIFFERING = ("tiles", "seen", "expected")
_CORRECTED = ("read", "dice", "faces_read", "faces")
_AWAITED = ("player", "thrower", "by_house", "counts", "sides")
_COUNTING = ("shut", "up")
_ROUND = ("round", "rounds")
_CALLED = ("player", "combination", "joker")
_CLAIMED = (*_CALLED, "dice")
# typed: 1 where a person has said what the dice show, and no camera. missing: the few ways to complete a combination;
# short: how many dice it lacks.
_REFUSED = (*_CLAIMED, "missing", "short")
CATALOGUE: Mapping[MessageKey, Entry] = {
    # This moment: whose turn it is, what now, what the box waits for.
    "table.idle": Entry("moment", "question", ()),
    "job.under_way": Entry("moment", "news", ("kind", "progress", "words")),
    "throw.for_start": Entry("moment", "question", (*_AWAITED, "first")),
    "throw.awaited": Entry("moment", "question", _AWAITED),
    "throw.pondered": Entry("moment", "news", _AWAITED),
    "throw.wished": Entry("moment", "question", (*_AWAITED, "wanted")),
    "choice.due": Entry("moment", "question", _THROWN),
    "choice.pondered": Entry("moment", "news", _THROWN),
    "turn.lost": Entry("moment", "question", (*_THROWN, "points")),
    "turn.lost_by_seven": Entry("moment", "question", (*_THROWN, "points")),
    "turn.lost_at_first": Entry("moment", "question", (*_THROWN, "points", "number")),
    "turn.missed": Entry("moment", "question", _THROWN),
    "round.lost_by_seven": Entry("moment", "question", (*_THROWN, "points")),
    "turn.done": Entry("moment", "news", ("player",)),
    "tiles.moving": Entry("moment", "news", ("player",)),
    "tiles.restoring": Entry("moment", "news", ()),
    "game.halted": Entry("moment", "help", _FAULT),
    "game.paused": Entry("moment", "question", ()),
    "tiles.differing": Entry("moment", "question", _DIFFERING),
    "tiles.differing_choice": Entry("moment", "question", _DIFFERING),
    "tiles.differing_game": Entry("moment", "question", (*_DIFFERING, *_COUNTING)),
    "game.given_up": Entry("moment", "news", ()),
    "game.unwon": Entry("moment", "news", ()),
    "game.finished": Entry("moment", "news", _WON),
    "game.shut": Entry("moment", "news", _WON),
    "game.won": Entry("moment", "news", _WON),
    "game.shared": Entry("moment", "news", ("players", "score", "rounds", "match")),
    "race.rolling_off": Entry("moment", "question", ("players", "first")),
    "race.naming": Entry("moment", "question", ("players", *_ROUND)),
    "race.naming_for_all": Entry("moment", "question", ("player", *_ROUND)),
    "race.ready": Entry("moment", "question", _ROUND),
    "race.ready_for": Entry("moment", "question", ("combination", "joker", *_ROUND)),
    "race.counting": Entry("moment", "news", _ROUND),
    "race.running": Entry("moment", "question", ("players", *_ROUND)),
    "race.last": Entry("moment", "question", ("player", "seconds")),
    "race.shouted": Entry("moment", "question", (*_CALLED, "dice_lie")),
    "race.pressed": Entry("moment", "question", ()),
    "race.tiles": Entry("moment", "news", ()),
    "game.comparing": Entry("moment", "news", ()),
    # What came up meanwhile.
    "race.thrown_anew": Entry("notice", "news", ("players",)),
    "claim.missing": Entry("notice", "help", ("player", "colour")),
    "claim.too_few": Entry("notice", "help", ("player", "colour", "seen")),
    "claim.too_many": Entry("notice", "help", ("colour", "seen")),
    "claim.mixed": Entry("notice", "help", ("colour", "other", "seen")),
    "claim.stranger": Entry("notice", "help", ("other",)),
    "claim.several": Entry("notice", "help", ()),
    "claim.typed": Entry("notice", "question", ()),
    "journal.damaged": Entry("notice", "help", ("kept",)),
    "journal.newer": Entry("notice", "help", ()),
    "journal.lost": Entry("notice", "help", ("game_id", "events", "lost")),
    "journal.unmarked": Entry("notice", "help", ()),
    "journal.closed": Entry("notice", "help", ("code", "cause", "file", "owner")),
    "journal.in_memory": Entry("notice", "help", ()),
    "game.resumed": Entry("notice", "news", ()),
    "tiles.brought": Entry("notice", "news", ("tiles",)),
    "game.unreadable": Entry("notice", "help", ("code", "cause")),
    "game.undecidable": Entry("notice", "question", ()),
    "layout.front_row": Entry("notice", "news", ()),
    "layout.rows": Entry("notice", "news", ("rows",)),
    "dice.unreadable": Entry("notice", "question", ("sides",)),
    "hand.half_way": Entry("notice", "question", ("tile",)),
    "hand.incomplete": Entry("notice", "question", ("tiles",)),
    "hand.countdown": Entry("notice", "question", ("tiles", "seconds")),
    "hand.wrong": Entry("notice", "news", ("tiles", "dice")),
    "house.counting": Entry("notice", "news", ("player",)),
    "lid.closed": Entry("notice", "help", ()),
    "wear.slower": Entry("notice", "help", ("tile", "way", "now_s", "before_s")),
    "wear.retried": Entry("notice", "help", ("tile", "again", "moves")),
    "wear.unseen": Entry("notice", "help", ("tile", "games")),
    "wear.more": Entry("notice", "help", ("count",)),
    "reading.moving": Entry("notice", "help", _READ),
    "reading.cocked": Entry("notice", "help", _READ),
    "reading.stacked": Entry("notice", "help", _READ),
    "reading.off_field": Entry("notice", "help", _READ),
    "reading.hand": Entry("notice", "help", _READ),
    "reading.unexplained": Entry("notice", "help", _READ),
    "reading.too_many": Entry("notice", "help", _READ),
    "reading.too_few": Entry("notice", "help", _READ),
    "reading.glare": Entry("notice", "help", _READ),
    "reading.blurred": Entry("notice", "help", _READ),
    "reading.camera_moved": Entry("notice", "help", _READ),
    "reading.stale": Entry("notice", "help", _READ),
    "reading.unsure": Entry("notice", "help", _READ),
    "access.damaged": Entry("notice", "help", ()),
    "access.guessed": Entry("notice", "help", ("wrong",)),
    "access.pairing": Entry("notice", "question", ("name", "number")),
    "access.given": Entry("notice", "news", ("name",)),
    "access.not_given": Entry("notice", "news", ("name",)),
    "fault": Entry("notice", "help", _FAULT),
    "error": Entry("notice", "help", ("code", "cause")),
    # What has happened.
    "throw.corrected": Entry("news", "news", _CORRECTED),
    "throw.corrected_by": Entry("news", "news", ("player", *_CORRECTED)),
    "board.corrected": Entry("news", "news", _COUNTING),
    "choice.made": Entry("news", "news", ("player", "tiles")),
    "choice.revealed": Entry("news", "news", ("player", "tiles", "points")),
    "choice.explained": Entry("news", "news", ("player", "dice", "faces", "tiles", *_MOTIVE)),
    "choice.undone": Entry("news", "news", ("player", "tiles")),
    "turn.undone": Entry("news", "news", ("player",)),
    "start.thrown": Entry("news", "news", ("player", "dice", "total")),
    "start.decided": Entry("news", "news", ("player",)),
    "start.level": Entry("news", "news", ("players",)),
    "turn.ended": Entry("news", "news", ("player", "score")),
    "turn.forfeited": Entry("news", "news", ("player",)),
    "round.tied": Entry("news", "news", ("players",)),
    "round.won": Entry("news", "news", ("round", "players")),
    "round.unwon": Entry("news", "news", ("round",)),
    "round.begun": Entry("news", "news", ("player", "round")),
    "match.totals": Entry("news", "news", ("totals",)),
    "match.points": Entry("news", "news", ("points",)),
    "match.out": Entry("news", "news", ("players",)),
    "match.coins": Entry("news", "news", ("coins",)),
    "race.rolled": Entry("news", "news", ("player", "dice", "total")),
    "race.namer": Entry("news", "news", ("player",)),
    "race.level": Entry("news", "news", ("players",)),
    "race.named": Entry("news", "news", ("player",)),
    "race.named_for_all": Entry("news", "news", _CALLED),
    "race.go": Entry("news", "news", _ROUND),
    "race.shout": Entry("news", "news", _CALLED),
    "race.withdrawn": Entry("news", "news", ("player",)),
    "race.refused": Entry("news", "news", _REFUSED),
    "race.refused_no_chip": Entry("news", "news", _REFUSED),
    "race.taken": Entry("news", "news", (*_CLAIMED, "points", "typed")),
    "race.shared": Entry("news", "news", ("players", "points")),
    "race.last_chip": Entry("news", "news", ("player", "points")),
    "race.voided": Entry("news", "news", ("players",)),
    "race.time_up": Entry("news", "news", ("player",)),
    "race.unfinished": Entry("news", "news", ("players",)),
    "race.round_ended": Entry("news", "news", ("round", "points")),
    "race.returned": Entry("news", "news", ("players", "points")),
    "record.first": Entry("news", "news", ("player", "game", "score")),
    "record.beaten": Entry("news", "news", ("score", "before", "games")),
    "record.standing": Entry("news", "news", ("games", "best", "average")),
    "record.unreadable": Entry("news", "help", ("code", "cause")),
}


def compose(key: MessageKey, **args: Datum) -> Message:
    """Return the message with this key, as grave as its key is."""
    return Message(key, "", args, CATALOGUE[key].severity)


def messages_of(place: Place, messages: Messages) -> Messages:
    """Return those of a snapshot's messages that are said in this place."""
    return tuple(each for each in messages if CATALOGUE[each.key].place == place)
