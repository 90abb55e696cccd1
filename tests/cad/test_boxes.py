"""Every box in wood: nothing collides, what must touch touches, it can be printed, and no die gets out of sight."""

import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")

from hardware import hall
from hardware.box import box_names, load_box
from hardware.cad import checks, dice, sweep
from hardware.cad.assembly import Kit, Pose
from hardware.cad.bodies import Bodies
from hardware.cad.measures import NotInWood, measures_of
from hardware.cad.parts import mast, sensors
from hardware.column import TRAVEL_DEG
from tests.cad.boxes import BOXES, bodies_of
from tests.support.long import long_but_every

# The first of them is the reference.
each_box = pytest.mark.parametrize("name", long_but_every(len(BOXES), BOXES))
# A printed part is exact within 0.2 mm.
LEAST_MM = 0.2


@pytest.mark.long
@pytest.mark.parametrize("name", BOXES)
def test_nothing_collides_in_any_pose_that_rods_horns_and_the_stack_rule_allow(name: str) -> None:
    found = sweep.sweep(bodies_of(name))
    nearest = sorted(found.least.items(), key=lambda pair: pair[1])[:6]
    print(f"{name}: {found.states} states, {found.poses} poses, {found.pairs} pairs; nearest:")
    for pair, (clear, where) in nearest:
        print(f"  {clear:.2f} mm {pair[0]} and {pair[1]}: {where}")
    assert nearest[0][1][0] >= LEAST_MM, nearest[0]
    assert found.states >= 40
    assert found.poses > 300


@each_box
def test_nothing_is_wrong_with_the_box(name: str) -> None:
    assert list(checks.faults(bodies_of(name))) == []


@each_box
def test_every_printed_part_can_be_printed(name: str) -> None:
    assert list(checks.unprintable(bodies_of(name))) == []


@each_box
def test_other_magnets_never_hold_a_sensor_closed(name: str) -> None:
    bodies = bodies_of(name)
    worst = {str(tile): checks.stray_mt(bodies, tile) for tile in bodies.kit.measures.box.tile_ids}
    print(f"{name}: at most {max(worst.values()):.2f} mT; a sensor opens at {hall.SENSOR.release_mt[0]} mT or more")
    assert max(worst.values()) < 0.8
    # Its own magnet is far when the tile stands.
    assert (
        hall.field_mt(hall.MAGNET, hall.GAP_MM[0], TRAVEL_DEG) + max(worst.values()) < hall.SENSOR.release_mt[0] + 0.1
    )


@pytest.mark.parametrize(
    ("name", "lying"),
    long_but_every(
        4 * len(BOXES),
        [(name, lying) for name in BOXES for lying in ("every other column", "none", "front row", "all")],
    ),
)
def test_a_die_never_rests_below_the_tiles_edges_where_the_camera_cannot_see_it(name: str, lying: str) -> None:
    bodies = bodies_of(name)
    measures = bodies.kit.measures
    chosen = {
        tile: TRAVEL_DEG
        for tile in measures.box.tile_ids
        if lying == "all"
        or (tile.row == 1 and (lying == "front row" or (lying != "none" and measures.tile_at(tile)[0] % 2)))
    }
    assert dice.hidden_dice(bodies, Pose(chosen)) == []


@each_box
def test_whatever_has_a_wire_in_the_profile_has_a_place_of_that_name(name: str) -> None:
    kit = bodies_of(name).kit
    box = kit.measures.box
    # A sheet is called lid, too.
    there = {placement.label for placement in kit.placements(Pose()) if kit.solids[placement.part].sheet is None}
    for path, _ in box.wires():
        match path:
            case ("panel", part):
                assert part in there or part in ("output_enable", "expander_interrupt"), part
            case ("tiles", tile, part):
                assert f"{tile} {part}" in there
    for address in (*box.servo_boards, *box.expanders):
        assert f"0x{address:02x}" in there


def test_the_other_profiles_say_in_one_line_what_they_lack() -> None:
    for name in set(box_names()) - set(BOXES):
        with pytest.raises(NotInWood) as caught:
            measures_of(load_box(name))
        assert str(caught.value).startswith(f"{name}: ")
        assert "\n" not in str(caught.value)


@pytest.mark.long
def test_a_box_for_servos_that_turn_the_other_way_is_as_good() -> None:
    box = load_box("classic-9")
    wood = box.wood.model_copy(update={"pitch_mm": 24.0, "servo_turn": "right"})
    kit = Kit(measures_of(box.model_copy(update={"wood": wood})))
    assert list(checks.faults(Bodies(kit))) == []
    tile = box.tile_ids[0]
    pegs = [next(each for each in kit.moving(tile, 0.0, deg) if each.label == f"{tile} peg") for deg in (10.0, -10.0)]
    assert pegs[0].at.position.Y < pegs[1].at.position.Y, "a smaller angle carries the peg to the back"
    assert kit.measures.column_x_mm(0) > pegs[0].at.position.X, "its shaft is on the right"


def test_a_mast_that_does_not_fold_into_the_lid_is_refused() -> None:
    box = load_box("two-level-9")
    tall = box.model_copy(update={"camera": box.camera.model_copy(update={"height_mm": 600.0})})
    with pytest.raises(NotInWood, match=r"600: the mast folds into the lid from \d+ to \d+ mm"):
        measures_of(tall)


@each_box
def test_the_mast_is_stiff_enough_to_read_dice_while_servos_start(name: str) -> None:
    told = mast.stiffness(bodies_of(name).kit.measures)
    print(f"{name}: first mode {told.mode_hz:.0f} Hz, camera moves {told.moved_mm:.2f} mm, {told.seen_px:.1f} px")
    assert told.mode_hz > 8
    # The camera's picture is exposed for 8 ms, a fraction of a period; a pip is 4 mm wide.
    assert told.seen_px < 3


def test_the_lever_of_a_switch_is_never_pressed_beyond_its_overtravel() -> None:
    assert 0.3 < sensors.PRESSED_MM < sensors.OVERTRAVEL_MM
