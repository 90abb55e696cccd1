"""All files of a box in wood: solids, meshes, outlines, drawings and lists, and a manifest of them."""

import hashlib
import itertools
import json
import locale
import logging
import platform
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import ezdxf
from build123d import Compound, ExportDXF, Kind, Mesher, Sketch, Unit, export_step, offset
from trimesh.exchange.stl import export_stl

from hardware.cad import cutlist, drawings
from hardware.cad.assembly import SHUT, Kit, Pose
from hardware.cad.meshes import matrix_of
from hardware.cad.parts.part import Solid

LICENCE = "CERN-OHL-P-2.0"
# It warns at each file that this version of DXF has no units: the cut list says that all is in mm.
logging.getLogger("ezdxf").setLevel(logging.ERROR)

# Files say the same whenever they are made.
_TIME = "2026-01-01T00:00:00"
_VIEWS = {
    "open": (Pose(), drawings.CORNER),
    "shut": (SHUT, drawings.CORNER),
    "front": (Pose(), drawings.FRONT),
    "top": (Pose(), drawings.TOP),
}

Write = Callable[[Path], None]


def files_of(kit: Kit) -> Iterator[tuple[str, Write]]:
    """Yield the path of every file of the box, relative to its folder, and what writes it."""
    for name in sorted(kit.solids):
        yield from part_files(kit, name)
    yield "assembly.step", lambda path: _write_assembly(kit, path)
    for name in _VIEWS:
        yield f"drawings/box-{name}.svg", _drawn(partial(_box_view, kit, name))
    yield "drawings/exploded.svg", _drawn(lambda: drawings.exploded(kit))
    for step in drawings.STEPS:
        yield f"steps/{step.name}.svg", _drawn(partial(drawings.step_drawing, kit, step))
    yield "cut-list.md", _drawn(lambda: cutlist.cut_list(kit))
    yield "shopping-list.md", _drawn(lambda: cutlist.shopping_list(kit))


def part_files(kit: Kit, name: str) -> Iterator[tuple[str, Write]]:
    """Yield the files of one part. Raises `KeyError` for a part that the box does not have."""
    part = kit.solids[name]
    yield f"drawings/{name}.svg", _drawn(lambda: drawings.part_sheet(kit, name))
    yield f"step/{name}.step", lambda path: _write_step(part, path)
    if part.made == "print":
        yield f"stl/{name}.stl", lambda path: _write_stl(kit, part, path)
        yield f"3mf/{name}.3mf", lambda path: _write_3mf(part, path)
    if part.sheet is not None:
        outline = part.sheet
        yield f"dxf/{name}.dxf", lambda path: _write_dxf(outline, kit.measures.kerf_mm, path)


def write(folder: Path, files: Iterator[tuple[str, Write]]) -> Iterator[Path]:
    """Write these files into a folder, one after the other, and yield each path. Raises `OSError`."""
    for name, make in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
        yield path


def manifest_of(kit: Kit, folder: Path, names: list[str]) -> dict[str, object]:
    """Return what the files were made of, and the digest of each and of all."""
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in sorted(names)}
    measures = asdict(kit.measures)
    measures.pop("box")
    whole = hashlib.sha256("\n".join(f"{digest} {name}" for name, digest in digests.items()).encode()).hexdigest()
    return {
        "box": kit.measures.box.name,
        "licence": LICENCE,
        "made_with": {
            name: version(name) for name in ("shutbox", "build123d", "cadquery-ocp-novtk", "trimesh", "shapely")
        },
        "machine": platform.machine(),
        "measures": measures,
        "quantities": dict(sorted(kit.quantities.items())),
        "files": digests,
        "digest": whole,
    }


def write_manifest(kit: Kit, folder: Path, names: list[str]) -> Path:
    path = folder / "manifest.json"
    path.write_text(json.dumps(manifest_of(kit, folder, names), indent=2) + "\n", "utf-8")
    return path


def _box_view(kit: Kit, name: str) -> str:
    pose, eye = _VIEWS[name]
    return drawings.view(kit, kit.placements(pose), eye, f"{kit.measures.box.name}, {name}", 240.0)


def _drawn(draw: Callable[[], str]) -> Write:
    return lambda path: _write_text(path, draw())


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def _write_step(part: Solid, path: Path) -> None:
    export_step(part.solid, path, unit=Unit.MM, timestamp=_TIME)


def _write_assembly(kit: Kit, path: Path) -> None:
    children = []
    for each in kit.placements(Pose()):
        child = kit.solids[each.part].solid.moved(each.at)
        child.label = each.label
        children.append(child)
    whole = Compound(label=kit.measures.box.name, children=children)
    export_step(whole, path, unit=Unit.MM, timestamp=_TIME)


def _write_stl(kit: Kit, part: Solid, path: Path) -> None:
    mesh = kit.mesh(part.name).copy()
    mesh.apply_transform(matrix_of(part.printed))
    mesh.apply_translation(-mesh.bounds[0])
    path.write_bytes(export_stl(mesh))


def _write_3mf(part: Solid, path: Path) -> None:
    """Write a part as it is printed. Identifiers that the library draws at random are numbered here."""
    with kept_locale():
        mesher = Mesher()
        mesher.add_shape(part.solid.moved(part.printed), part_number=part.name)
        mesher.write(path)
    numbers = itertools.count()
    with ZipFile(path) as made:
        entries = {name: made.read(name) for name in made.namelist()}
    with ZipFile(path, "w", ZIP_DEFLATED) as numbered:
        for name, content in entries.items():
            same = re.sub(rb'(?<=UUID=")[^"]*', lambda _: _identifier(part.name, next(numbers)), content)
            numbered.writestr(ZipInfo(name), same)


@contextmanager
def kept_locale() -> Iterator[None]:
    """Restore the locale at the end: lib3mf sets another one, after which Python takes every text for ASCII."""
    before = locale.setlocale(locale.LC_ALL)
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)


def _identifier(part: str, number: int) -> bytes:
    return str(uuid5(NAMESPACE_URL, f"{part}/{number}")).encode()


def _write_dxf(outline: Sketch, kerf_mm: float, path: Path) -> None:
    """Write the outline that a laser follows: outside by half of what it takes away, openings inside by as much."""
    # Its name says for testing; what it leaves out is the time, and an identifier that is drawn.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    drawing = ExportDXF(version="AC1009", unit=Unit.MM)  # R12: the oldest one, which every machine reads
    wider = offset(outline, kerf_mm / 2, kind=Kind.INTERSECTION) if kerf_mm else outline
    drawing.add_shape(wider)
    drawing.write(str(path))
