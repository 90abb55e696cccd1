"""Decodes picture files as phones and cameras write them; refuses files that are no pictures or too large."""

import errno
import struct
from pathlib import Path

from vision.capture.frame import Pixels
from vision.libraries import cv2, np
from vision.reading import Reading, Reason, refused

# A small file may unfold into gigabytes of pixels: the size is read from its header before anything is decoded.
_MOST_PIXELS = 50_000_000
_MOST_BYTES = 200_000_000
_TIFF_ORDERS = {b"II*\x00": "<", b"MM\x00*": ">"}  # of bytes in numbers, as `struct` names them
_HEAD_BYTES = 1 << 20  # the size of a JPEG may follow an embedded preview and colour profile
SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"))


def load_picture(path: str | Path) -> Pixels | Reading:
    """Return the picture in a file, (h, w, 3) uint8 BGR, turned as its EXIF data says; or a refusal.

    The refusals are `not_a_picture` and `too_large`. Grey, 16-bit and transparent pictures are converted
    (transparent parts keep their colour). Raises `FileNotFoundError`, `IsADirectoryError` or
    `PermissionError` with one line that describes the problem.
    """
    file = Path(path)
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder, not a picture", str(file))
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a picture", str(file))
    try:
        size = file.stat().st_size
        if size > _MOST_BYTES:
            return _too_large(f"{size // 1_000_000} MB")
        data = file.read_bytes()
    except FileNotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, "there is no such file", str(file)) from error
    except PermissionError as error:
        raise PermissionError(errno.EACCES, "this user may not read it", str(file)) from error
    return decode_picture(data)


def decode_picture(data: bytes) -> Pixels | Reading:
    """Return the picture in these bytes, or a refusal. A picture of more than 50 megapixels is not decoded."""
    size = picture_size(data)
    if size is None:
        return refused(Reason.NOT_A_PICTURE, "This file is not a picture that I can open.")
    if size[0] * size[1] > _MOST_PIXELS:
        return _too_large(f"{size[0]} x {size[1]} pixels")
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        pixels = None
    if pixels is None:
        return refused(Reason.NOT_A_PICTURE, "This picture is cut short or damaged: copy or take it once more.")
    return np.asarray(pixels, np.uint8)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the header of a file, without decoding; None for an unknown kind of picture.

    JPEG, PNG, WebP, BMP and TIFF are known, by their published header formats.
    """
    width, height = 0, 0
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            width, height = struct.unpack_from(">II", data, 16)
        elif data.startswith(b"BM"):
            width, height = map(abs, struct.unpack_from("<ii", data, 18))
        elif data.startswith(b"\xff\xd8"):
            width, height = _jpeg_size(data)
        elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            width, height = _webp_size(data)
        elif data[:4] in _TIFF_ORDERS:
            width, height = _tiff_size(data, _TIFF_ORDERS[data[:4]])
    except (struct.error, IndexError):
        return None
    return (width, height) if width > 0 and height > 0 else None


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Read the first frame header (SOF0..SOF15 without DHT, JPG and DAC), found by walking the segments."""
    at = 2
    while at < min(len(data), _HEAD_BYTES):
        if data[at] != 0xFF:
            break
        kind = data[at + 1]
        if kind == 0xFF:
            at += 1
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + length
    return 0, 0


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


def _tiff_size(data: bytes, order: str) -> tuple[int, int]:
    """Read tags 256 (width) and 257 (height) of the first directory, as SHORT (3) or LONG (4)."""
    (start,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, start)
    sides: dict[int, int] = {}
    for index in range(count):
        entry = start + 2 + 12 * index
        tag, kind = struct.unpack_from(order + "HH", data, entry)
        if tag in (256, 257):
            (sides[tag],) = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, entry + 8)
    return sides.get(256, 0), sides.get(257, 0)


def _too_large(size: str) -> Reading:
    most = _MOST_PIXELS // 1_000_000
    return refused(Reason.TOO_LARGE, f"This picture is too large ({size}): at most {most} megapixels.")
