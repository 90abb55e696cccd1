"""Pictures without a field: dice of which one is much nearer than the others, or that the border cuts."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.long import long_but_every
from tests.support.stage import BOX, RED, camera, die
from vision.capture.frame import Pixels
from vision.network.classified import ClassifiedFace, classify_faces
from vision.network.network import anywhere_network
from vision.reader import candidates, whole_picture
from vision.reader.candidates import fit_candidates
from vision.reader.reader import read_dice
from vision.reader.scales import Look, rank_looks
from vision.reading import Reading, Reason
from vision.sim.optics import mount


def whole(pixels: Pixels) -> Reading:
    return read_dice(pixels, layout=None, die_mm=BOX.die_mm)


def picture(*lying: tuple[int, float, float]) -> Pixels:
    """Dice on the middle of the baize, without what lies about it."""
    dice = tuple(die(value, x, y, RED) for value, x, y in lying)
    return camera(dice).capture().pixels[200:460, 480:800]


@pytest.mark.parametrize("larger", long_but_every(4, [1.0, 2.8, 3.4, 4.0]))
def test_no_die_is_overlooked_because_it_is_much_nearer_than_the_others(larger: float) -> None:
    far = picture((5, 120, 80), (3, 160, 110))
    near = cv2.resize(picture((4, 140, 100)), None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
    height = max(far.shape[0], near.shape[0])
    both = np.hstack([cv2.copyMakeBorder(p, 0, height - p.shape[0], 0, 0, cv2.BORDER_REPLICATE) for p in (far, near)])
    reading = whole(np.asarray(both, np.uint8))
    assert reading.values == (3, 4, 5) if reading.is_read else reading.reason is Reason.UNSURE
    assert reading.is_read == (larger < 1.2)


@pytest.mark.parametrize(("cut_px", "values"), [(-30, (3, 5)), (0, None), (9, None)])
def test_a_die_that_the_border_cuts_is_not_left_out(cut_px: int, values: tuple[int, ...] | None) -> None:
    """cut_px: how far from the middle of the die on the left the border is."""
    pixels = camera([die(value, x, y) for value, x, y in ((5, 120, 80), (3, 160, 110))], 3).capture().pixels
    x, y = mount(BOX.camera, BOX.field, 3).project(np.array([[120.0, 80.0, 16.0]]))[0]
    reading = whole(pixels[round(y) - 60 : round(y) + 120, round(x) + cut_px : round(x) + 260])
    assert (reading.values if reading.is_read else None) == values
    assert reading.is_read or "partly outside the picture" in reading.say


@pytest.mark.parametrize("mount_seed", long_but_every(3, [1, 2, 4]))
def test_the_markers_of_a_box_are_no_dice(mount_seed: int) -> None:
    pixels = (
        camera([die(value, x, y, RED) for value, x, y in ((5, 120, 80), (3, 160, 110))], mount_seed).capture().pixels
    )
    assert whole(pixels).values == (3, 5)


def looked_at(*lying: tuple[int, float, float]) -> tuple[Look, list[ClassifiedFace]]:
    look = rank_looks(picture(*lying))[0]
    return look, classify_faces(anywhere_network().classify, look.pixels, look.faces, 0.3)[0]


@pytest.mark.parametrize("off", [(0.0, 0.0), (0.25, 0.0), (-0.2, 0.2)])
def test_a_die_that_the_network_sees_is_read_where_its_lattice_fits(
    monkeypatch: pytest.MonkeyPatch, off: tuple[float, float]
) -> None:
    """off: how far from its middle a pip of it was noticed, in edges."""
    look, dice = looked_at((5, 120, 80), (3, 160, 110), (6, 110, 120))
    [lost] = [die for die in dice if die.face.value == 6]
    others, classify = [die for die in dice if die is not lost], anywhere_network().classify
    around = [lost.face.middle + np.array(off) * lost.face.edge_px]

    found, network_only = fit_candidates(look, classify, around, others)
    assert (sorted(die.face.value for die in found), network_only) == ([3, 5, 6], None)

    monkeypatch.setattr(candidates, "fit_face", lambda *_: None)
    found, network_only = fit_candidates(look, classify, around, others)
    assert found == others
    assert network_only is not None
    assert network_only[1] == 6


def test_a_lattice_that_fits_beside_what_the_network_sees_is_no_die() -> None:
    look, dice = looked_at((5, 120, 80), (3, 160, 110), (6, 110, 120))
    [lost] = [die for die in dice if die.face.value == 6]
    others = [die for die in dice if die is not lost]

    def fitted(at_place: int) -> list[ClassifiedFace]:
        """Where the network sees this value at the place, and the true one wherever the lattice fits."""
        rows = iter([surely(at_place)])
        return list(
            candidates._fits_about(look, lambda *_: next(rows, surely(6)), lost.face.middle, lost.face.edge_px, others)
        )

    assert {die.face.value for die in fitted(6)} == {6}
    assert fitted(5) == []
    assert fitted(0) == []


def surely(value: int) -> NDArray[np.float32]:
    return np.eye(8, dtype=np.float32)[[value]]


@pytest.mark.parametrize(("values", "refuses"), [((5, 3), False), ((1, 1), True)])
def test_dice_are_no_pips_of_a_much_larger_one(values: tuple[int, int], refuses: bool) -> None:
    look, [first, *_] = looked_at((5, 120, 80), (3, 160, 110))
    edge = first.face.edge_px
    read = [
        replace(first, face=replace(first.face.moved(np.full(2, away)), value=value))
        for value, away in zip(values, (0.0, 5.0 * edge), strict=True)
    ]
    # In a picture a tenth as large the two lie as the pips of a 2 do.
    face = replace(first.face, value=2, middle=(first.face.middle + 2.5 * edge) / 10, edge_px=edge)
    small = Look((look.scale[0] / 10, look.scale[1] / 10), look.pixels[::10, ::10], look.spots, (face,))
    refusal = whole_picture._refuse_unlike_sizes([look, small], lambda *_: surely(2), read)
    assert (refusal is not None) == refuses


@pytest.mark.parametrize(("chance", "later", "unsure"), [(0.9, True, True), (0.9, False, False), (0.97, True, False)])
def test_a_pair_that_only_a_second_look_shows_must_be_surer(chance: float, later: bool, unsure: bool) -> None:
    look, dice = looked_at((2, 120, 80), (3, 160, 110))
    [pair] = [die for die in dice if die.face.value == 2]
    row = (np.float32(chance) * surely(2) + np.float32(1 - chance) * surely(0))[0]
    found = ClassifiedFace(pair.face.moved(np.zeros(2)) if later else pair.face, row)
    assert whole_picture._is_unsure(look, found) == unsure


def test_a_photograph_whose_pips_run_together_is_unsure_and_not_of_moving_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = picture((5, 120, 80), (3, 160, 110))
    assert whole(pixels).is_read
    monkeypatch.setattr(whole_picture, "measure_smear", lambda *_: 0.9)
    assert whole(pixels).reason is Reason.UNSURE
