"""`python -m tools.os_list IMAGE`: what Raspberry Pi Imager needs to know of an image, as an os_list.json.

IMAGE is a file as it will be downloaded: `shutbox.img.xz`, or `.img`. Imager 2 then offers to set name, user and Wi-Fi
for it, which it does for no image that is chosen as a local file: `rpi-imager --repo os_list.json`. docs/howto/card.md
"""

import hashlib
import json
import lzma
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

# raspberrypi/rpi-imager, doc/os_customisation_formats.md: cloud-init with Raspberry Pi's own module, which the image
# has (rpi-cloud-init-mods). For `cloudinit` Imager would leave that module's words out; for `systemd` it would write
# a firstrun.sh, which Trixie does not read.
INIT_FORMAT = "cloudinit-rpi"
# As Raspberry Pi OS Lite (64-bit) has them in Imager's own list: src/test/qml/fixtures/os_list.json of the same place.
DEVICES = ("pi5-64bit", "pi4-64bit", "pi3-64bit")
_CHUNK_BYTES = 1 << 20


def measure(file: IO[bytes]) -> tuple[int, str]:
    """Return the size in bytes and the SHA-256 of what a file yields."""
    digest, size = hashlib.sha256(), 0
    while chunk := file.read(_CHUNK_BYTES):
        digest.update(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


def describe(image: Path, url: str, icon: str) -> dict[str, object]:
    """Return the list with this one image. Raises `OSError`, and for a torn one `EOFError` or `lzma.LZMAError`.

    The fields: doc/json-schema/os-list-schema.json and doc/os-sublist-example.json of raspberrypi/rpi-imager.
    """
    with image.open("rb") as packed:
        download_size, download_sha256 = measure(packed)
    with lzma.open(image) if image.suffix == ".xz" else image.open("rb") as unpacked:
        size, sha256 = measure(unpacked)
    entry = {
        "name": "Shut the Box",
        "description": "The software of an automated Shut the Box table, on Raspberry Pi OS Lite (64-bit)",
        "icon": icon,
        "url": url,
        "extract_size": size,
        "extract_sha256": sha256,
        "image_download_size": download_size,
        "image_download_sha256": download_sha256,
        "release_date": f"{datetime.fromtimestamp(image.stat().st_mtime, UTC):%Y-%m-%d}",
        "init_format": INIT_FORMAT,
        "devices": list(DEVICES),
        "architecture": "armv8",
        "capabilities": [],
    }
    return {"os_list": [entry]}


def main(words: Sequence[str] | None = None) -> int:
    """Print the list, and return the exit status: 1 if the image cannot be read."""
    calls = ArgumentParser(prog="python -m tools.os_list", description=__doc__)
    calls.add_argument("image", type=Path)
    calls.add_argument(
        "--url", help="where the image will be; without, the file itself, for an Imager on this computer"
    )
    calls.add_argument("--icon", default="", help="the address of a picture of 40 by 40")
    call = calls.parse_args(words)
    try:
        listed = describe(call.image, call.url or call.image.absolute().as_uri(), call.icon)
    except (OSError, EOFError, lzma.LZMAError) as error:
        print(f"os_list: {call.image}: {error}", file=sys.stderr)
        return 1
    print(json.dumps(listed, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
