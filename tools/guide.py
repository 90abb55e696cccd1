"""`make drawings`: the drawings of docs/howto/build, made anew of the box as it is now."""

from pathlib import Path

from hardware.box import load_box
from hardware.cad.assembly import Kit, Pose
from hardware.cad.drawings import CORNER, STEPS, exploded, step_drawing, view
from hardware.cad.measures import measures_of

_FOLDER = Path(__file__).parents[1] / "docs" / "howto" / "build"


def main() -> None:
    """Draw the reference box's steps, and both boxes of the guide as they stand on a table."""
    reference = Kit(measures_of(load_box("two-level-9")))
    drawn = {f"{step.name}.svg": step_drawing(reference, step) for step in STEPS}
    drawn["exploded.svg"] = exploded(reference)
    for name, kit in (("two-level-9", reference), ("classic-9", Kit(measures_of(load_box("classic-9"))))):
        drawn[f"{name}.svg"] = view(kit, kit.placements(Pose()), CORNER, f"{name}, open", 170.0)
    _FOLDER.mkdir(exist_ok=True)
    for name, svg in drawn.items():
        (_FOLDER / name).write_text(svg, "utf-8")
        print(_FOLDER.name, name)


if __name__ == "__main__":
    main()
