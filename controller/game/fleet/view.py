"""The view of a race that everybody is sent: its sheet, what each races for, chips, shouts and the time of the last."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.fleet.phases import Naming
from controller.game.fleet.state import Race


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of the score sheet.

    player: by name. boxes: the points of the combinations that are used up. total: of all rounds. named: what he races
    for in this round, or has shouted; None where that is not said, or not known to all yet. has_named: whether he has
    said it. chip: the points that he has taken in this round; None without. shouted: his dice are looked at. out: he
    takes no chip in this round. colour: of his dice, where the camera knows them. dice: as they lie before him, where
    the box throws for him, jokers last as 7; kept: those of them that are frozen.
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
    """A row of the score sheet: its name, and how the sheet calls it."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class ChipView:
    """A chip: its tile, its points, and who has it in this round; nobody while it stands."""

    tile: str
    points: int
    taken_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race. rows: the sheet. joker: what its sixth face shows. rounds: how many there are. namer: who names for all,
    where one does and it is his turn. chips: in ascending order. left_s: whole seconds that the last one still has.
    """

    rows: tuple[CombinationView, ...]
    columns: tuple[ColumnView, ...]
    joker: str
    rounds: int
    chips: tuple[ChipView, ...]
    namer: str | None = None
    left_s: int | None = None


@dataclass(frozen=True, slots=True)
class OwnDice:
    """The dice of a player for whom the box throws: those that are frozen, and the others as they lie."""

    kept: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()


def view_of_race(race: Race, colours: tuple[str, ...] = (), own: Mapping[str, OwnDice] | None = None) -> RaceView:
    """The view of a race. colours: of each seat's dice, where the camera knows them. own: dice by player."""
    rules = race.rules
    rows = tuple(CombinationView(name, rules.title(rules.combination(name))) for name in rules.card.combinations)
    columns = tuple(_column(race, seat, colours, own or {}) for seat in range(len(race.players)))
    is_naming = isinstance(race.phase, Naming) and rules.terms.challenge == "in_turn"
    namer = race.players[race.namer].name if is_naming else None
    return RaceView(rows, columns, rules.card.joker, race.rounds, _chips(race), namer, race.left_s)


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


def _chips(race: Race) -> tuple[ChipView, ...]:
    names = list(race.board.layout.by_name)
    return tuple(
        ChipView(
            name,
            race.worth(name),
            tuple(race.players[finish.seat].name for finish in race.finishes if finish.tile == name),
        )
        for name in names
    )
