"""What tiles bear: their numbers, letters, or a picture."""

from pathlib import Path

import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")

from hardware.box import Box, load_box, parse_box
from hardware.cad import checks
from hardware.cad.assembly import Kit
from hardware.cad.bodies import Bodies
from hardware.cad.measures import measures_of
from hardware.cad.parts import marks, tile
from hardware.errors import BoxProfileError
from hardware.tiles import TileId

_BOAT = '<svg xmlns="http://www.w3.org/2000/svg"><path fill="black" d="M0 20L40 20L30 30L10 30Z"/></svg>'


def bearing(marked: dict[TileId, str]) -> Box:
    box = load_box("classic-9")
    return box.model_copy(update={"wood": box.wood.model_copy(update={"marks": marked})})


def test_every_sign_has_one_area_at_most_as_large_as_its_place() -> None:
    for sign in marks.GLYPHS:
        low, bottom, high, top = marks.outline_of(sign, 17.0).bounds
        assert high - low <= 17.0, sign
        assert top - bottom <= marks.HIGH_MM + 0.5, sign
        assert marks.outline_of(sign, 17.0).area > 15.0, sign


def test_letters_and_a_picture_are_cut_where_numbers_would_be(tmp_path: Path) -> None:
    boat = tmp_path / "boat.svg"
    boat.write_text(_BOAT)
    measures = measures_of(bearing({TileId(1, 1): "A", TileId(1, 2): "10", TileId(1, 3): str(boat)}))
    bodies = Bodies(Kit(measures))
    assert list(checks.mismarked(bodies)) == []
    plain = tile.blank(measures, 0).volume
    assert plain - bodies.kit.solids["front-3"].solid.volume > 20.0


@pytest.mark.parametrize("words", ["", "no picture", "<svg/>"])
def test_a_picture_that_cannot_be_drawn_is_refused(words: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.svg"
    broken.write_text(words)
    with pytest.raises(ValueError, match=r"broken\.svg"):
        marks.sketch_of(str(broken), 17.0)
    with pytest.raises(ValueError, match=r"gone\.svg"):
        marks.sketch_of(str(tmp_path / "gone.svg"), 17.0)


@pytest.mark.parametrize(
    ("marked", "line"),
    [
        ('front-1 = "a"', "wood.marks.front-1"),
        ('front-1 = "ABC"', "wood.marks"),
        ('front-12 = "A"', "no tile front-12"),
    ],
)
def test_a_mark_that_a_profile_cannot_have_is_refused(marked: str, line: str) -> None:
    from importlib.resources import files

    text = files("hardware").joinpath("boxes", "classic-9.toml").read_text("utf-8")
    with pytest.raises(BoxProfileError) as caught:
        parse_box(text.replace("[panel]", f"[wood.marks]\n{marked}\n\n[panel]"), "own.toml")
    assert line in str(caught.value)
