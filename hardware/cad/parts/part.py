"""One part of the box: its solid, what it is made of, and how."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from build123d import Location, Part, Sketch

Made = Literal["print", "saw", "rod", "buy"]

# kg/m3: common values; birch plywood by the Handbook of Finnish Plywood.
DENSITIES: Mapping[str, float] = {
    "PLA": 1240.0,
    "plywood": 680.0,
    "steel": 7850.0,
    "aluminium": 2700.0,
    "brass": 8500.0,
    "neodymium": 7500.0,
    "felt": 300.0,
    "PVC": 1400.0,
}


@dataclass(frozen=True)
class Solid:
    """One part, in a frame of its own: printed ones stand as they are printed once `printed` has turned them.

    name: also that of its files. made: printed, sawn or cut by laser, cut from a rod or tube, or bought.
    note: what to look for, or what must be equal in another one. fixings: by name, the screws of one such part.
    numeral: what the figures of the first document call it. sheet: the outline of a flat part, in mm.
    grams: of a bought part, where the solid's volume tells nothing.
    """

    name: str
    solid: Part
    made: Made
    material: str
    note: str = ""
    fixings: Mapping[str, int] = field(default_factory=dict)
    numeral: str = ""
    printed: Location = field(default_factory=Location)
    sheet: Sketch | None = None
    grams: float | None = None
    colour: tuple[float, float, float] = (0.8, 0.8, 0.8)

    @property
    def mass_g(self) -> float:
        if self.grams is not None:
            return self.grams
        return float(self.solid.volume) * DENSITIES[self.material] * 1e-6
