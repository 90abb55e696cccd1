"""The files of a box: all there, read by other libraries, and the same when they are made again."""

import json
import locale
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")

import ezdxf
import trimesh
from build123d import Mesher
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps
from OCP.STEPControl import STEPControl_Reader

from hardware.cad import cutlist, drawings, export
from hardware.cad.assembly import Pose
from tests.cad.boxes import BOXES, bodies_of
from tests.support.long import long_but_every


def volume_mm3(step: Path) -> float:
    """Return the volume of a STEP file's solids, read by OpenCASCADE itself."""
    reader = STEPControl_Reader()
    assert int(reader.ReadFile(str(step))) == 1
    reader.TransferRoots()
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(reader.OneShape(), properties)
    return float(properties.Mass())


def made(name: str, folder: Path) -> list[str]:
    """Write all files as the command does: in a process of its own, since OpenCASCADE counts assemblies within one."""
    words = ["parts", "--box", name, "--files", str(folder), "--json"]
    program = [sys.executable, "-c", "from controller.cli.main import main; main()"]
    done = subprocess.run([*program, *words], check=True, capture_output=True, text=True)
    files = json.loads(done.stdout)["files"]
    assert files[-1] == "manifest.json"
    return list(files)


def check(name: str, folder: Path, names: list[str]) -> None:
    """Read every file back by a library that did not write it."""
    kit = bodies_of(name).kit
    for file in names:
        path, part = folder / file, Path(file).stem
        match path.suffix:
            case ".step" if part != "assembly":
                assert volume_mm3(path) == pytest.approx(float(kit.solids[part].solid.volume), rel=1e-4), file
            case ".stl":
                mesh = trimesh.load_mesh(path)
                mesh.merge_vertices()
                assert mesh.is_watertight, file
                assert mesh.bounds[0] == pytest.approx([0, 0, 0], abs=1e-3), file
                assert mesh.volume == pytest.approx(float(kit.solids[part].solid.volume), rel=0.01), file
            case ".3mf":
                with export.kept_locale():
                    (shape,) = Mesher().read(path)
                assert float(shape.volume) == pytest.approx(float(kit.solids[part].solid.volume), rel=0.01), file
            case ".dxf":
                document = ezdxf.readfile(path)
                assert document.audit().errors == [], file
                assert len(document.modelspace()) >= 4, file
            case ".svg":
                assert ElementTree.parse(path).getroot().tag.endswith("svg"), file  # noqa: S314


@pytest.mark.parametrize("part", long_but_every(5, ["push-rod-front", "back-6", "comb", "wall-front", "mast-foot"]))
def test_a_part_s_files_are_read_by_other_libraries(part: str, tmp_path: Path) -> None:
    kit = bodies_of("two-level-9").kit
    names = [path.relative_to(tmp_path).as_posix() for path in export.write(tmp_path, export.part_files(kit, part))]
    check("two-level-9", tmp_path, names)
    assert {Path(file).stem for file in names} == {part}


@pytest.mark.long
@pytest.mark.parametrize("name", BOXES)
def test_all_files_of_a_box_are_valid(name: str, tmp_path: Path) -> None:
    names = made(name, tmp_path)
    check(name, tmp_path, names)
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    assert {*manifest["files"], "manifest.json"} == set(names)
    assert manifest["licence"] == "CERN-OHL-P-2.0"
    kit = bodies_of(name).kit
    whole = sum(float(kit.solids[each.part].solid.volume) for each in kit.placements(Pose()))
    assert volume_mm3(tmp_path / "assembly.step") == pytest.approx(whole, rel=1e-3)


@pytest.mark.long
def test_files_made_twice_are_the_same(tmp_path: Path) -> None:
    assert made("classic-9", tmp_path / "one") == made("classic-9", tmp_path / "two")
    one, two = ((tmp_path / folder / "manifest.json").read_bytes() for folder in ("one", "two"))
    assert one == two


def test_the_locale_stays_as_it_was(tmp_path: Path) -> None:
    before = locale.setlocale(locale.LC_ALL)
    for _ in export.write(tmp_path, export.part_files(bodies_of("two-level-9").kit, "peg-collar")):
        assert locale.setlocale(locale.LC_ALL) == before


def test_an_outline_is_wider_by_half_of_the_kerf_and_its_holes_are_narrower(tmp_path: Path) -> None:
    kit = bodies_of("two-level-9").kit
    wall = kit.solids["wall-front"]
    for _ in export.write(tmp_path, export.part_files(kit, "wall-front")):
        """All of its files."""
    space = ezdxf.readfile(tmp_path / "dxf/wall-front.dxf").modelspace()
    xs = [point.x for line in space.query("LINE") for point in (line.dxf.start, line.dxf.end)]
    size = wall.solid.bounding_box().size
    assert max(xs) - min(xs) == pytest.approx(size.X + kit.measures.kerf_mm)
    widest = max(2 * circle.dxf.radius for circle in space.query("CIRCLE"))
    assert widest == pytest.approx(16.0 - kit.measures.kerf_mm)
    assert drawings.openings(wall.sheet)[0] == "hole of 16.0 mm: middle 240.0 to the right, 21.0 up"


def test_lists_count_the_model() -> None:
    kit = bodies_of("two-level-9").kit
    cut, shopping = cutlist.cut_list(kit), cutlist.shopping_list(kit)
    assert "| axle | 2 | 221.4 long | steel, round bar 3 mm |" in cut
    assert "| push-rod-back | 9 |" in cut
    assert "| Screw M2 x 14 | 18 |" in shopping
    assert "| Limit switch | 18 |" in shopping
    sums = cutlist.totals(kit)
    assert 300 < sums.printed_g < 600
    assert 2000 < sums.box_g < 4500
    listed = [row.item for rows in (cutlist.sheet_rows, cutlist.bar_rows, cutlist.printed_rows) for row in rows(kit)]
    assert len(listed) == len(set(listed))
    assert {name for name, solid in kit.solids.items() if solid.made != "buy"} == set(listed)


@pytest.mark.parametrize("step", long_but_every(len(drawings.STEPS), drawings.STEPS[4:] + drawings.STEPS[:4]))
def test_a_step_shows_what_is_new_in_black_and_the_rest_in_grey(step: drawings.Step) -> None:
    drawn = ElementTree.fromstring(drawings.step_drawing(bodies_of("two-level-9").kit, step))  # noqa: S314
    colours = {path.get("stroke") for path in drawn.iter() if path.tag.endswith("path")}
    assert colours == ({"#111"} if step == drawings.STEPS[0] else {"#111", "#999"})


def test_every_part_is_put_in_by_a_step() -> None:
    kit = bodies_of("two-level-9").kit
    assert {each.part for each in kit.placements(Pose()) if drawings.step_of(each) is None} == {"die"}
    for one, other in pairwise(drawings.STEPS):
        assert one.name < other.name
