"""Ask the network about places of a view, but only where the map of the whole field does not rule a die out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.field.view import AROUND_MM, PX_PER_MM, Places, View, look_around
from vision.network.classified import TILTED, Chances, FaceClassifier
from vision.network.dice_map import DiceMapper, MappedDice

_REACH = 6.0 * PX_PER_MM  # the middle of a die may lie this far from its place on the map


@dataclass(frozen=True, slots=True, eq=False)
class Asker:
    """Asks the network about places of a view, and knows from the map, in view pixels, where no die can lie.

    Mapping the whole field takes as long as forty questions.
    """

    view: View
    classify: FaceClassifier
    mapped: MappedDice

    def __call__(self, places: Places) -> Chances:
        """Return the chances (n, 8) at places (n, 2), as a `FaceClassifier` gives them."""
        return self.classify(self.view.crops(places), self.view.slopes(places))

    def where_possible(self, places: Places) -> Chances:
        """Return the same; places that the map rules out get the class of no die without a question."""
        asked = self.are_possible(places)
        chances = np.zeros((len(places), TILTED + 1), np.float32)
        chances[:, 0] = 1.0
        chances[asked] = self(places[asked])
        return chances

    def are_possible(self, places: Places) -> NDArray[np.bool_]:
        """Return for each place (n, 2) whether the map allows a die near it."""
        away = np.linalg.norm(places[:, None] - self.mapped.possible, axis=2)
        return np.asarray(away.min(axis=1, initial=np.inf) < _REACH, np.bool_)


def asker_of(view: View, classify: FaceClassifier, mapper: DiceMapper) -> Asker:
    """Map the view, to ask about it."""
    mapped = mapper(look_around(view))
    places, possible = (view.over_baize(there - AROUND_MM) for there in (mapped.places, mapped.possible))
    return Asker(view, classify, MappedDice(places, mapped.chances, possible))
