"""A race told round by round: who took which chip, with which combination."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.fleet.events import ChipReturned, ChipTaken
from controller.game.fleet.state import Finish, Race
from controller.game.table.engines import evolve
from controller.process.output import print_json
from controller.process.terminal import answers, table
from controller.rules.fleet.dice import Dice


def tell_race(game: int, events: Sequence[GameEvent], race: Race, *, as_json: bool) -> None:
    """Tell the race of that number, from its first event on."""
    taken = _chips(events)
    totals = {player.name: total for player, total in zip(race.players, race.totals, strict=True)}
    if as_json:
        print_json({"game": game, "name": race.rules.name, "totals": totals, "chips": taken})
        return
    answers.print(f"Game {game}, {race.rules.name}.", markup=False)
    grid = Grid(box=SIMPLE_HEAD)
    for column in ("round", "player", "combination", "dice", "chip"):
        grid.add_column(column, justify="right" if column in ("round", "chip") else "left")
    for chip in taken:
        grid.add_row(*(str(chip[name] or "") for name in ("round", "player", "combination", "dice", "points")))
    table.print(grid)
    answers.print(", ".join(f"{name} {total}" for name, total in totals.items()), markup=False)


def _chips(events: Sequence[GameEvent]) -> list[dict[str, object]]:
    """Return every chip that its player kept, in order."""
    race: AnyGame | None = None
    chips: list[tuple[int, Finish, dict[str, object]]] = []
    for event in events:
        before, race = race, evolve(race, event)
        if not isinstance(before, Race) or not isinstance(race, Race):
            continue
        if isinstance(event, ChipTaken):
            taken = race.finishes[-len(event.players) :]
            for finish, dice in zip(taken, event.dice or ((),) * len(taken), strict=True):
                told = {
                    "round": before.round,
                    "player": before.players[finish.seat].name,
                    "combination": finish.combination,
                    "dice": Dice(tuple(dice)).tell(before.rules.card.joker),
                    "points": finish.points,
                }
                chips.append((before.round, finish, told))
        if isinstance(event, ChipReturned):
            chips = [each for each in chips if each[0] < race.round or each[1] in race.finishes]
    return [told for _round, _finish, told in chips]
