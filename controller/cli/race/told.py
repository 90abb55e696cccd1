"""A race told round by round: who took which chip, with which combination."""

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from controller.game import ChipTaken, GameEvent, Race, evolve
from controller.process import answers, print_json, table
from controller.rules.fleet import Dice


def tell_race(game: int, events: Sequence[GameEvent], race: Race, *, as_json: bool) -> None:
    """Tell a race of that number, from its first event on."""
    taken = list(_chips(events))
    if as_json:
        print_json({"game": game, "name": race.rules.name, "totals": _totals(race), "chips": taken})
        return
    answers.print(f"Game {game}, {race.rules.name}.", markup=False)
    grid = Grid(box=SIMPLE_HEAD)
    for column in ("round", "player", "combination", "dice", "chip"):
        grid.add_column(column, justify="right" if column in ("round", "chip") else "left")
    for chip in taken:
        grid.add_row(*(str(chip[name] or "") for name in ("round", "player", "combination", "dice", "points")))
    table.print(grid)
    answers.print(", ".join(f"{name} {total}" for name, total in _totals(race).items()), markup=False)


def _totals(race: Race) -> dict[str, int]:
    return {player.name: total for player, total in zip(race.players, race.totals, strict=True)}


def _chips(events: Sequence[GameEvent]) -> Iterator[dict[str, object]]:
    """Every chip that was taken, in order; one that was put back is told as well."""
    race = None
    for event in events:
        if isinstance(race, Race) and isinstance(event, ChipTaken):
            shown = event.dice or ((),) * len(event.players)
            for seat, name, dice in zip(event.players, event.combinations, shown, strict=True):
                yield {
                    "round": race.round,
                    "player": race.players[seat].name,
                    "combination": name,
                    "dice": Dice(dice).tell(race.rules.card.joker),
                    "points": race.worth(event.tile),
                }
        race = evolve(race, event)
