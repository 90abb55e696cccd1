"""A message to people: a key with arguments, for programs that have words of their own, beside its English sentence.

`CATALOGUE` is the table of a translator: how grave each key is, which arguments it has, and what it says.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

# news: to know. question: the players are to act. help: the box needs a hand or somebody who sees to it.
Severity = Literal["news", "question", "help"]
# Data of a sentence, plain in JSON: names, tiles, dice, numbers, codes. Words only where a fault was raised with them.
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

    key: MessageKey
    text: str
    args: Mapping[str, Datum]
    severity: Severity


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a translator needs of a key: how grave it is, the names of its arguments, and what it says."""

    severity: Severity
    args: tuple[str, ...]
    says: str


_THROWN = ("player", "dice", "faces", "total")
_MOTIVE = ("ground", "worth", "best", "best_worth", "wins", "played_out", "guessed")
_FAULT = ("code", "part", "expected", "seen", "cure")
_WON = ("player", "score", "rounds", "match")
_READ = ("likely",)
_DIFFERING = ("tiles", "seen", "expected")
_CORRECTED = ("read", "dice", "faces_read", "faces")
_AWAITED = ("player", "thrower", "counts", "sides")
_COUNTING = ("shut", "up")
_ROUND = ("round", "rounds")
_CALLED = ("player", "combination", "joker")
_CLAIMED = (*_CALLED, "dice")
CATALOGUE: Mapping[MessageKey, Entry] = {
    "table.idle": Entry("question", (), "no game is on"),
    "job.under_way": Entry("news", ("kind", "progress"), "the box is calibrated or tested, and nobody can play"),
    "throw.for_start": Entry("question", (*_AWAITED, "first"), "a throw for who begins is awaited"),
    "throw.awaited": Entry("question", _AWAITED, "a throw is awaited"),
    "throw.pondered": Entry("news", _AWAITED, "the house chooses with how many dice its throw is made"),
    "throw.wished": Entry("question", (*_AWAITED, "wanted"), "a throw is awaited, and the house wants so many dice"),
    "choice.due": Entry("question", _THROWN, "tiles are to be chosen"),
    "choice.pondered": Entry("news", _THROWN, "the house chooses"),
    "turn.lost": Entry("question", (*_THROWN, "points"), "nothing can be shut: the turn ends with these points"),
    "turn.lost_by_seven": Entry("question", (*_THROWN, "points"), "a 7 ends the turn with these points"),
    "turn.lost_at_first": Entry(
        "question", (*_THROWN, "points", "number"), "the first move must shut this number, and none can: lost"
    ),
    "turn.missed": Entry("question", _THROWN, "nothing can be shut: the next one throws"),
    "round.lost_by_seven": Entry("question", (*_THROWN, "points"), "a 7 ends the round with these points"),
    "turn.done": Entry("news", ("player",), "the turn is over"),
    "tiles.moving": Entry("news", ("player",), "the box moves the tiles that were chosen"),
    "tiles.restoring": Entry("news", (), "the box puts its tiles in place"),
    "game.halted": Entry("help", _FAULT, "a fault has stopped the game"),
    "game.paused": Entry("question", (), "the game is paused"),
    "tiles.differing": Entry("question", _DIFFERING, "tiles were moved while the box was off"),
    "tiles.differing_choice": Entry("question", _DIFFERING, "the same, and they may be the player's choice"),
    "tiles.differing_game": Entry("question", (*_DIFFERING, *_COUNTING), "the same, and the game may be corrected"),
    "game.given_up": Entry("news", (), "the game was given up"),
    "game.unwon": Entry("news", (), "the game is over without a winner"),
    "game.finished": Entry("news", _WON, "who plays alone has ended with tiles left"),
    "game.shut": Entry("news", _WON, "the box is shut, and that wins"),
    "game.won": Entry("news", _WON, "one has won"),
    "game.shared": Entry("news", ("players", "score", "rounds", "match"), "several share the win"),
    "throw.corrected": Entry("news", _CORRECTED, "somebody corrects the dice that were read"),
    "throw.corrected_by": Entry("news", ("player", *_CORRECTED), "a player corrects the dice that were read"),
    "board.corrected": Entry("news", _COUNTING, "the game has taken over the tiles as they are"),
    "choice.made": Entry("news", ("player", "tiles"), "somebody shuts these tiles"),
    "choice.explained": Entry(
        "news", ("player", "dice", "faces", "tiles", *_MOTIVE), "the house shuts these tiles, and says why"
    ),
    "choice.undone": Entry("news", ("player", "tiles"), "a choice is taken back"),
    "turn.undone": Entry("news", ("player",), "the end of a turn is taken back"),
    "start.thrown": Entry("news", ("player", "dice", "total"), "one has thrown for who begins"),
    "start.decided": Entry("news", ("player",), "one begins"),
    "start.level": Entry("news", ("players",), "several are level and throw again for who begins"),
    "turn.ended": Entry("news", ("player", "score"), "a turn has ended"),
    "turn.forfeited": Entry("news", ("player",), "a turn is lost on its first throw"),
    "round.tied": Entry("news", ("players",), "several are level and play another turn for the round"),
    "round.won": Entry("news", ("round", "players"), "a round is won, or shared"),
    "round.unwon": Entry("news", ("round",), "nobody wins a round"),
    "round.begun": Entry("news", ("player", "round"), "one begins the next round, by what was agreed on who begins"),
    "match.totals": Entry("news", ("totals",), "the totals after a round"),
    "match.points": Entry("news", ("points",), "the points after a round"),
    "match.out": Entry("news", ("players",), "these are out of the match"),
    "match.coins": Entry("news", ("coins",), "coins won and paid"),
    "race.rolling_off": Entry("question", ("players", "first"), "these throw for who names first"),
    "race.naming": Entry("question", ("players", *_ROUND), "these are still to name what they race for"),
    "race.naming_for_all": Entry("question", ("player", *_ROUND), "one names what all race for"),
    "race.ready": Entry("question", _ROUND, "a round can begin, in which each races for his own"),
    "race.ready_for": Entry(
        "question", ("combination", "joker", *_ROUND), "a round can begin, in which all race for the same"
    ),
    "race.counting": Entry("news", _ROUND, "the box counts 1-2-3"),
    "race.running": Entry("question", ("players", *_ROUND), "a round is on, and these have no chip yet"),
    "race.last": Entry("question", ("player", "seconds"), "the last one has so much time in all"),
    "race.shouted": Entry("question", _CALLED, "one has shouted, and lays his dice on the baize"),
    "race.pressed": Entry("question", (), "somebody has shouted by the button, and lays his dice on the baize"),
    "race.tiles": Entry("news", (), "the box moves a chip, and the race goes on"),
    "race.rolled": Entry("news", ("player", "dice", "total"), "one has thrown for who names first"),
    "race.namer": Entry("news", ("player",), "one names first"),
    "race.level": Entry("news", ("players",), "several are level and throw again for who names first"),
    "race.named": Entry("news", ("player",), "one has named his combination, which the others learn later"),
    "race.named_for_all": Entry("news", _CALLED, "one has named what all race for"),
    "race.go": Entry("news", _ROUND, "GO: a round begins"),
    "race.shout": Entry("news", _CALLED, "one shouts"),
    "race.withdrawn": Entry("news", ("player",), "a shout is taken back; by nobody in particular without a player"),
    "race.refused": Entry("news", _CLAIMED, "the dice are not what was claimed, and play goes on"),
    "race.refused_no_chip": Entry("news", _CLAIMED, "the same, and it costs the chip of this round"),
    "race.taken": Entry("news", (*_CLAIMED, "points"), "one has his combination and takes a chip of so many points"),
    "race.shared": Entry("news", ("players", "points"), "several shouted at once, rightly, and share a chip"),
    "race.last_chip": Entry("news", ("player", "points"), "the last one takes the lowest chip"),
    "race.voided": Entry("news", ("players",), "several shouted at once, rightly, and throw again"),
    "race.time_up": Entry("news", ("player",), "the time of the last one is up, and he takes no chip"),
    "race.unfinished": Entry("news", ("players",), "the round was ended, and these take no chip"),
    "race.round_ended": Entry("news", ("round", "points"), "the points of each after a round"),
    "race.returned": Entry("news", ("players", "points"), "a chip that was handed out is put back"),
    "race.thrown_anew": Entry("news", ("players",), "a box that throws for people does not know how their dice lay"),
    "claim.missing": Entry("help", ("player", "colour"), "none of the player's dice lie on the baize"),
    "claim.too_few": Entry("help", ("player", "colour", "seen"), "fewer than six of the player's dice lie there"),
    "claim.too_many": Entry("help", ("colour", "seen"), "more than six dice of one colour lie there"),
    "claim.mixed": Entry("help", ("colour", "other", "seen"), "dice of another colour lie among those of the player"),
    "claim.stranger": Entry("help", ("other",), "a die of nobody in this game lies there"),
    "claim.several": Entry("help", (), "by the button somebody has shouted, and the dice of several lie there"),
    "claim.typed": Entry("question", (), "the camera does not know these dice, and people say what they show"),
    "record.first": Entry("news", ("player", "game", "score"), "the first score on record"),
    "record.beaten": Entry("news", ("score", "before", "games"), "a new best score"),
    "record.standing": Entry("news", ("games", "best", "average"), "the best score on record and the average"),
    "record.unreadable": Entry("help", ("code",), "the journal tells no record of scores"),
    "journal.damaged": Entry("help", ("kept",), "the file of the games is damaged; a good copy is used"),
    "journal.newer": Entry("help", (), "a newer version has kept the games; they were put aside"),
    "journal.lost": Entry("help", ("game_id", "events", "lost"), "the last events of a game were not kept"),
    "journal.unmarked": Entry("help", (), "whether everything was kept cannot be told"),
    "journal.closed": Entry("help", ("code",), "the disk takes nothing, so no game can be kept"),
    "game.resumed": Entry("news", (), "an unfinished game is taken up"),
    "game.comparing": Entry("news", (), "the box looks at its tiles after a start, and asks nobody for anything yet"),
    "tiles.brought": Entry("news", ("tiles",), "the box brings tiles there that it was moving when the power went"),
    "game.unreadable": Entry("help", ("code",), "the unfinished game cannot be taken up"),
    "game.undecidable": Entry("question", (), "nobody can ever win this game"),
    "layout.front_row": Entry("news", (), "only the front row plays"),
    "layout.rows": Entry("news", ("rows",), "only so many rows play"),
    "dice.unreadable": Entry("question", ("sides",), "the camera does not know dice of so many sides"),
    "hand.half_way": Entry("question", ("tile",), "a hand has put a tile half way"),
    "hand.incomplete": Entry("question", ("tiles",), "these tiles lie and are part of a move"),
    "hand.countdown": Entry("question", ("tiles", "seconds"), "these tiles lie and will be taken as the choice"),
    "hand.wrong": Entry("news", ("tiles", "dice"), "these tiles are part of no move: the box puts them back"),
    "house.counting": Entry("news", ("player",), "the house needs a while for the odds"),
    "lid.closed": Entry("help", (), "the lid must be opened before tiles move"),
    "wear.slower": Entry("help", ("tile", "way", "now_s", "before_s"), "a tile has become slower"),
    "wear.retried": Entry("help", ("tile", "again", "moves"), "a tile often needs another try"),
    "wear.unseen": Entry("help", ("tile", "games"), "a tile was not seen moving for long"),
    "wear.more": Entry("help", ("count",), "so many more tiles want a look"),
    "reading.moving": Entry("help", _READ, "the dice are still moving"),
    "reading.cocked": Entry("help", _READ, "a die leans"),
    "reading.stacked": Entry("help", _READ, "dice lie on one another"),
    "reading.off_field": Entry("help", _READ, "a die lies off the field"),
    "reading.hand": Entry("help", _READ, "a hand is in the field"),
    "reading.unexplained": Entry("help", _READ, "something lies there that is no die"),
    "reading.too_many": Entry("help", _READ, "too many dice lie there"),
    "reading.too_few": Entry("help", _READ, "too few dice lie there"),
    "reading.glare": Entry("help", _READ, "a light glares"),
    "reading.blurred": Entry("help", _READ, "the picture is not sharp"),
    "reading.camera_moved": Entry("help", _READ, "the camera was moved"),
    "reading.stale": Entry("help", _READ, "the dice, or one of them, were not thrown"),
    "reading.unsure": Entry("help", _READ, "the reader is not sure"),
    "access.damaged": Entry("help", (), "who the operators are can no longer be read"),
    "access.guessed": Entry("help", ("wrong",), "somebody in the network tries PINs, so many wrong ones in a row"),
    "access.pairing": Entry("question", ("name", "number"), "a device wants to be an operator's, if somebody agrees"),
    "access.given": Entry("news", ("name",), "a device is an operator's now"),
    "access.not_given": Entry("news", ("name",), "nobody agreed that a device becomes an operator's"),
    "fault": Entry("help", _FAULT, "something is wrong with the box, and the game goes on"),
    "error": Entry("help", ("code",), "something could not be done"),
}


def compose(key: MessageKey, text: str, **args: Datum) -> Message:
    """The message with this key and its English sentence, as grave as its key is."""
    return Message(key, text, args, CATALOGUE[key].severity)


def text_of(messages: Iterable[Message]) -> str:
    """What messages say together, in English; empty for none."""
    return " ".join(message.text for message in messages)
