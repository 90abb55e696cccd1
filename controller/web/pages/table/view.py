"""The table as a page shows it to one audience: the snapshot in their language, with their actions."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from controller.box.compatibility import choices_of
from controller.game.core.actions import Action, ActionKind
from controller.game.core.engine import AnyGame
from controller.game.core.message import Language
from controller.game.core.sight import DieView, SnapshotContext
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.messages.names import game_title
from controller.messages.words import Words, words_in
from controller.rules.options import Value
from controller.rules.shutbox.games import GAMES
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


def rules_url(game: str, chosen: Mapping[str, Value]) -> str:
    """Return the address of the rules of a game, with the chosen options that differ from its defaults."""
    usual = {choice.name: choice.default for choice in choices_of(game)}
    if game in GAMES and GAMES[game].dice_by_width:
        usual["dice"] = GAMES[game].dice_for(int(chosen["columns"]))
    changed = {name: str(value).lower() for name, value in chosen.items() if value != usual[name]}
    return f"/rules/{game}" + (f"?{urlencode(changed)}" if changed else "")


_OF_PLAYER: frozenset[ActionKind] = frozenset({"roll", "dice", "choose", "accept"})


def why_not_now(snapshot: Snapshot, theirs: Collection[ActionKind], words: Words) -> str:
    """Return why this audience cannot shut a tile now; empty if it can. theirs: the actions of this audience."""
    _ = words.gettext
    if snapshot.turn is None or snapshot.phase not in ("awaiting_throw", "choosing", "turn_lost"):
        return ""
    if _OF_PLAYER.intersection(theirs):
        return _("The dice come first.") if snapshot.phase == "awaiting_throw" else ""
    if snapshot.house:
        return _("%(name)s is played by the box.") % {"name": snapshot.turn}
    held = next((seat.held for seat in snapshot.seats if seat.name == snapshot.turn), None)
    told = (
        _("%(name)s plays now, at the terminal.") if held == "terminal" else _("%(name)s plays now, on another device.")
    )
    return told % {"name": snapshot.turn}


_DICE_DUE = ("awaiting_throw", "rolling_off")


def are_rolling(snapshot: Snapshot) -> bool:
    """Return whether dice have been thrown that nobody has read yet."""
    return snapshot.phase in _DICE_DUE and (snapshot.reading or snapshot.eye in ("rolling", "reading"))


def awaited_by(snapshot: Snapshot, theirs: Collection[ActionKind], words: Words) -> str:
    """Return what this audience waits for; empty if it can go on, and in a race. theirs: its actions."""
    _ = words.gettext
    if snapshot.race is not None:
        return ""
    if are_rolling(snapshot):
        return _("The camera reads the dice") if snapshot.eye == "reading" else _("The dice are rolling")
    if snapshot.phase == "moving":
        return _("The tiles move")
    is_on = snapshot.phase in (*_DICE_DUE, "choosing", "turn_lost", "turn_done")
    if not is_on or "go_on" in theirs or _OF_PLAYER.intersection(theirs):
        return ""
    return _("{player} plays").format(player=snapshot.turn) if snapshot.turn else _("One moment")


def played_for(snapshot: Snapshot, caller: Caller, theirs: Collection[ActionKind]) -> str:
    """Return the other player for whom this client, which has a chair of its own, plays now; empty if for none."""
    is_other_s = bool(caller.seats) and snapshot.turn not in caller.seats and not snapshot.house
    return snapshot.turn or "" if is_other_s and _OF_PLAYER.intersection(theirs) else ""


def why_no_undo(snapshot: Snapshot, theirs: Mapping[ActionKind, Action], words: Words) -> str:
    """Return why this audience can take nothing back; empty if it can. theirs: its actions, by kind."""
    _ = words.gettext
    if "undo" in theirs:
        return ""
    others = next((each.by for each in snapshot.actions if each.kind == "undo"), ())
    if others:
        return _("Only %(names)s may take it back.") % {"names": words.one_of(others)}
    if snapshot.options.get("undo") == "nobody":
        return _("Nothing is taken back in this game, as agreed.")
    if snapshot.phase == "choosing":
        return _("Nothing is shut for this throw yet: a second tap lets a tile go. What was shut before stays.")
    if snapshot.options.get("undo_limit"):
        return _("There is nothing to take back, or it was done as often as agreed.")
    return _("There is nothing to take back yet.")


_CLAUSE = re.compile(r"(?<=[.:;])\s+")


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw to tap: its dice, and their description."""

    dice: tuple[int, ...]
    called: str


@dataclass(frozen=True, slots=True)
class You:
    """Who holds this device, in words. seat: the number of their seat, from 1. at_turn: it is their turn."""

    says: str
    seat: int
    at_turn: bool


def you_at(snapshot: Snapshot, caller: Caller, words: Words) -> You | None:
    """Return who holds this device during a game; None if nobody has taken a seat with it."""
    own = [seat.name for seat in snapshot.seats if seat.name in caller.seats]
    if not own or not snapshot.is_game_on:
        return None
    at_turn = snapshot.turn in own
    name = snapshot.turn if at_turn and snapshot.turn else own[0]
    said = words.gettext("Your turn, {names}") if at_turn else words.gettext("You are {names}")
    seat = 1 + [seat.name for seat in snapshot.seats].index(name)
    return You(said.format(names=name if at_turn else words.all_of(own)), seat, at_turn)


@dataclass(frozen=True, slots=True)
class TableView:
    """The values from which the parts of a page are drawn.

    title, rules: name of the game and address of its rules; empty without a game.
    """

    snapshot: Snapshot
    audience: Audience
    title: str
    rules: str
    say: tuple[str, ...]  # the next thing to do, or what the box is waiting for, clause by clause
    addressed: str  # the player with whose name that begins; empty if it begins otherwise
    notice: str  # what has come up meanwhile
    news: str  # what has happened
    rows: tuple[tuple[DrawnTile, ...], ...]  # of tiles, the back row first
    moves: tuple[DrawnMove, ...]  # those that this audience may choose from; there may be more than a snapshot holds
    actions: Mapping[ActionKind, Action]  # of this audience, by kind
    seats: tuple[DrawnSeat, ...]
    you: You | None  # who holds this device; None if it is for all who are here
    counting: str  # how points are counted; empty if no game is on
    dice: tuple[DrawnDie, ...]
    tumbling: int  # so many dice roll, or lie there unread
    thrown: str  # the present throw in words
    rarity: int  # n, where one in n throws is like the present one
    likely: tuple[Throw, ...]  # other readings of the present throw
    faces: tuple[str, ...]  # the marks of a die, beginning with the one worth 1
    codes: tuple[str, ...]  # of faults during which the game goes on
    watching: str  # what the camera does while a throw is awaited
    awaited: str  # what has to happen before this audience can do something, in a few words; empty if it can
    elsewhere: tuple[str, ...]  # the people who play on other devices, if this one plays for nobody any more
    looks_on: bool  # nobody plays with this device
    waits_as: tuple[str, ...]  # the names by which this device has sat down for the next game, while this one is on
    plays_for: str  # the other player whose turn is played on this device
    not_now: str  # the reason why no tile can be shut here now
    no_undo: str  # the reason why nothing can be taken back
    race: RaceTable | None  # the sheet and actions of a race; None in other games

    @property
    def columns(self) -> int:
        return max((tile.column for row in self.rows for tile in row), default=0)

    @property
    def tiles(self) -> tuple[DrawnTile, ...]:
        """All tiles, the back row first."""
        return tuple(tile for row in self.rows for tile in row)


def _named_first(clause: str, snapshot: Snapshot) -> str:
    """Return the player with whose name a clause begins."""
    return max((seat.name for seat in snapshot.seats if clause.startswith(seat.name)), key=len, default="")


def table_for(snapshot: Snapshot, audience: Audience, words: Words, pictures: TilePictures) -> TableView:
    """Return the table as this audience sees it."""
    _ = words.gettext
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
    else:
        clauses = tuple(_CLAUSE.split(words.say(say, snapshot.tiles)))
        if snapshot.found:
            # A list with its answers shows which tiles differ and what to do about them.
            clauses = clauses[:1]
        elif say.key == "choice.due" and audience.view != "wall" and "choose" not in actions:
            # Nobody here chooses: another device does, or the house.
            clauses = clauses[:1]
    notice = words.say_all((each for each in others if each.severity != "news"), snapshot.tiles)
    by_whom = {"game.given_up": _("%(name)s has given it up."), "game.paused": _("%(name)s has paused it.")}
    done = next((by_whom[message.key] for message in snapshot.messages if message.key in by_whom), "")
    if not notice and done and snapshot.by is not None:
        notice = done % {"name": snapshot.by}
    elif not notice and snapshot.phase == "parked" and snapshot.door == "page":
        notice = _("Somebody has paused it.")
    watching = {
        "off": "",
        "waiting": _("The simulated camera looks on") if snapshot.simulated else _("The camera watches the field"),
        "rolling": _("The dice are rolling"),
        "reading": _("The camera reads the dice"),
        "doubtful": _("The camera is not sure of these dice"),
    }[snapshot.eye]
    people = [seat for seat in snapshot.seats if not seat.house]
    is_without_seat = (
        snapshot.is_game_on
        and audience.caller.role == "player"
        and not any(audience.caller.acts_for(seat.name) for seat in people)
    )
    faces = snapshot.marks.faces or tuple(map(str, range(1, snapshot.sides + 1)))
    return TableView(
        snapshot=snapshot,
        audience=audience,
        title=game_title(words, snapshot.game) if snapshot.game else "",
        rules=rules_url(snapshot.game, snapshot.options) if snapshot.game else "",
        say=clauses,
        addressed="" if len(snapshot.winners) > 1 else _named_first(clauses[0], snapshot),
        notice=notice,
        news=words.say_all((each for each in others if each.severity == "news"), snapshot.tiles),
        rows=rows_of(tiles),
        moves=draw_moves(moves, {tile.name: tile for tile in tiles}, words),
        actions=actions,
        seats=draw_seats(snapshot, words, audience.caller.seats),
        you=you_at(snapshot, audience.caller, words),
        counting=describe_counting(snapshot, words) if snapshot.is_game_on else "",
        dice=draw_dice(snapshot),
        tumbling=snapshot.dice_wanted or max(snapshot.dice_allowed, default=0) if are_rolling(snapshot) else 0,
        thrown=say_dice(snapshot.throw, words, faces),
        rarity=one_in(snapshot.throw, snapshot.sides),
        likely=tuple(
            Throw(dice, say_dice(dice, words, faces))
            for dice in snapshot.likely
            if sorted(dice) != sorted(snapshot.throw)
        ),
        faces=faces,
        codes=tuple(f"{each.args['code']} {each.args['part']}" for each in others if each.key == "fault"),
        watching=watching if snapshot.phase in _DICE_DUE and snapshot.camera_reads else "",
        awaited=awaited_by(snapshot, actions, words),
        elsewhere=tuple(seat.name for seat in people if seat.held) if is_without_seat else (),
        looks_on=audience.caller.role == "spectator" or is_without_seat,
        waits_as=tuple(sorted(audience.caller.seats.difference(snapshot.players))) if is_without_seat else (),
        plays_for=played_for(snapshot, audience.caller, actions),
        not_now=why_not_now(snapshot, actions, words),
        no_undo=why_no_undo(snapshot, actions, words),
        race=race,
    )


_ONLOOKER = Caller(door="page", role="spectator", shares=False)


def still_table(
    game: AnyGame, language: Language, dice: Sequence[int] = (), pictures: TilePictures | None = None
) -> TableView:
    """Return the table of a game with these dice on its field and without any action.

    pictures: for the tiles; None to write their marks.
    """
    snapshot = snapshot_of(game, SnapshotContext(number=0, event=0, box=""))
    thrown = tuple(map(DieView, dice))
    snapshot = replace(snapshot, throw=tuple(dice), dice=thrown, actions=(), moves=(), moves_count=0)
    onlooker = Audience("play", language, _ONLOOKER)
    return table_for(snapshot, onlooker, words_in(language), pictures or TilePictures(None))
