"""An unseen field is a fault once it was unseen for long enough, while somebody looked."""

import pytest

from vision.errors import FieldLost
from vision.reading import Reason, refused
from vision.watching.agreement import Blindness

UNSEEN = refused(Reason.NO_FIELD, "I do not see the markers.")


def test_a_field_that_stays_unseen_for_five_seconds_is_a_fault() -> None:
    blindness = Blindness()
    for tenth in range(50):
        blindness.check(UNSEEN, tenth / 10)
    with pytest.raises(FieldLost):
        blindness.check(UNSEEN, 5.0)


def test_while_nobody_looks_nothing_is_unseen() -> None:
    blindness = Blindness()
    blindness.check(UNSEEN, 0.0)
    blindness.check(UNSEEN, 57.0)
    for second in range(58, 62):
        blindness.check(UNSEEN, second)
    with pytest.raises(FieldLost):
        blindness.check(UNSEEN, 62.0)
