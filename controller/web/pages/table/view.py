"""The table as a page shows it to one audience: the snapshot in their language, with their actions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.core.actions import Action, ActionKind
from controller.game.table.snapshot import Snapshot
from controller.web.pages.addresses import rules_url
from controller.web.pages.phrases import say_dice
from controller.web.pages.scene.dice import DrawnDie, draw_dice
from controller.web.pages.scene.luck import one_in
from controller.web.pages.scene.marks import TilePictures
from controller.web.pages.scene.moves import DrawnMove, draw_moves
from controller.web.pages.scene.seats import DrawnSeat, describe_counting, draw_seats
from controller.web.pages.scene.tiles import DrawnTile, draw_tiles, rows_of
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.race import RaceTable, race_for
from controller.web.pages.table.turn import played_for, why_not_now
from controller.web.pages.table.undo import why_no_undo
from controller.words.names import game_title
from controller.words.words import Words

_CLAUSE = re.compile(r"(?<=[.:;])\s+")


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw to tap: its dice, and their description."""

    dice: tuple[int, ...]
    called: str


@dataclass(frozen=True, slots=True)
class TableView:
    """The values from which the parts of a page are drawn.

    title, rules: name of the game and address of its rules; empty without a game.
    say: the next thing to do, or what the box is waiting for, clause by clause.
    notice: what has come up meanwhile.
    news: what has happened.
    rows: of tiles, the back row first.
    moves: those that this audience may choose from; there may be more than a snapshot holds.
    actions: of this audience, by kind.
    counting: how points are counted; empty if no game is on.
    thrown: the present throw in words.
    rarity: n, where one in n throws is like the present one.
    likely: other readings of the present throw.
    faces: the marks of a die, beginning with the one worth 1.
    codes: of faults during which the game goes on.
    watching: what the camera does while a throw is awaited.
    elsewhere: the people who play on other devices, if this one plays for nobody any more.
    plays_for: the other player whose turn is played on this device.
    not_now: the reason why no tile can be shut here now.
    no_undo: the reason why nothing can be taken back.
    race: the sheet and actions of a race; None in other games.
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
        return max((tile.column for row in self.rows for tile in row), default=0)

    @property
    def tiles(self) -> tuple[DrawnTile, ...]:
        """All tiles, the back row first."""
        return tuple(tile for row in self.rows for tile in row)


def table_for(snapshot: Snapshot, audience: Audience, words: Words, pictures: TilePictures) -> TableView:
    """Return the table as this audience sees it."""
    say, *others = snapshot.messages
    allowed = {each.kind: audience.action(snapshot, each.kind) for each in snapshot.actions}
    # Only the house makes the choice of a house player, whoever acts for its seat.
    actions = {
        kind: action for kind, action in allowed.items() if action and not (kind == "choose" and snapshot.thinking)
    }
    moves = snapshot.moves if "choose" in actions else ()
    marked = moves
    if audience.view == "wall" and snapshot.moves_count == len(snapshot.moves):
        # The wall shows everybody the choice of any player, if the snapshot holds all of it.
        marked = snapshot.moves
    tiles = draw_tiles(snapshot, frozenset(name for move in marked for name in move), pictures, words)
    race = race_for(snapshot, audience, words)
    if race and race.say:
        clauses: tuple[str, ...] = (race.say,)
    elif snapshot.found:
        # A list with its answers shows which tiles differ and what to do about them.
        clauses = (words.gettext("While the box was off something moved."),)
    else:
        clauses = tuple(_CLAUSE.split(words.say(say, snapshot.tiles)))
    notice = words.say_all((each for each in others if each.severity != "news"), snapshot.tiles)
    is_given_up = any(message.key == "game.given_up" for message in snapshot.messages)
    if not notice and is_given_up and snapshot.by is not None:
        notice = words.gettext("%(name)s has given it up.") % {"name": snapshot.by}
    faces = snapshot.marks.faces or tuple(map(str, range(1, snapshot.sides + 1)))
    return TableView(
        snapshot=snapshot,
        audience=audience,
        title=game_title(words, snapshot.game) if snapshot.game else "",
        rules=rules_url(snapshot.game, snapshot.options) if snapshot.game else "",
        say=clauses,
        notice=notice,
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


def _played_elsewhere(snapshot: Snapshot, audience: Audience) -> tuple[str, ...]:
    people = [seat for seat in snapshot.seats if not seat.house]
    is_without = audience.caller.role == "player" and not any(audience.caller.acts_for(seat.name) for seat in people)
    if not (snapshot.is_game_on and is_without):
        return ()
    return tuple(seat.name for seat in people if seat.held)


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
