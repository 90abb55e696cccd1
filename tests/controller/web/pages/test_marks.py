"""What stands on a tile: which marks are pictures, colours, pips or plain text."""

from pathlib import Path

import pytest

from controller.web.pages.scene import DrawnMark, TilePictures


@pytest.mark.parametrize(
    ("mark", "drawn"),
    [
        ("9", DrawnMark("9")),
        ("XII", DrawnMark("XII")),
        ("Red", DrawnMark("Red", "colour")),
        ("redder", DrawnMark("redder")),
    ],
)
def test_a_word_that_is_a_colour_is_shown_as_one(mark: str, drawn: DrawnMark) -> None:
    assert TilePictures(None).draw(mark, game_id=1, dominoes=False) == drawn


def test_a_domino_has_pips_and_the_same_mark_elsewhere_has_none() -> None:
    pictures = TilePictures(None)

    assert pictures.draw("0-6", game_id=1, dominoes=True) == DrawnMark("0-6", "pips", pips=(0, 6))
    assert pictures.draw("0-6", game_id=1, dominoes=False) == DrawnMark("0-6")


def test_a_domino_may_bear_a_mark_of_its_owner() -> None:
    drawn = TilePictures(None).draw("sun", game_id=1, dominoes=True)
    assert drawn == DrawnMark("sun")


def test_a_picture_is_drawn_in_place_of_the_mark_it_is_named_after(tmp_path: Path) -> None:
    (tmp_path / "sun.png").write_bytes(b"picture")
    pictures = TilePictures(tmp_path)

    drawn = pictures.draw("sun", game_id=1, dominoes=False)

    assert (drawn.kind, drawn.picture.partition("?")[0]) == ("picture", "/tiles/sun")
    assert pictures.path_of("sun") == tmp_path / "sun.png"
    assert pictures.draw("moon", game_id=1, dominoes=False).kind == "text"


def test_pictures_are_looked_for_when_a_game_begins(tmp_path: Path) -> None:
    pictures = TilePictures(tmp_path / "tiles")
    before = pictures.draw("sun", game_id=1, dominoes=False)
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "sun.JPG").write_bytes(b"picture")

    assert before.kind == pictures.draw("sun", game_id=1, dominoes=False).kind == "text"
    assert pictures.draw("sun", game_id=2, dominoes=False).kind == "picture"


@pytest.mark.parametrize(("name", "size"), [("sun.svg", 10), ("sun.html", 10), ("sun", 10), ("sun.png", 300_001)])
def test_what_is_no_picture_or_a_large_one_is_not_shown(tmp_path: Path, name: str, size: int) -> None:
    (tmp_path / name).write_bytes(b"x" * size)
    pictures = TilePictures(tmp_path)

    assert pictures.draw("sun", game_id=1, dominoes=False).kind == "text"
    assert pictures.path_of("sun") is None


def test_a_mark_that_is_a_path_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    (tmp_path / "secret.png").write_bytes(b"secret")
    pictures = TilePictures(tmp_path / "tiles")

    assert pictures.draw("../secret", game_id=1, dominoes=False).kind == "text"
    assert pictures.path_of("../secret") is None
