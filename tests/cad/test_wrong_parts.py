"""Wrong parts are found: moved, turned, reversed, miscounted, or with another mark."""

from collections import Counter

import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")

from build123d import Location, Part, Pos, Rot

from hardware.cad import checks, dice
from hardware.cad.assembly import Pose
from hardware.cad.bodies import Bodies
from hardware.cad.meshes import manifold_of, mesh_of
from hardware.cad.parts import tile
from hardware.column import LEAN_DEG
from tests.cad.boxes import bodies_of

REFERENCE = "two-level-9"

# In the frame of the box.
MOVED: list[tuple[str, Location]] = [
    ("ledge", Pos(0, 0, -2)),
    ("comb", Pos(0, 0, 2)),
    ("front-stops", Pos(0, 0.5, 0)),
    ("servo-rail-front", Pos(3, 0, 0)),
    ("cover", Pos(0, 0, -2)),
    ("hall-comb", Pos(0, 0, -1)),
    ("ledge", Pos(0, 0, 1)),
    ("ledge", Pos(0, 4, 0)),
    ("comb", Pos(0, 2, 0)),
    ("comb", Pos(2, 0, 0)),
    ("front-stops", Pos(0, -1, 0)),
    ("back-stops", Pos(0, 0.8, 0)),
    ("back-stops", Pos(0, 0, 2)),
    ("hall-comb", Pos(0, 3, 0)),
    ("servo-rail-front", Pos(0, 4, 0)),
    ("servo-rail-back", Pos(0, -4, 0)),
    ("servo-rail-back", Pos(0, 0, 2)),
    ("axle", Pos(0, 0, 1)),
    ("fixing-arc-left", Pos(1, 0, 0)),
    ("wall-back", Pos(0, 0.6, 0)),
    ("back-3 shut", Pos(0, 0.6, 0.6)),
    ("front-7 lever", Pos(0, 0, -1.2)),
]
# In a frame of its own.
TURNED: list[tuple[str, Location]] = [
    ("front-4", Rot(2, 0, 0)),
    ("front-2 magnet", Rot(0, 0, 180)),
    ("back-6", Rot(-2, 0, 0)),
    ("back-8 magnet", Rot(0, 0, 180)),
    ("front-9 stop magnet", Rot(0, 0, 180)),
    ("back-1 back magnet", Rot(0, 0, 180)),
    ("back-5 shut", Rot(0, 0, 180)),
    ("push-rod-front", Pos(0, 0.8, 0)),
]


def found_in(wrong: Bodies, what: str) -> None:
    found = list(checks.faults(wrong))
    print(f"{what}: {len(found)} faults, such as {found[:1]}")
    assert found, what


@pytest.mark.long
@pytest.mark.parametrize(("part", "by"), MOVED)
def test_a_part_that_is_moved_is_found(part: str, by: Location) -> None:
    found_in(bodies_of(REFERENCE).wrong(moved={part: by}), f"{part} moved by {by.position}")


@pytest.mark.long
@pytest.mark.parametrize(("part", "by"), TURNED)
def test_a_part_that_is_turned_or_reversed_is_found(part: str, by: Location) -> None:
    found_in(bodies_of(REFERENCE).wrong(turned={part: by}), f"{part} turned by {by.orientation}")


@pytest.mark.parametrize(("part", "more"), [("magnet", -1), ("servo", 1), ("limit-switch", -2), ("marker", -1)])
def test_a_wrong_number_is_found(part: str, more: int) -> None:
    kit = bodies_of(REFERENCE).kit
    assert checks.miscounted(kit.measures, kit.quantities) == []
    wrong = kit.quantities + Counter()
    wrong[part] += more
    assert [fault.split(":")[0] for fault in checks.miscounted(kit.measures, wrong)] == [part]


def marked(cut: Part) -> Bodies:
    """Return the reference box with another mark on front-6."""
    bodies = bodies_of(REFERENCE)
    wrong = tile.blank(bodies.kit.measures, 0) - cut
    return bodies.wrong(solids={"front-6": manifold_of(mesh_of(wrong))})


def in_its_place(cut: Part, turn: Location) -> Part:
    """Return a mark, turned about its middle on the face."""
    at = Rot(-LEAN_DEG, 0, 0) * Pos(0, -3, tile.MARK_Z_MM[0])
    return at * turn * at.inverse() * cut


def test_a_mark_upside_down_turned_missing_or_of_another_tile_is_found() -> None:
    six = tile.mark_cut("6", 0)
    assert list(checks.mismarked(marked(six))) == []
    for wrong in (
        in_its_place(six, Rot(0, 180, 0)),
        in_its_place(six, Rot(0, 15, 0)),
        in_its_place(six, Pos(0, 0, -3)),
        Pos(0, 5, 0) * six,
        tile.mark_cut("9", 0),
        tile.mark_cut("5", 0),
    ):
        assert len(list(checks.mismarked(marked(wrong)))) == 1


def test_a_box_without_its_screen_loses_dice() -> None:
    bodies = bodies_of(REFERENCE)
    away = {part: Pos(0, 0, 300) for part in ("screen", "deck")}
    assert dice.hidden_dice(bodies.wrong(moved=away), Pose()) != []
