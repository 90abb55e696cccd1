"""The ways in which the boxes of a campaign may be built, and their options: rods, Hall sensors, the end of a pulse."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

import typer

from hardware.box import Box
from hardware.sim.servo import CAREFUL, Tolerances


class Link(StrEnum):
    """The push-rods of a box."""

    SLOT = "slot"
    RIGID = "rigid"


class Halls(StrEnum):
    """Hall sensors and gaps of the parts list."""

    TYPICAL = "typical"
    DULL = "dull"
    KEEN = "keen"


class Kick(StrEnum):
    """Whether a servo board cuts a pulse when its output is switched off, at no time, or with any change of it."""

    CUT = "cut"
    FRAME = "frame"
    ANY = "any"


LinkOption = Annotated[Link | None, typer.Option("--link", help="The push-rods; by default the profile's.")]
HallsOption = Annotated[Halls, typer.Option("--halls", help="The Hall sensors that are built in.")]
KickOption = Annotated[Kick, typer.Option("--kick", help="What cuts a pulse: off, nothing, or any change.")]

# The pulses of the two drawn rods.
_PULSES_US = {Link.SLOT: (820, 1655, 2090), Link.RIGID: (1000, None, 2000)}


@dataclass(frozen=True, slots=True)
class Build:
    """How a box is built; the rods are the profile's where `link` is None."""

    link: Link | None = None
    halls: Halls = Halls.TYPICAL
    kick: Kick = Kick.CUT

    @property
    def words(self) -> str:
        """The options that say it again, each after a space; none for what is so by default."""
        words = "" if self.link is None else f" --link {self.link}"
        words += "" if self.halls is Halls.TYPICAL else f" --halls {self.halls}"
        return words + ("" if self.kick is Kick.CUT else f" --kick {self.kick}")

    def box(self, profile: Box) -> Box:
        """The box of this profile with these rods."""
        if self.link is None or self.link.value == profile.motion.link:
            return profile
        open_us, rest_us, shut_us = _PULSES_US[self.link]
        pulses = {"link": self.link.value, "open_us": open_us, "rest_us": rest_us, "shut_us": shut_us}
        return profile.model_copy(update={"motion": profile.motion.model_copy(update=pulses)})

    def tolerances(self, others: Tolerances = CAREFUL) -> Tolerances:
        """These parts, and the other tolerances."""
        return replace(others, halls=self.halls.value, kick=self.kick.value)


AS_DRAWN = Build()
