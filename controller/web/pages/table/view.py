"""The table as a page shows it to one audience: the snapshot in their words, and with what is theirs to do."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from controller.game import Action, ActionKind, Message, Snapshot
from controller.web.pages.addresses import rules_url
from controller.web.pages.phrases import say_dice
from controller.web.pages.scene import (
    DrawnDie,
    DrawnMove,
    DrawnSeat,
    DrawnTile,
    TilePictures,
    describe_counting,
    draw_dice,
    draw_moves,
    draw_seats,
    draw_tiles,
    one_in,
    rows_of,
)
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.race import RaceTable, race_for
from controller.web.pages.table.turn import played_for, why_not_now
from controller.web.pages.table.undo import why_no_undo
from controller.words import Words, game_title

_CLAUSE = re.compile(r"(?<=[.:;])\s+")


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw that somebody may tap: its dice, and what they are called."""

    dice: tuple[int, ...]
    called: str


@dataclass(frozen=True, slots=True)
class TableView:
    """What the parts of a page are drawn from.

    title, rules: the name of the game, and the address of its rules; empty without one. say: what is to be done now, or
    what the box waits for, clause by clause; notice: what came up meanwhile; news: what has happened. rows: of tiles,
    the hindmost first. moves: those that this audience may choose from; there may be more of them than a snapshot
    holds. actions: theirs, by kind. counting: what the points are made of, while a game is on. thrown: the dice that
    lie, as people call them; rarity: one in so many throws is like it. likely: what they may be instead. elsewhere: the
    people whom other devices play, where this one plays nobody any more. plays_for: the player whose turn is played
    here in his place. not_now: why no tile is shut here just now. no_undo: why nothing can be taken back. faces: the
    marks of a die, from the one worth 1. codes: of what is amiss while the game goes on. watching: what the camera
    does, where a throw is awaited. race: the sheet of a race, and what is to be done in it; None in other games.
    """

    snapshot: Snapshot
    audience: Audience
    title: str
    rules: str
    say: tuple[str, ...]
    notice: str
    news: str
    rows: tuple[tuple[DrawnTile, ...], ...]
    moves: tuple[DrawnMove, ...]
    actions: Mapping[ActionKind, Action]
    seats: tuple[DrawnSeat, ...]
    counting: str
    dice: tuple[DrawnDie, ...]
    thrown: str
    rarity: int
    likely: tuple[Throw, ...]
    faces: tuple[str, ...]
    codes: tuple[str, ...]
    watching: str
    elsewhere: tuple[str, ...]
    plays_for: str
    not_now: str
    no_undo: str
    race: RaceTable | None

    @property
    def columns(self) -> int:
        """The number of columns of the box."""
        return max((tile.column for row in self.rows for tile in row), default=0)

    @property
    def tiles(self) -> tuple[DrawnTile, ...]:
        """All tiles, the hindmost row first."""
        return tuple(tile for row in self.rows for tile in row)


def table_for(snapshot: Snapshot, audience: Audience, words: Words, pictures: TilePictures) -> TableView:
    """The table as this audience is shown it."""
    say, *others = snapshot.messages
    actions = _actions_for(snapshot, audience)
    moves = snapshot.moves if "choose" in actions else ()
    tiles = draw_tiles(snapshot, _tiles_to_mark(snapshot, audience, moves), pictures, words)
    race = race_for(snapshot, audience, words)
    faces = snapshot.marks.faces or tuple(map(str, range(1, snapshot.sides + 1)))
    return TableView(
        snapshot=snapshot,
        audience=audience,
        title=game_title(words, snapshot.game) if snapshot.game else "",
        rules=rules_url(snapshot.game, snapshot.options) if snapshot.game else "",
        say=(race.say,) if race and race.say else _clauses_of(say, snapshot, words),
        notice=words.say_all((each for each in others if each.severity != "news"), snapshot.tiles)
        or _say_who_gave_up(snapshot, words),
        news=words.say_all((each for each in others if each.severity == "news"), snapshot.tiles),
        rows=rows_of(tiles),
        moves=draw_moves(moves, {tile.name: tile for tile in tiles}, words),
        actions=actions,
        seats=draw_seats(snapshot, words),
        counting=describe_counting(snapshot, words) if snapshot.is_game_on else "",
        dice=draw_dice(snapshot),
        thrown=say_dice(snapshot.throw, words, faces),
        rarity=one_in(snapshot.throw, snapshot.sides),
        likely=tuple(
            Throw(dice, say_dice(dice, words, faces))
            for dice in snapshot.likely
            if sorted(dice) != sorted(snapshot.throw)
        ),
        faces=faces,
        codes=tuple(f"{each.args['code']} {each.args['part']}" for each in others if each.key == "fault"),
        watching=_describe_watching(snapshot, words),
        elsewhere=_played_elsewhere(snapshot, audience),
        plays_for=played_for(snapshot, audience.caller, actions),
        not_now=why_not_now(snapshot, actions, words),
        no_undo=why_no_undo(snapshot, actions, words),
        race=race,
    )


def _clauses_of(say: Message, snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    if snapshot.found:
        # Which tiles these are, and what is to be done about it, is a list with its answers.
        return (words.gettext("While the box was off something moved."),)
    return tuple(_CLAUSE.split(words.say(say, snapshot.tiles)))


def _say_who_gave_up(snapshot: Snapshot, words: Words) -> str:
    is_given_up = any(message.key == "game.given_up" for message in snapshot.messages)
    if not is_given_up or snapshot.by is None:
        return ""
    return words.gettext("%(name)s has given it up.") % {"name": snapshot.by}


def _played_elsewhere(snapshot: Snapshot, audience: Audience) -> tuple[str, ...]:
    people = [seat for seat in snapshot.seats if not seat.house]
    is_without = audience.caller.role == "player" and not any(audience.caller.acts_for(seat.name) for seat in people)
    if not (snapshot.is_game_on and is_without):
        return ()
    return tuple(seat.name for seat in people if seat.held)


def _actions_for(snapshot: Snapshot, audience: Audience) -> Mapping[ActionKind, Action]:
    found = {each.kind: audience.action(snapshot, each.kind) for each in snapshot.actions}
    # The choice of a house player is made by the house, whoever acts for its seat.
    return {kind: action for kind, action in found.items() if action and not (kind == "choose" and snapshot.thinking)}


def _tiles_to_mark(snapshot: Snapshot, audience: Audience, moves: Collection[Sequence[str]]) -> frozenset[str]:
    """The tiles of the moves that are theirs; the wall shows to all what another may choose, if it knows all of it."""
    shown = moves
    if audience.view == "wall" and snapshot.moves_count == len(snapshot.moves):
        shown = snapshot.moves
    return frozenset(name for move in shown for name in move)


def _describe_watching(snapshot: Snapshot, words: Words) -> str:
    _ = words.gettext
    if snapshot.phase != "awaiting_throw" or not snapshot.camera_reads:
        return ""
    return {
        "off": "",
        "waiting": _("The simulated camera looks on") if snapshot.simulated else _("The camera watches the field"),
        "rolling": _("The dice are rolling"),
        "reading": _("The camera reads the dice"),
        "doubtful": _("The camera cannot read these dice"),
    }[snapshot.eye]
