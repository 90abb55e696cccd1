"""What is seen of a flat die: its top, and its sides towards the camera's foot."""

import numpy as np

from tests.support.stage import BOX, camera, die
from vision.field.field import locate_field
from vision.field.view import view_of
from vision.foreground.survey import look_over
from vision.network.dice_map import dice_map
from vision.network.network import face_network, stance_network
from vision.reader.reader import find_dice
from vision.reader.scan import BESIDE, are_on_dice, are_on_tops


def test_a_side_is_seen_towards_the_camera_and_is_no_top() -> None:
    pixels = camera([die(4, 20, 100, angle_rad=0.0)]).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    view = view_of(pixels, field, BOX.die_mm)
    faces = find_dice(view, look_over(view), face_network().classify, stance_network().classify, dice_map().find).faces
    middle, edge = faces[0].middle, faces[0].edge_px
    assert view.slopes(middle[None])[0, 0] > 0.15
    on_top, on_side, behind, far = middle + edge * np.array([(0.45, 0.0), (0.6, 0.0), (-0.6, 0.0), (1.1, 0.0)])
    assert are_on_tops(np.array([on_top, on_side, behind, far]), faces).tolist() == [True, False, False, False]
    seen = np.array([on_top, on_side, behind, far])
    assert are_on_dice(view, seen, faces, BESIDE).tolist() == [True, True, False, False]
    assert are_on_dice(view, seen, (), BESIDE).tolist() == [False] * 4
    assert are_on_dice(view, np.zeros((0, 2)), faces, BESIDE).tolist() == []
