"""Races at a terminal: what is typed in them, how they are drawn, and how one is told afterwards."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.cli.race.advice import advise, whose_advice
    from controller.cli.race.changes import is_drawn, only_time_passed, race_changes
    from controller.cli.race.drawing import draw_race
    from controller.cli.race.hints import PHASES, keys_of_race, other_keys_of_race, race_hint
    from controller.cli.race.told import tell_race
    from controller.cli.race.typed import race_command, race_lines
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "PHASES",
    "advise",
    "draw_race",
    "is_drawn",
    "keys_of_race",
    "only_time_passed",
    "other_keys_of_race",
    "race_changes",
    "race_command",
    "race_hint",
    "race_lines",
    "tell_race",
    "whose_advice",
]
