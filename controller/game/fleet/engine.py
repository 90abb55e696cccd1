"""The engine of the races, and the view of a race that everybody is sent: its sheet, chips, shouts and time."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from controller.game.core.actions import Action
from controller.game.core.commands import Command, StartGame
from controller.game.core.engine import Engine
from controller.game.core.events import GameEvent
from controller.game.core.message import Message, Messages
from controller.game.core.phases import Ended, Halted, Moving, Parked, TileMismatch, phase_name
from controller.game.core.players import by_name
from controller.game.core.sight import OwnDice, SnapshotContext
from controller.game.fleet.actions import actions_of_race
from controller.game.fleet.decide import decide_race, race_rules, start_race
from controller.game.fleet.evolve import evolve_race
from controller.game.fleet.messages import describe_race, describe_race_due, race_news_of
from controller.game.fleet.state import Naming, Race, RacePhase
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.ruleset import FleetRules
from controller.rules.tiles import Marks


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of the score sheet.

    player: their name. boxes: the points of the combinations that are used up. total: the points of all rounds.
    named: the combination that they race for in this round, or have shouted; None if it is not named, or not known to
    all yet. has_named: whether they have named it. chip: the points of the chip that they have taken in this round;
    None without a chip. shouted: whether their dice are being looked at. out: whether they take no chip in this round.
    colour: the colour of their dice, if the camera knows it. dice: the dice that lie before them, if the box throws for
    them; jokers come last, as 7. kept: those of the dice that are frozen.
    """

    player: str
    boxes: dict[str, int]
    total: int
    named: str | None = None
    has_named: bool = False
    chip: int | None = None
    shouted: bool = False
    out: bool = False
    colour: str = ""
    dice: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CombinationView:
    """A row of the score sheet: the name of a combination, and its title on the sheet."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class ChipView:
    """A chip: its tile, its points, and who has taken it in this round: nobody while it stands."""

    tile: str
    points: int
    taken_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race.

    rows: the sheet. joker: what the sixth face of the dice shows. rounds: how many there are.
    chips: in ascending order.
    namer: the player who names for all, if the game has one and they must name now; else None.
    left_s: whole seconds that the last player still has; None if that time does not run.
    """

    rows: tuple[CombinationView, ...]
    columns: tuple[ColumnView, ...]
    joker: str
    rounds: int
    chips: tuple[ChipView, ...]
    namer: str | None = None
    left_s: int | None = None


def race_facts(race: Race) -> dict[str, Any]:
    """The facts of a race; its options stand in its first event."""
    return {
        "game": race.rules.name,
        "players": [[player.name, player.house] for player in race.players],
        "round": race.round,
        "board": str(race.board),
        "sheets": [[[box.combination, box.points] for box in sheet] for sheet in race.sheets],
        "named": list(race.named),
        "namer": race.namer,
        "rolls": [list(race.rolling), list(race.rolls)],
        "cries": [
            [cry.seat, cry.combination, cry.at_ms, None if cry.dice is None else list(cry.dice.faces)]
            for cry in race.cries
        ],
        "finishes": [[each.seat, each.tile, each.points, each.combination] for each in race.finishes],
        "out": sorted(race.out),
        "left": race.left_s,
        "coins": asdict(race.ledger),
        "believed": sorted(race.believed),
        "phase": _phase(race.phase),
    }


def _phase(phase: RacePhase) -> dict[str, Any]:
    found: dict[str, Any] = {"name": phase_name(phase)}
    match phase:
        case Ended(winners, given_up):
            found |= {"winners": list(winners), "given_up": given_up}
        case Moving(then) | Parked(then):
            found["then"] = _phase(then)
        case Halted(fault, then):
            found |= {"fault": asdict(fault), "then": _phase(then)}
        case TileMismatch(tiles, then):
            found |= {"found": [asdict(tile) for tile in tiles], "then": _phase(then)}
    return found


def view_of_race(race: Race, colours: tuple[str, ...] = (), own: Mapping[str, OwnDice] | None = None) -> RaceView:
    """The view of a race. colours: of each seat's dice, where the camera knows them. own: dice by player."""
    rules = race.rules
    rows = tuple(CombinationView(name, rules.title(rules.combination(name))) for name in rules.card.combinations)
    columns = tuple(_column(race, seat, colours, own or {}) for seat in range(len(race.players)))
    chips = tuple(
        ChipView(
            name, race.worth(name), tuple(race.players[each.seat].name for each in race.finishes if each.tile == name)
        )
        for name in race.board.layout.by_name
    )
    is_naming = isinstance(race.phase, Naming) and rules.terms.challenge == "in_turn"
    namer = race.players[race.namer].name if is_naming else None
    return RaceView(rows, columns, rules.card.joker, race.rounds, chips, namer, race.left_s)


def _column(race: Race, seat: int, colours: tuple[str, ...], own: Mapping[str, OwnDice]) -> ColumnView:
    name = race.players[seat].name
    finish = next((each for each in race.finishes if each.seat == seat), None)
    # What each has named is secret until all have.
    is_open = not isinstance(race.resting, Naming)
    # Between two rounds the dice of the last one still lie where they were, and are nothing to the next.
    dice = own.get(name, OwnDice()) if race.is_on else OwnDice()
    return ColumnView(
        player=name,
        boxes={box.combination: box.points for box in race.sheets[seat] if box.combination},
        total=race.totals[seat],
        named=(race.named[seat] or (finish.combination if finish else None)) if is_open else None,
        has_named=race.named[seat] is not None,
        chip=finish.points if finish else None,
        shouted=race.cry_of(seat) is not None,
        out=seat in race.out,
        colour=colours[seat] if seat < len(colours) else "",
        dice=dice.thrown,
        kept=dice.kept,
    )


class FleetEngine(Engine[Race]):
    """The races of Fleet! and Flash!"""

    games = CARDS
    state = Race

    def rules(self, game: str, options: Mapping[str, object], marks: Marks) -> FleetRules:
        return race_rules(game, options, marks)

    def start(self, command: StartGame) -> tuple[GameEvent, ...]:
        return start_race(command)

    def decide(self, game: Race, command: Command) -> tuple[GameEvent, ...]:
        return decide_race(game, command)

    def evolve(self, game: Race | None, event: GameEvent) -> Race:
        return evolve_race(game, event)

    def facts(self, game: Race) -> dict[str, Any]:
        return race_facts(game)

    def actions(self, game: Race, *, can_throw: bool) -> tuple[Action, ...]:
        return actions_of_race(game, can_throw=can_throw)

    def due(self, game: Race) -> str:
        return describe_race_due(game)

    def describe(self, game: Race, dice_wanted: int | None, *, camera_reads: bool, house_throws: bool) -> Message:
        return describe_race(game, dice_lie=house_throws)

    def news(self, before: Race | None, events: Sequence[GameEvent], after: Race, by: int | None) -> Messages:
        return race_news_of(before, events, after)

    def show(self, game: Race, context: SnapshotContext) -> Mapping[str, Any]:
        return {
            "scores": by_name(game.players, game.scores),
            "coins": by_name(game.players, game.ledger.balances) if game.rules.terms.stake else {},
            "pool": game.ledger.pool,
            "example": f"2 2 3 5 6 {game.rules.card.joker}",
            "actions": actions_of_race(game, can_throw=context.simulated and not context.comparing),
            "race": view_of_race(game, context.colours, context.sight.own_dice),
        }
