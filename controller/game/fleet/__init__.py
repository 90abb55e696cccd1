"""The games of Fleet! and Flash! as a pure machine, and questions about their odds.

What belongs to them alone; what may hold a game of any family stands in `controller.game.interruption`.
"""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.game.fleet.actions import actions_of_race, seats_of_kind
    from controller.game.fleet.commands import (
        OF_ONE_RACER,
        CallGo,
        Claim,
        CountDown,
        EndRound,
        NameCombination,
        PassSecond,
        RaceCommand,
        RaceRequest,
        Shout,
        ThrowOwnDice,
        WithdrawShout,
    )
    from controller.game.fleet.decide import decide_race, race_rules, seat_of, start_race
    from controller.game.fleet.digest import race_facts
    from controller.game.fleet.events import (
        ChipReturned,
        ChipTaken,
        ClaimHeld,
        ClaimRefused,
        CombinationNamed,
        RaceEnded,
        RaceEvent,
        RaceRolled,
        RoundBegan,
        Shouted,
        ShoutsVoided,
        ShoutWithdrawn,
    )
    from controller.game.fleet.evolve import evolve_race
    from controller.game.fleet.family import RACING
    from controller.game.fleet.narration import (
        describe_claim_fault,
        describe_race,
        describe_race_due,
        describe_several_sets,
        describe_thrown_anew,
        race_news_of,
    )
    from controller.game.fleet.phases import Counting, Naming, Racing, Ready, RollingOff
    from controller.game.fleet.question import AIM, FleetQuestion
    from controller.game.fleet.state import Cry, Finish, Race
    from controller.game.fleet.view import ChipView, ColumnView, CombinationView, OwnDice, RaceView, view_of_race
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "AIM",
    "OF_ONE_RACER",
    "RACING",
    "CallGo",
    "ChipReturned",
    "ChipTaken",
    "ChipView",
    "Claim",
    "ClaimHeld",
    "ClaimRefused",
    "ColumnView",
    "CombinationNamed",
    "CombinationView",
    "CountDown",
    "Counting",
    "Cry",
    "EndRound",
    "Finish",
    "FleetQuestion",
    "NameCombination",
    "Naming",
    "OwnDice",
    "PassSecond",
    "Race",
    "RaceCommand",
    "RaceEnded",
    "RaceEvent",
    "RaceRequest",
    "RaceRolled",
    "RaceView",
    "Racing",
    "Ready",
    "RollingOff",
    "RoundBegan",
    "Shout",
    "ShoutWithdrawn",
    "Shouted",
    "ShoutsVoided",
    "ThrowOwnDice",
    "WithdrawShout",
    "actions_of_race",
    "decide_race",
    "describe_claim_fault",
    "describe_race",
    "describe_race_due",
    "describe_several_sets",
    "describe_thrown_anew",
    "evolve_race",
    "race_facts",
    "race_news_of",
    "race_rules",
    "seat_of",
    "seats_of_kind",
    "start_race",
    "view_of_race",
]
