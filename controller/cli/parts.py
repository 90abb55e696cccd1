"""`shutbox parts`: what a box is built of, as a table, or as files for a printer, a saw and a shop."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli.options import BoxName, Installation, Json
from controller.cli.progress import show_progress
from controller.cli.wiring import wiring
from controller.runtime.output import print_json
from controller.runtime.terminal import answers
from hardware.cad.measures import NotInWood, measures_of

if TYPE_CHECKING:
    from hardware.cad.assembly import Kit
    from hardware.cad.export import Write

# Parts of the extra `cad`: half a gigabyte that no daemon needs.
_EXTRA = ("build123d", "manifold3d", "shapely", "trimesh")
_MANIFEST = "manifest.json"


def parts(
    box: BoxName = None,
    files: Annotated[
        Path | None,
        typer.Option("--files", metavar="DIR", help="Write solids, outlines, drawings and lists of the box in wood."),
    ] = None,
    part: Annotated[str | None, typer.Option("--part", metavar="NAME", help="With --files: only this part.")] = None,
    json: Json = False,
) -> None:
    if files is None:
        if part is not None:
            raise typer.BadParameter("--part goes with --files DIR")
        wiring(box, parts=True, json=json)
        return
    if files.exists() and not files.is_dir():
        raise typer.BadParameter(f"--files: {files} is a file; name a folder")
    profile = Installation(box).load_box()
    try:
        measures = measures_of(profile)
    except NotInWood as error:
        raise typer.BadParameter(str(error)) from error
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise typer.BadParameter(
            f"--files needs the extra `cad` ({', '.join(missing)} missing): `make setup-cad` in a checkout, or "
            "`pip install 'shutbox[cad]'`"
        )
    with show_progress(f"Files of {profile.name}") as tell:
        tell(0.0)
        # Loading it takes seconds.
        from hardware.cad.assembly import Kit

        try:
            kit = Kit(measures)
        except ValueError as error:  # a mark that cannot be drawn
            raise typer.BadParameter(f"{profile.name}: {error}") from error
        if part is not None and part not in kit.solids:
            raise typer.BadParameter(
                f"--part: no {part} in {profile.name}; the parts are {', '.join(sorted(kit.solids))}"
            )
        names = []
        for done, name in _write(kit, files, part):
            names.append(name)
            tell(done)
    if json:
        print_json({"box": profile.name, "folder": str(files), "files": names})
    else:
        answers.print(
            f"{len(names)} files in {files}; read {names[-1] if part else 'cut-list.md'} first.", markup=False
        )


def _write(kit: "Kit", folder: Path, part: str | None) -> Iterator[tuple[float, str]]:
    """Write the files, the manifest of a whole box last: where it is, all are. Yield the fraction done and the name."""
    from hardware.cad.export import files_of, part_files, write, write_manifest

    wanted: list[tuple[str, Write]] = list(files_of(kit) if part is None else part_files(kit, part))
    if part is None:
        (folder / _MANIFEST).unlink(missing_ok=True)
    names = []
    for path in write(folder, iter(wanted)):
        names.append(path.relative_to(folder).as_posix())
        yield len(names) / len(wanted), names[-1]
    if part is None:
        yield 1.0, write_manifest(kit, folder, names).name
