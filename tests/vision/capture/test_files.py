import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.capture.files import decode_picture, load_picture, picture_size
from vision.reader.trace import Trace, save_drawing, sheet_of
from vision.reading import Reading, Reason

PICTURE = np.dstack([np.full((30, 40), level, np.uint8) for level in (20, 120, 220)])
PICTURE[:10] = 0


def encoded(kind: str, picture: np.ndarray = PICTURE) -> bytes:
    _, data = cv2.imencode(kind, picture)
    return data.tobytes()


def reason_of(answer: object) -> Reason | None:
    assert isinstance(answer, Reading)
    assert answer.say
    return answer.reason


@pytest.mark.parametrize("kind", [".png", ".jpg", ".bmp", ".webp", ".tiff"])
def test_every_common_kind_of_picture_is_read(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"picture{kind}"
    file.write_bytes(encoded(kind))
    pixels = load_picture(file)
    assert not isinstance(pixels, Reading)
    assert picture_size(file.read_bytes()) == (40, 30)
    assert pixels.shape == (30, 40, 3)
    assert pixels.dtype == np.uint8
    assert np.abs(pixels[20, 20].astype(int) - (20, 120, 220)).max() < 12


@pytest.mark.parametrize(
    "picture",
    [
        PICTURE[:, :, 1],
        PICTURE[:, :, 1].astype(np.uint16) * 257,
        np.dstack((PICTURE, np.full((30, 40), 200, np.uint8))),
        PICTURE.astype(np.uint16) * 257,
    ],
    ids=["grey", "grey16", "alpha", "colour16"],
)
def test_grey_deep_and_transparent_pictures_are_brought_to_one_form(picture: np.ndarray) -> None:
    pixels = decode_picture(encoded(".png", picture))
    assert not isinstance(pixels, Reading)
    assert pixels.shape == (30, 40, 3)
    assert pixels.dtype == np.uint8
    assert pixels[20, 20, 1] == 120


def test_a_note_of_orientation_is_honoured() -> None:
    plain = encoded(".jpg")
    # EXIF: one entry, tag 0x0112 orientation, SHORT, 6: to be turned a quarter clockwise.
    note = b"Exif\0\0II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    pixels = decode_picture(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note + plain[2:])
    assert not isinstance(pixels, Reading)
    assert pixels.shape == (40, 30, 3)
    assert pixels[20, 29].max() < 20


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello, I am a text",
        b"\xff\xd8",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF....WEBP",
        b"BM",
        b"II*\0",
        b"GIF89a" + b"\0" * 20,
    ],
    ids=["empty", "text", "jpeg", "png", "webp", "bmp", "tiff", "gif"],
)
def test_what_is_no_picture_is_said_to_be_none(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "picture.jpg"
    file.write_bytes(data)
    assert reason_of(load_picture(file)) is Reason.NOT_A_PICTURE


@pytest.mark.parametrize("kind", [".png", ".jpg", ".bmp", ".webp", ".tiff"])
def test_a_picture_cut_off_in_its_head_is_none(kind: str) -> None:
    assert reason_of(decode_picture(encoded(kind)[:12])) is Reason.NOT_A_PICTURE


def test_a_picture_that_lacks_its_rest_is_said_to_be_cut_short() -> None:
    whole = encoded(".jpg")
    answer = decode_picture(whole[: whole.index(b"\xff\xda") + 20])
    assert isinstance(answer, Reading)
    assert (answer.reason, "cut short" in answer.say) == (Reason.NOT_A_PICTURE, True)


def test_a_huge_picture_is_refused_by_its_head() -> None:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 20_000, 20_000, 8, 2, 0, 0, 0)
    answer = decode_picture(head)
    assert reason_of(answer) is Reason.TOO_LARGE
    assert isinstance(answer, Reading)
    assert "20000 x 20000" in answer.say


@given(
    st.binary(max_size=200), st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0", b"MM\0*"])
)
def test_no_bytes_make_it_fail(data: bytes, start: bytes) -> None:
    assert isinstance(decode_picture(start + data), Reading | np.ndarray)


def test_a_missing_file_a_folder_and_a_locked_file_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        load_picture(tmp_path / "none.jpg")
    with pytest.raises(IsADirectoryError, match="a folder"):
        load_picture(tmp_path)
    locked = tmp_path / "locked.jpg"
    locked.write_bytes(b"x")

    def refuse(_self: Path) -> bytes:
        raise PermissionError

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(PermissionError, match="may not read it"):
        load_picture(locked)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".PNG"])
def test_a_trace_is_written_as_one_picture(tmp_path: Path, suffix: str) -> None:
    trace = Trace()
    trace.add("one", np.asarray(PICTURE, np.uint8))
    trace.add("two", np.zeros((50, 10, 3), np.uint8))
    save_drawing(sheet_of(trace), tmp_path / f"trace{suffix}")
    pixels = load_picture(tmp_path / f"trace{suffix}")
    assert not isinstance(pixels, Reading)
    assert pixels.shape == sheet_of(trace).shape


def test_a_trace_of_another_kind_is_refused_with_what_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"\.png or \.jpg"):
        save_drawing(np.zeros((1, 1, 3), np.uint8), tmp_path / "trace.gif")
