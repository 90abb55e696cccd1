"""What Raspberry Pi Imager is told of an image: sizes and sums of the very file."""

import hashlib
import json
import lzma
from pathlib import Path

import fastjsonschema
import pytest

from tools.os_list import main

IMAGE = b"a card " * 100_000
# What doc/json-schema/os-list-schema.json of raspberrypi/rpi-imager demands of an entry, and the formats that
# doc/os_customisation_formats.md names.
TEXTS = ("name", "description", "icon", "url", "release_date")
SUM = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
SCHEMA = {
    "type": "object",
    "required": ["os_list"],
    "additionalProperties": False,
    "properties": {
        "os_list": {
            "type": "array",
            "items": {
                "type": "object",
                "required": [*TEXTS, "extract_size", "extract_sha256", "image_download_size", "devices", "init_format"],
                "properties": {
                    **{name: {"type": "string"} for name in TEXTS},
                    "release_date": {"type": "string", "format": "date"},
                    "extract_size": {"type": "integer", "minimum": 1},
                    "image_download_size": {"type": "integer", "minimum": 1},
                    "extract_sha256": SUM,
                    "image_download_sha256": SUM,
                    "init_format": {"enum": ["none", "systemd", "cloudinit", "cloudinit-rpi"]},
                    "devices": {"type": "array", "items": {"type": "string", "pattern": "^pi[1-5]-(32|64)bit$"}},
                },
            },
        }
    },
}


@pytest.mark.parametrize("name", ["shutbox.img", "shutbox.img.xz"])
def test_sizes_and_sums_are_those_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    image = tmp_path / name
    image.write_bytes(lzma.compress(IMAGE) if name.endswith("xz") else IMAGE)
    assert main([str(image), "--url", "https://example.org/shutbox.img.xz"]) == 0

    listed = json.loads(capsys.readouterr().out)
    fastjsonschema.compile(SCHEMA)(listed)
    [entry] = listed["os_list"]
    assert (entry["extract_size"], entry["extract_sha256"]) == (len(IMAGE), hashlib.sha256(IMAGE).hexdigest())
    packed = image.read_bytes()
    assert entry["image_download_size"] == len(packed)
    assert entry["image_download_sha256"] == hashlib.sha256(packed).hexdigest()
    assert (entry["url"], entry["init_format"]) == ("https://example.org/shutbox.img.xz", "cloudinit-rpi")


def test_without_an_address_imager_takes_the_file_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "shutbox.img"
    image.write_bytes(IMAGE)
    main([str(image)])
    assert json.loads(capsys.readouterr().out)["os_list"][0]["url"] == f"file://{image}"


def test_an_image_that_is_torn_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "shutbox.img.xz"
    image.write_bytes(lzma.compress(IMAGE)[:-20])
    assert main([str(image)]) == 1
    assert str(image) in capsys.readouterr().err
