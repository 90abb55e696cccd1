"""Which folders are in memory, by what the kernel says of its mounts."""

from pathlib import Path, PurePosixPath

import pytest

from controller.runtime import mounts
from controller.runtime.mounts import find_memory, memory_behind

HOME = "/var/lib/shutbox"
CARD = "27 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw"
# Raspberry Pi OS bookworm with the overlay of raspi-config, which is Ubuntu's overlayroot.
OVERLAYROOT = """\
22 27 0:21 / /proc rw,relatime - proc proc rw
26 24 0:24 / /dev/shm rw,nosuid,nodev - tmpfs tmpfs rw
63 27 179:2 / /media/root-ro ro,relatime - ext4 /dev/mmcblk0p2 ro
64 27 0:39 / /media/root-rw rw,relatime - tmpfs tmpfs-root rw
27 1 0:40 / / rw,relatime shared:1 - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,\
workdir=/media/root-rw/overlay-workdir/_,uuid=on"""
# One made before the system started: its upper folder was at a place that is no more.
HIDDEN = "27 1 0:26 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/w"
PARTITION = "90 27 179:3 / /var/lib/shutbox rw,noatime - ext4 /dev/mmcblk0p3 rw"
ON_DISK = "91 27 0:44 / /var/lib rw - overlay o2 rw,lowerdir=/low,upperdir=/mnt/disk/upper,workdir=/mnt/disk/work"
# Recorded of kernel 6: a bind mount of an overlay has its options, and a comma in them is escaped twice.
BOUND = (
    "68 43 0:40 /bound /var/lib/shutbox rw,relatime - overlay o rw,lowerdir=/low,upperdir=/media/ram/up,workdir=/w\n"
    "63 43 0:39 / /media/ram rw,relatime - tmpfs tmpfs-root rw,size=10240k"
)
COMMA = (
    "63 43 0:39 / /mnt/a,b rw,relatime - tmpfs ram rw,size=10240k\n"
    "74 43 0:46 / /var/lib rw,relatime - overlay o3 rw,lowerdir=/low,upperdir=/mnt/a\\134\\054b/up,workdir=/w,uuid=on"
)
RAM, SPACE = "80 27 0:50 / /var/lib rw - tmpfs tmpfs rw", "81 27 0:43 / /var/lib/with\\040space rw - tmpfs tmpfs rw"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((CARD,), None),
        ((CARD, PARTITION), None),
        ((CARD, RAM), "tmpfs at /var/lib"),
        ((CARD, RAM.replace("tmpfs", "ramfs")), "ramfs at /var/lib"),
        ((CARD, RAM, PARTITION), None),
        ((PARTITION, CARD, RAM), None),
        ((CARD, PARTITION, RAM.replace("/var/lib", HOME)), f"tmpfs at {HOME}"),
        ((CARD, RAM.replace("/var/lib", "/var/li")), None),
        ((CARD, PARTITION.replace("/dev/mmcblk0p3", "/dev/zram0")), f"ext4 at {HOME}"),
        ((OVERLAYROOT,), "tmpfs at /media/root-rw"),
        ((OVERLAYROOT, PARTITION), None),
        ((OVERLAYROOT, ON_DISK), "tmpfs at /media/root-rw"),
        ((CARD, ON_DISK), None),
        ((HIDDEN,), "overlay at /"),
        ((HIDDEN, PARTITION), None),
        ((CARD, BOUND), "tmpfs at /media/ram"),
        ((CARD, COMMA), "tmpfs at /mnt/a,b"),
        ((OVERLAYROOT.replace("upperdir=/media/root-rw/overlay,", ""),), None),
        (("", "27 1 - - -", "what is this"), None),
    ],
)
def test_what_takes_the_games_is_found(lines: tuple[str, ...], found: str | None) -> None:
    mount = find_memory("\n".join(lines), PurePosixPath(HOME))
    assert (None if mount is None else str(mount)) == found


def test_a_name_may_have_spaces(tmp_path: Path) -> None:
    inside = PurePosixPath("/var/lib/with space/shutbox")
    assert str(find_memory(f"{CARD}\n{SPACE}", inside)) == "tmpfs at /var/lib/with space"


def test_a_folder_is_where_its_links_lead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded, link, there = tmp_path / "mountinfo", tmp_path / "link", tmp_path / "there"
    there.mkdir()
    link.symlink_to(there)
    recorded.write_text(f"{CARD}\n{RAM.replace('/var/lib', str(there))}\n")
    monkeypatch.setattr(mounts, "_MOUNTINFO", recorded)
    assert memory_behind(link) == f"tmpfs at {there}"
    recorded.unlink()
    assert memory_behind(link) == ""
