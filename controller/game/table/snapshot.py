"""The view of a game that is sent to page, terminal and phone alike after every event: which fields, from where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import TypeAdapter

from controller.game.core.actions import Action, ActionKind
from controller.game.core.commands import GoOn, PutRight, TryAgain
from controller.game.core.engine import AnyGame
from controller.game.core.message import Message, Messages, compose, messages_of
from controller.game.core.phases import Ended, FoundTile, Halted, Moving, Parked, PhaseName, TileMismatch, phase_name
from controller.game.core.players import Door, Strength, by_name
from controller.game.core.sight import BaizeView, CameraState, DieView, Eye, Holding, JobView, SnapshotContext
from controller.game.fleet.engine import RaceView
from controller.game.shutbox.commands import AcceptLoss
from controller.game.table.engines import actions_of, engine_of
from controller.rules.options import Value
from controller.rules.tiles import NO_MARKS, Marks
from hardware.errors import Fault
from hardware.tiles import Position

TileState = Literal["showing", "hidden", "shut", "absent"]


@dataclass(frozen=True, slots=True)
class TileView:
    """One tile: its row (from 1, the front) and column (from 1, the left), and what stands on it.

    state: as the game has it: showing, hidden by a tile in front, shut, or absent (the game is played without it).
    believed: somebody says that it is there, whatever its sensors say. seen: where these showed it last; None where
    nobody has looked. moving: the box is bringing it where the game has it.
    """

    name: str
    row: int
    column: int
    mark: str
    state: TileState
    believed: bool = False
    seen: Position | None = None
    moving: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its player, and how well the house plays there; None for a person. plays: still in this match.

    held: through which door somebody has taken it by name; None where nobody has. here: he is there now.
    """

    name: str
    house: Strength | None
    plays: bool
    held: Door | None = None
    here: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment.

    One flat value of plain words and numbers, complete in itself: whoever looks late, or misses one, needs no history,
    and a program needs nothing of the rules.

    number: of the snapshot, rising by one with each.
    box: the name of the box profile.
    say: one sentence: whose turn, what now, what the box waits for.
    game_id: the number of this game; 0: no game.
    event: the number of its last event; 0: no game.
    phase: what is going on.
    game: its name.
    options: what was agreed on.
    marks: what stands on tiles and dice in place of numbers.
    board: the numbers that show, as text.
    tiles, seats: what a picture of the table is drawn from.
    players: their names, seat by seat.
    scores: of this round; None: not over yet.
    score_now: what the turn would end with now.
    turn: the player whose turn it is.
    house: True in a turn of the house.
    throw: the values thrown; empty before.
    moves: what may be chosen, in the order of its numbers (from 1), 64 of them at most.
    moves_count: how many there are; all are given on request.
    dice: as they lie.
    dice_allowed: with how many dice the next throw may be made.
    dice_wanted: how many a house player asks for.
    rolling: this throw is for who begins.
    sides: of a die.
    example: a throw as it is typed.
    camera_reads: True if the camera knows these dice.
    reading: True while it reads those that lie there.
    match: the form of the match; `single`: one round.
    round: the number of the round, from 1.
    standing: of the match (totals or points), empty for a single round.
    coins: won and paid so far; empty without stakes.
    pool: the coins that are still to be won.
    winners: of the game or match, once it is over.
    news: what happened last, in a sentence or two.
    fault: what has stopped the game.
    found: the tiles that were moved while the box was off, while people are asked about them.
    actions: what can be done now, and by whom.
    notice: what came up meanwhile, such as why the dice could not be read.
    door: through which the last thing was done.
    by: the player for whom it was done, if it is one's.
    shared: True if all may act for the seats that nobody has taken.
    eye: what the camera's side does.
    likely: the throws it wavers between.
    thinking: a house player chooses.
    countdown_s: seconds left to take back a move made by hand; in a race the 3, 2, 1 before GO.
    lid: of the box.
    looked_at: somebody looks at the camera's pictures, or did a moment ago.
    simulated: no hardware moves.
    broken: the faults that a simulated box was given, by their names.
    daemon: another after each start of the program.
    job: what the box is calibrated or tested by just now, or that its power is out, when nothing can be played.
    hints: False while a game is on in which, as agreed, nobody is told the odds.
    baize: the field in which the dice lie; None: nobody has said how large it is.
    waiting: who has sat down by name for the next game.
    seen: the last event that is kept, signed by the box: a client that shows it after a power cut tells the box
    what its card should have.
    race: the sheet of a race, and how far each player is; None in other games.
    messages: what say, notice and news are made of, in this order, with keys for other languages.
    """

    number: int
    box: str
    say: str
    game_id: int = 0
    event: int = 0
    phase: PhaseName = "idle"
    game: str | None = None
    options: dict[str, Value] = field(default_factory=dict)
    marks: Marks = NO_MARKS
    board: str | None = None
    tiles: tuple[TileView, ...] = ()
    seats: tuple[SeatView, ...] = ()
    players: tuple[str, ...] = ()
    scores: dict[str, int | None] = field(default_factory=dict)
    score_now: int | None = None
    turn: str | None = None
    house: bool = False
    throw: tuple[int, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    moves_count: int = 0
    dice: tuple[DieView, ...] = ()
    dice_allowed: tuple[int, ...] = ()
    dice_wanted: int | None = None
    rolling: bool = False
    sides: int = 6
    example: str = "5 3"
    camera_reads: bool = True
    reading: bool = False
    match: str = "single"
    round: int = 1
    standing: dict[str, int] = field(default_factory=dict)
    coins: dict[str, int] = field(default_factory=dict)
    pool: int = 0
    winners: tuple[str, ...] = ()
    news: str = ""
    fault: Fault | None = None
    found: tuple[FoundTile, ...] = ()
    actions: tuple[Action, ...] = ()
    notice: str = ""
    door: Door = "box"
    by: str | None = None
    shared: bool = True
    eye: Eye = "off"
    likely: tuple[tuple[int, ...], ...] = ()
    thinking: bool = False
    countdown_s: int | None = None
    lid: Literal["open", "closed"] = "open"
    looked_at: bool = False
    simulated: bool = False
    broken: tuple[str, ...] = ()
    daemon: str = ""
    job: JobView | None = None
    hints: bool = True
    baize: BaizeView | None = None
    waiting: tuple[SeatView, ...] = ()
    seen: str = ""
    race: RaceView | None = None
    messages: Messages = ()

    @property
    def is_game_on(self) -> bool:
        """True while a game is played, or paused."""
        return self.phase not in ("idle", "ended")

    @property
    def notice_messages(self) -> Messages:
        """The messages that `notice` is made of."""
        return messages_of("notice", self.messages)

    @property
    def news_messages(self) -> Messages:
        """The messages that `news` is made of."""
        return messages_of("news", self.messages)

    def can(self, kind: ActionKind) -> bool:
        """True if this can be done now, by somebody."""
        return any(action.kind == kind for action in self.actions)


SNAPSHOT: TypeAdapter[Snapshot] = TypeAdapter(Snapshot)


def snapshot_of(game: AnyGame | None, context: SnapshotContext) -> Snapshot:
    """The snapshot of `game` as it stands now; of an idle table without one, and of a box that a job has meanwhile."""
    if game is None:
        idle = Snapshot(context.number, context.box, "", messages=(compose("table.idle"), *context.notice))
        told = replace(_beside(context, idle), actions=actions_of(game))
    else:
        if isinstance(game.phase, Halted):
            # The moment's own message tells of the fault that the game stands still for.
            halt = {"code": game.phase.fault.code, "part": game.phase.fault.part}
            others = (each for each in context.notice if each.key != "fault" or not halt.items() <= each.args.items())
            context = replace(context, notice=tuple(others))
        # What waits for people anyway is told at once: a fault, a pause, the question about tiles.
        comparing = context.comparing and not isinstance(game.phase, Halted | Parked | TileMismatch | Ended)
        context, engine = replace(context, comparing=comparing), engine_of(game)
        now = compose("game.comparing")
        if not comparing:
            by_itself = context.simulated and context.camera_reads
            now = engine.describe(game, context.dice_wanted, camera_reads=context.camera_reads, house_throws=by_itself)
        told = _beside(context, replace(_of_any_game(game, context, now), **engine.show(game, context)))
    if context.job is None:
        return told
    job = context.job
    words = job.question.say if job.question is not None and job.question.waits else job.say
    now = compose("job.under_way", kind=job.kind, progress=job.progress, words=words)
    return replace(told, actions=(), job=job, messages=(now, *told.messages[1:]))


def _of_any_game(game: AnyGame, context: SnapshotContext, now: Message) -> Snapshot:
    """The part of a snapshot that games of every family have; `now`: what is said of this moment."""
    return Snapshot(
        number=context.number,
        box=context.box,
        say="",
        game_id=context.game_id,
        event=context.event,
        phase=phase_name(game.phase),
        game=game.rules.name,
        options=dict(game.rules.chosen),
        board=str(game.board),
        tiles=tiles_of(game, context.sight.tiles),
        seats=seats_of(game, context.holdings),
        players=tuple(player.name for player in game.players),
        sides=game.rules.sides,
        round=game.round,
        standing=by_name(game.players, game.standing),
        camera_reads=context.camera_reads,
        reading=context.reading,
        winners=tuple(game.players[seat].name for seat in winners_of(game)),
        fault=game.phase.fault if isinstance(game.phase, Halted) else None,
        found=game.phase.found if isinstance(game.phase, TileMismatch) else (),
        messages=(now, *context.notice, *context.news),
        hints=game.tells_odds,
        door=context.origin.door,
        by=None if context.origin.seat is None else game.players[context.origin.seat].name,
    )


def _beside(context: SnapshotContext, told: Snapshot) -> Snapshot:
    """The snapshot with what is no part of the game."""
    sight = context.sight
    return replace(
        told,
        shared=context.shared,
        eye=sight.eye,
        likely=likely_of(told.throw, sight),
        countdown_s=sight.countdown_s,
        lid=sight.lid,
        looked_at=sight.looked_at,
        broken=sight.broken,
        simulated=context.simulated,
        daemon=context.daemon,
        baize=context.baize,
        waiting=waiting_seats(context.holdings, told.players if told.is_game_on else ()),
        seen=context.seen,
    )


def tiles_of(game: AnyGame, seen: Mapping[str, Position]) -> tuple[TileView, ...]:
    """Every tile of the game's layout, row by row from the front, each from the left; `seen` as `CameraState.tiles`."""
    showing, absent = set(game.board.showing), game.board.layout.absent
    found = []
    for tile in game.board.layout.by_name.values():
        state: TileState = "hidden" if game.board.stands(tile) else "shut"
        if tile in showing:
            state = "showing"
        elif tile.column in absent:
            state = "absent"
        place = seen.get(tile.name)
        wanted = Position.OPEN if game.board.stands(tile) else Position.SHUT
        believed = tile.name in game.believed
        moving = isinstance(game.phase, Moving) and not believed and place not in (None, wanted)
        found.append(TileView(tile.name, tile.row, tile.column, tile.mark, state, believed, place, moving))
    return tuple(found)


def likely_of(throw: Sequence[int], sight: CameraState) -> tuple[tuple[int, ...], ...]:
    """The throws that a correction offers: what the camera's side wavers between, or what it may have misread.

    None beside a throw that was not read, or was corrected already.
    """
    read = tuple(sorted(die.face for die in sight.dice))
    return sight.likely if sight.eye == "doubtful" or (throw and read == tuple(sorted(throw))) else ()


def seats_of(game: AnyGame, holdings: Mapping[str, Holding]) -> tuple[SeatView, ...]:
    """The seats in their order; `holdings` by name."""
    seats = []
    for seat, player in enumerate(game.players):
        house = player.strength if player.house else None
        holding = None if player.house else holdings.get(player.name)
        held = (holding.door, holding.here) if holding else (None, False)
        seats.append(SeatView(player.name, house, seat in game.active, *held))
    return tuple(seats)


def waiting_seats(holdings: Mapping[str, Holding], players: Sequence[str]) -> tuple[SeatView, ...]:
    """The seats that are held by name for the next game; `players`: those of the game that is on."""
    waiting = ((name, each) for name, each in holdings.items() if name not in players)
    return tuple(SeatView(name, None, plays=False, held=each.door, here=each.here) for name, each in waiting)


# What a person at the box agrees to with a press of Enter or of the button; never two of them at once.
_AGREED = (AcceptLoss(), GoOn(), TryAgain(), PutRight())


def agreed_command(snapshot: Snapshot) -> AcceptLoss | GoOn | TryAgain | PutRight | None:
    """The command by which the game goes on where somebody has only to agree; None where nobody has."""
    return next((command for command in _AGREED if snapshot.can(command.do)), None)


# Moments at which nobody is asked for anything, though a throw or a choice is due next.
_ASK_NOTHING = ("game.comparing", "throw.pondered")


def asks_nothing(snapshot: Snapshot) -> bool:
    """True while the box looks at its tiles after a start, or the house chooses its dice."""
    return any(each.key in _ASK_NOTHING for each in snapshot.messages[:1])


def scores_of(game: AnyGame) -> tuple[int | None, ...]:
    """Per seat what it has come to: of several rounds in all, else the score of its turn, if that is over."""
    return game.standing or game.scores


def winners_of(game: AnyGame) -> tuple[int, ...]:
    """The seats that won; none while the game is on or if it was given up."""
    return game.phase.winners if isinstance(game.phase, Ended) else ()
