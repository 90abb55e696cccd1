"""What everybody is shown of a race: no dice of a round that is over."""

from controller.game.core.sight import OwnDice
from controller.game.fleet.engine import view_of_race
from tests.support.race_stories import racing, taken

DICE = {"Ann": OwnDice((2, 2), (3, 4, 5, 7))}


def test_dice_lie_there_as_long_as_their_round_is_on() -> None:
    [ann, *_] = view_of_race(racing(2), own=DICE).columns
    assert (ann.kept, ann.dice) == ((2, 2), (3, 4, 5, 7))

    over = taken(racing(2), "Ann")
    [ann, *_] = view_of_race(over, own=DICE).columns
    assert (over.round, ann.kept, ann.dice) == (2, (), ())
