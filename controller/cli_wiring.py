"""`shutbox wiring`: how the box of a profile is wired, in tables, as JSON or as a drawing."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.cli_words import BoxName, Json
from controller.output import answers, print_json


def wiring(
    box: BoxName = None,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Only draw the box into this file; - for standard output."),
    ] = None,
    parts: Annotated[bool, typer.Option("--parts", help="Only the parts list.")] = False,
    checklist: Annotated[bool, typer.Option("--checklist", help="Only the steps of the first power-up.")] = False,
    json: Json = False,
) -> None:
    """How this box is wired: every wire, the parts list and the first power-up; or all of it as a drawing."""
    from controller.settings import find_home, load_settings
    from controller.wiring_words import WORDS, wiring_json
    from hardware.box import load_box
    from hardware.wiring.plan import plan_of

    chosen = [name for name, wanted in (("parts", parts), ("checklist", checklist)) if wanted]
    if svg is not None and chosen:
        raise typer.BadParameter(f"--svg only draws; leave out {', '.join(f'--{name}' for name in chosen)}")
    if svg == "-" and json:
        raise typer.BadParameter("--svg - draws on standard output; leave out --json or name a file")
    profile = load_box(box or load_settings(find_home().settings).box)
    if svg is not None:
        from hardware.wiring.drawing import draw_box

        _write(draw_box(profile).svg, svg, as_json=json)
        return
    plan = plan_of(profile)
    if json:
        print_json(wiring_json(plan, chosen))
        return
    for name, tell in WORDS.items():
        if not chosen or name in chosen:
            tell(plan)


def _write(drawing: str, file: str, *, as_json: bool) -> None:
    if file == "-":
        sys.stdout.write(drawing)
        return
    Path(file).write_text(drawing, "ascii")
    if as_json:
        print_json({"files": [file]})
    else:
        answers.print(file, markup=False)
