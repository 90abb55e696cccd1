"""Which session an order of a daemon's job asks for."""

from typing import assert_never

from controller.box import CameraOrder, ChosenBox, DiceOrder, JobOrder, SelftestOrder, ServoOrder, WiringOrder
from controller.calibrate.conversation import Session
from controller.journal import check_home
from controller.settings import Home


def session_for(order: JobOrder, box: ChosenBox, home: Home) -> Session:
    """The session that does what is ordered, on this box, with what is saved in this home.

    Each is loaded where it is asked for: most daemons never do any. Raises `BadOrder`, and what is known to be wrong
    before the box is opened.
    """
    match order:
        case ServoOrder():
            from controller.calibrate.servos import servo_session

            before, open_servos = box.rigs().servos(order)
            return servo_session(open_servos, home.data, before, order)
        case CameraOrder():
            from controller.calibrate.camera import camera_session

            return camera_session(box.rigs().camera(), home.data, order)
        case DiceOrder():
            from controller.calibrate.dice import dice_session
            from vision.taught import DiceFolder

            return dice_session(box.rigs().dice(order), DiceFolder(home.data), order, home.settings)
        case SelftestOrder():
            from controller.calibrate.selftest import selftest_session

            wear = home.wear(box.box.name, mock=box.simulated)
            return selftest_session(box.open_table, box.box, wear, () if box.simulated else check_home(home))
        case WiringOrder():
            from controller.calibrate.wiring import wiring_session

            return wiring_session(box.open_table)
        case _:
            assert_never(order)
