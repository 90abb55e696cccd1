"""What the map of the whole field shows of a view, and the network asked only where the map does not rule a die out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.field.view import AROUND_MM, PX_PER_MM, Places, View, look_around
from vision.network.classified import TILTED, Chances, FaceClassifier
from vision.network.dice_map import DiceMapper, MappedDice

_REACH = 6.0 * PX_PER_MM  # so far from a place that the map shows the middle of a die may lie


@dataclass(frozen=True, slots=True, eq=False)
class Asker:
    """Asks the network what lies at places of a view, and knows from the map, in view pixels, where no die can lie.

    The map looks at the whole field in the time that forty questions take.
    """

    view: View
    classify: FaceClassifier
    mapped: MappedDice

    def __call__(self, places: Places) -> Chances:
        """The chances (n, 8) of what lies at places (n, 2), as a `FaceClassifier` tells them."""
        return self.classify(self.view.crops(places), self.view.slopes(places))

    def where_possible(self, places: Places) -> Chances:
        """The same; what the map rules out is surely no die, and is not asked about."""
        asked = self.are_possible(places)
        chances = np.zeros((len(places), TILTED + 1), np.float32)
        chances[:, 0] = 1.0
        chances[asked] = self(places[asked])
        return chances

    def are_possible(self, places: Places) -> NDArray[np.bool_]:
        """True for the places (n, 2) near which the map does not rule out a die."""
        away = np.linalg.norm(places[:, None] - self.mapped.possible, axis=2)
        return np.asarray(away.min(axis=1, initial=np.inf) < _REACH, np.bool_)


def asker_of(view: View, classify: FaceClassifier, mapper: DiceMapper) -> Asker:
    """Map the view, to ask about it."""
    mapped = mapper(look_around(view))
    places, possible = (view.over_baize(there - AROUND_MM) for there in (mapped.places, mapped.possible))
    return Asker(view, classify, MappedDice(places, mapped.chances, possible))
