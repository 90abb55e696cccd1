"""`shutbox read` and whatever may lie in a file that is called a picture."""

import io
import json
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.cli.main import main
from tests.controller.conftest import Shutbox, answers
from tools.scenes.random_scenes import simulated_throw
from vision.capture.frame import Pixels
from vision.scoring import find_truth


@cache
def pixels() -> Pixels:
    return simulated_throw(3, 2)[0]


def grey() -> Any:
    return cv2.cvtColor(pixels(), cv2.COLOR_BGR2GRAY)


def encoded(suffix: str, picture: Any) -> bytes:
    return bytes(cv2.imencode(suffix, picture)[1])


def animated() -> bytes:
    """A GIF of two frames of one pixel."""
    frame = b",\0\0\0\0\1\0\1\0\0\2\2D\1\0"
    return b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff!\xff\x0bNETSCAPE2.0\3\1\0\0\0" + frame + frame + b";"


def lying() -> bytes:
    """A PNG whose head promises more pixels than its data has."""
    head = struct.pack(">IIBBBBB", 4000, 3000, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b""))
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


FILES: dict[str, Callable[[], bytes]] = {
    "truncated.jpg": lambda: encoded(".jpg", pixels())[:20_000],
    "truncated.png": lambda: encoded(".png", pixels())[:20_000],
    "head_only.jpg": lambda: encoded(".jpg", pixels())[:700],
    "lying.png": lying,
    "deep.png": lambda: encoded(".png", pixels().astype(np.uint16) * 257),
    "grey.png": lambda: encoded(".png", grey()),
    "alpha.png": lambda: encoded(".png", np.dstack((pixels(), grey()))),
    "black.png": lambda: encoded(".png", np.zeros_like(pixels())),
    "white.png": lambda: encoded(".png", np.full_like(pixels(), 255)),
    "middling.png": lambda: encoded(".png", np.full_like(pixels(), 128)),
    "animated.gif": animated,
    "empty.jpg": lambda: b"",
    "zeros.jpg": lambda: b"\0" * 5000,
    "text.jpg": lambda: b"not a picture at all",
}
NARROW: dict[str, Callable[[], bytes]] = {
    "one_pixel.png": lambda: encoded(".png", pixels()[:1, :1]),
    "two_pixels.jpg": lambda: encoded(".jpg", pixels()[:1, :2]),
    "wide.png": lambda: encoded(".png", np.tile(pixels()[300:303], (1, 16, 1))[:, :20_000]),
    "high.png": lambda: encoded(".png", np.tile(pixels()[:, 300:303], (28, 1, 1))[:20_000]),
}
READABLE = ("deep.png", "alpha.png")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pictures")
    for name, data in (FILES | NARROW).items():
        (made / name).write_bytes(data())
    return made


def test_whatever_lies_in_a_file_is_read_or_refused_with_a_reason_and_a_sentence(
    shutbox: Shutbox, folder: Path
) -> None:
    status, out, _ = shutbox("read", "--json", *(str(folder / name) for name in FILES))

    told = {Path(answer["file"]).name: answer for answer in answers(out)}
    any_read = any(answer["verdict"] == "read" for answer in told.values())
    assert (status, list(told)) == (0 if any_read else 1, list(FILES))
    assert all(answer["verdict"] == "read" or (answer["reason"] and answer["say"]) for answer in told.values())
    nothing = {name for name, answer in told.items() if answer.get("reason") == "not_a_picture"}
    assert nothing >= {"head_only.jpg", "empty.jpg", "zeros.jpg", "text.jpg", "animated.gif"}
    assert (told["black.png"]["reason"], told["white.png"]["reason"]) == ("dark", "glare")
    assert {told[name]["verdict"] for name in READABLE} == {"read"}


@pytest.mark.parametrize("name", NARROW)
def test_a_picture_with_next_to_nothing_in_it_shows_no_field(shutbox: Shutbox, folder: Path, name: str) -> None:
    status, out, _ = shutbox("read", "--json", str(folder / name))

    [told] = answers(out)
    assert (status, told["reason"]) == (1, "no_field")


@pytest.mark.parametrize("name", ["alpha.png", "grey.png", "black.png", "middling.png", "text.jpg"])
def test_a_trace_is_written_of_what_is_read_and_of_what_is_refused(
    shutbox: Shutbox, folder: Path, tmp_path: Path, name: str
) -> None:
    status, out, err = shutbox("read", "--json", str(folder / name), "--trace", str(tmp_path / "stages.png"))

    assert (status, err) == (0 if answers(out)[0]["verdict"] == "read" else 1, "")
    sheet = cv2.imread(str(tmp_path / "stages.png"))
    assert sheet is not None
    assert np.max(sheet) > 200


@pytest.mark.parametrize(
    ("files", "trace", "says"),
    [
        (["black.png", "white.png"], "stages.png", "exactly one picture"),
        (["black.png"], "stages.gif", ".png or .jpg"),
        (["black.png"], "nowhere/stages.png", "No such file"),
        (["missing.png"], "stages.png", "there is no such file"),
    ],
)
def test_a_trace_that_cannot_be_is_one_line(
    shutbox: Shutbox, folder: Path, tmp_path: Path, files: list[str], trace: str, says: str
) -> None:
    status, out, err = shutbox("read", *(str(folder / name) for name in files), "--trace", str(tmp_path / trace))

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err


@pytest.mark.parametrize("option", ["--trace", "--draw"])
@pytest.mark.parametrize("link", [None, Path.symlink_to, Path.hardlink_to])
def test_the_picture_that_is_read_is_never_drawn_over(
    shutbox: Shutbox, folder: Path, tmp_path: Path, option: str, link: Callable[[Path, Path], None] | None
) -> None:
    picture, over = folder / "alpha.png", tmp_path / "over.png"
    before = picture.read_bytes()
    if link is None:
        over = picture
    else:
        link(over, picture)

    status, out, err = shutbox("read", str(picture), option, str(over))

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "would overwrite the picture" in err
    assert picture.read_bytes() == before


def test_two_drawings_go_into_two_files(shutbox: Shutbox, folder: Path, tmp_path: Path) -> None:
    same, again = tmp_path / "same.png", tmp_path / ".." / tmp_path.name / "same.png"
    status, _, err = shutbox("read", str(folder / "black.png"), "--trace", str(same), "--draw", str(again))
    assert (status, "the same file" in err, list(tmp_path.glob("same.png"))) == (2, True, [])


@pytest.mark.parametrize("name", ["alpha.png", "black.png"])
def test_a_reading_is_drawn_into_its_picture_with_its_words_below(
    shutbox: Shutbox, folder: Path, tmp_path: Path, name: str
) -> None:
    shutbox("read", str(folder / name), "--draw", str(tmp_path / "drawn.png"))

    drawn = cv2.imread(str(tmp_path / "drawn.png"))
    assert drawn is not None
    height, width = pixels().shape[:2]
    assert drawn.shape[1] == width
    assert drawn.shape[0] > height
    assert np.max(drawn[height:]) > 200
    plain = cv2.imread(str(folder / name))
    assert bool(np.any(drawn[:height] != plain)) is (name == "alpha.png"), "rings about the dice"


def test_nothing_is_drawn_of_a_file_that_is_no_picture(shutbox: Shutbox, folder: Path, tmp_path: Path) -> None:
    assert shutbox("read", str(folder / "text.jpg"), "--draw", str(tmp_path / "drawn.png"))[0] == 1
    assert list(tmp_path.glob("drawn.png")) == []


@pytest.mark.parametrize("picture", sorted(Path("docs/samples").glob("*.jpg")), ids=lambda path: path.name)
def test_the_samples_for_newcomers_are_read_and_refused_as_they_should_be(shutbox: Shutbox, picture: Path) -> None:
    truth = find_truth(picture)
    assert truth is not None
    [told] = answers(shutbox("read", "--json", str(picture))[1])
    assert (told.get("values"), told.get("reason")) == (
        (None, "cocked") if truth.must_refuse else (list(truth.values), None)
    )


def test_the_status_says_whether_any_picture_was_read(shutbox: Shutbox, folder: Path) -> None:
    good, bad, none = (str(folder / name) for name in ("alpha.png", "black.png", "missing.png"))
    assert [shutbox("read", *files)[0] for files in ((good,), (bad,), (bad, good), (good, none))] == [0, 1, 0, 2]


def test_up_to_twelve_dice_may_be_expected(shutbox: Shutbox, folder: Path) -> None:
    picture = str(folder / "alpha.png")

    status, out, _ = shutbox("read", "--json", "--dice", "12", picture)
    assert (status, answers(out)[0]["reason"]) == (1, "too_few")
    lines = [json.dumps({"file": picture, "dice": dice}) for dice in (2, 12, 13)]
    _, out, _ = shutbox("read", "--batch", "-", typed="\n".join(lines))
    two, twelve, thirteen = answers(out)
    assert (two["verdict"], twelve["reason"], "12" in thirteen["error"]) == ("read", "too_few", True)
    status, _, err = shutbox("read", "--dice", "13", picture)
    assert (status, err.count("\n")) == (2, 1)


def test_a_file_of_questions_says_which_file_is_none(shutbox: Shutbox, folder: Path) -> None:
    missing = str(folder / "missing.png")
    status, out, _ = shutbox("read", "--batch", "-", typed=json.dumps({"file": missing}))
    assert (status, answers(out)) == (0, [{"file": missing, "error": "there is no such file"}])


def test_a_name_that_the_terminal_has_no_sign_for_is_shown_escaped(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "na\u00efve.png"
    picture.write_bytes((folder / "alpha.png").read_bytes())
    terminal = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setattr("sys.argv", ["shutbox", "read", str(picture)])
    with pytest.raises(SystemExit, match="0"):
        main()
    terminal.flush()
    assert b"na\\xefve.png: " in terminal.buffer.getvalue()


def test_a_folder_of_known_dice_is_scored(shutbox: Shutbox, tmp_path: Path) -> None:
    sample = Path(__file__).parents[3] / "docs" / "samples" / "two_dice.jpg"
    (tmp_path / "right.jpg").write_bytes(sample.read_bytes())
    (tmp_path / "wrong.jpg").write_bytes(sample.read_bytes())
    truth = find_truth(sample)
    assert truth is not None
    labels = {"right.jpg": list(truth.values), "wrong.jpg": [6, 6, 6]}
    (tmp_path / "truth.json").write_text(json.dumps(labels))

    status, out, _ = shutbox("read", "--score", str(tmp_path), "--json")

    told = json.loads(out)
    assert (status, told["pictures"], told["exact"], told["wrong"]) == (1, 2, 1, 1)
    assert told["wrong_files"] == [str(tmp_path / "wrong.jpg")]


@pytest.mark.parametrize("words", [["--score", "/nowhere"], ["--score", ".", "a.jpg"], ["--score", ".", "--dice", "2"]])
def test_a_score_that_cannot_be_is_one_line(shutbox: Shutbox, words: list[str]) -> None:
    status, _, err = shutbox("read", *words)

    assert status == 2
    assert len(err.strip().splitlines()) == 1
