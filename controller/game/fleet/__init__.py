"""The games of Fleet! and Flash! as a pure machine, and questions about their odds.

`controller.game.families` brings the machine in; what others use of it they find in `controller.game`.
"""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.game.fleet.question import AIM, FleetQuestion
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = ["AIM", "FleetQuestion"]
