"""What the emulated machines boot from: a disk with the arm64 tree, an initial RAM disk, and a device tree."""

import gzip
import lzma
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import cv2

from tests.pi.user_land import CACHE, ROOT, TREE
from tools.scenes.random_scenes import random_throw
from vision.sim.scene import render

DISK = CACHE / "disk.img"
FILM = TREE / "film" / "frames"
_FILM_FRAMES = 18_000
NOTHING: Mapping[str, str] = MappingProxyType({})
_SIZE = "4G"  # of a sparse file; the tree has 1.3 GB, and QEMU's SD card wants a power of two
# Of the checkout what the tests in the machines import, and the program where no installed one is asked for.
_ROOMS = ("hardware", "firmware", "vision", "controller", "tests", "tools")
# In the order in which they are tried; those that need others are tried again.
CLOUD = ("virtio_blk", "configfs", "gpio-sim", "cuse")
BOARD = (
    *("crc16", "crc32c_generic", "libcrc32c", "mbcache", "jbd2", "ext4"),
    *("sdhci", "sdhci-pltfm", "sdhci-iproc", "bcm2835", "i2c-bcm2835", "i2c-dev", "bcm2835_wdt"),
)

# What the kernel's command line has that is not the kernel's comes as environment: `first`.
_INIT = """\
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
for again in 1 2 3; do for module in /modules/*; do insmod $module 2>/dev/null; done; done
[ -d /sys/kernel/config ] && mount -t configfs none /sys/kernel/config
while ! mount -t ext4 $(ls /dev/vda /dev/mmcblk? 2>/dev/null) /new 2>/dev/null; do sleep 0.2; done
for each in dev proc sys; do mount --move /$each /new/$each; done
exec switch_root /new $first
"""


def program(name: str) -> list[str]:
    """How a program of the host's Debian tree is called: with that tree's own loader and libraries."""
    tree = CACHE / "host"
    [libraries] = (tree / "usr" / "lib").glob("*-linux-gnu")
    [loader] = libraries.glob("ld-linux-*.so.*")
    return [str(loader), "--library-path", str(libraries), str(tree / "usr" / "bin" / name)]


def draw_film() -> None:
    """Put a film of an empty field into the tree, half an hour at ten pictures a second, each unlike the one before."""
    if FILM.exists():
        return
    FILM.mkdir(parents=True)
    scene = replace(random_throw(1, 1).scene, dice=())
    for number in range(2):
        cv2.imwrite(str(FILM.with_name(f"{number}.bmp")), render(replace(scene, noise_key=str(number))))
    for number in range(_FILM_FRAMES):
        (FILM / f"{number:05}.bmp").symlink_to(f"../{number % 2}.bmp")


def make_disk(disk: Path = DISK, files: Mapping[str, str] = NOTHING, links: Mapping[str, str] = NOTHING) -> Path:
    """Make a disk of the tree as it is, with the checkout in /shutbox, and more files and links by their paths there.

    The files belong to root, whoever makes it.
    """
    shutil.rmtree(TREE / "shutbox")
    for room in _ROOMS:
        there = TREE / "shutbox" / room
        shutil.copytree(ROOT / room, there, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    draw_film()
    with ExitStack() as added:
        for name in (*files, *links):
            place = TREE / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if name in files:
                place.write_text(files[name])
            else:
                place.symlink_to(links[name])
            added.callback(place.unlink)
        disk.unlink(missing_ok=True)
        made = ["mke2fs", "-q", "-t", "ext4", "-d", str(TREE), str(disk), _SIZE]
        mine = [] if os.geteuid() == 0 else ["unshare", "--map-root-user"]
        subprocess.run([*mine, *made], check=True, env={**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"})
    return disk


def make_initrd(kernel: Path, modules: Sequence[str]) -> Path:
    """Make the RAM disk that loads these modules of a kernel, finds the disk, and starts what `first=` names."""
    found = {file.name.removesuffix(".ko.xz"): file for file in kernel.rglob("*.ko.xz")}
    files: dict[str, tuple[int, bytes]] = {
        "init": (0o100755, _INIT.encode()),
        "bin": (0o40755, b""),
        "bin/busybox": (0o100755, (TREE / "usr/bin/busybox").read_bytes()),
        **dict.fromkeys(("dev", "proc", "sys", "new", "modules"), (16877, b"")),
    }
    for place, name in enumerate(modules):
        if name in found:  # others are built in
            files[f"modules/{place:02}-{name}.ko"] = (0o100644, lzma.decompress(found[name].read_bytes()))
    made = kernel / "initrd"
    made.write_bytes(gzip.compress(b"".join(_archived(files)), 1))
    return made


def _archived(files: Mapping[str, tuple[int, bytes]]) -> Iterator[bytes]:
    """Yield a cpio archive as the kernel takes it: "newc", Linux's early-userspace/buffer-format.rst."""
    for number, (name, (mode, content)) in enumerate([*files.items(), ("TRAILER!!!", (0, b""))], 1):
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        for part in (head, content):
            yield part + bytes(-len(part) % 4)


def edit_device_tree(file: Path, *edits: Sequence[str]) -> None:
    """Apply calls of `fdtput` to a device tree, each without the name of the file, which comes after the options."""
    for edit in edits:
        options = [word for word in edit if word.startswith("-") or word in ("s", "x")]
        subprocess.run([*program("fdtput"), *options, str(file), *edit[len(options) :]], check=True)
