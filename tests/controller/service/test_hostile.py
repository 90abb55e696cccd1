"""Files that are no backup, or that somebody has changed: each is refused, and the home is as it was."""

import gzip
import hashlib
import io
import json
import random
import shutil
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller.errors import BackupDamaged, BackupError, BackupNewer
from controller.runtime.home import Home
from controller.service.backup import save_backup
from controller.service.restore import prepare_restore
from tests.support.homes import furnish, sums_of

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
LIST = "manifest.json"
Files = dict[str, bytes]
Header = Mapping[str, Any]

STRANGE_NAMES = (
    "../settings.toml",
    "../../../etc/passwd",
    "/etc/passwd",
    "/tmp/settings.toml",  # noqa: S108  nothing is written there
    "dice/../settings.toml",
    "dice/../../stars.npz",
    "dice//stars.npz",
    "dice/sub/stars.npz",
    "dice/STARS.npz",
    "dice/.npz",
    "./settings.toml",
    "settings.toml/",
    "settings.toml ",
    "Settings.toml",
    "settings.toml\n",
    "settings.toml\x1b[2J",
    "background-../../x.png",
    "wear-../../x.json",
    "wear-.json",
    "calibration-2026.toml",
    ".swap/moves.json",
    ".settings.toml.new",
    "shutbox.lock",
    "journal.sqlite3-wal",
    "journal.tail",
    "runs.json",
    "odds/x.odds",
    "C:\\settings.toml",
    "manifest.json",
)
NO_SETTINGS = (
    b'"\\u001b[2J" = 1',
    b"box = ",
    b"bocks = 1",
    b"\xff\xfe",
    b"players = 3",
    b"box = [1]",
    b"[pace]\nhouse_thinks_s = -1",
    b"\0",
)
NO_CALIBRATION = (b"", b"box = 1", b"camera = 1\nbox = 'two-level-9'", b"\x80", b"box = 'a'\n[camera]\nviews = 'x'")
NO_JOURNAL = (b"", b"SQLite format 3\0", b"no journal " * 1000, bytes(100_000))
NO_LIST: tuple[Any, ...] = (
    {"format": 2},
    {"format": 99, "files": None},
    {"format": 0},
    {"format": -1},
    {"format": "one"},
    {"format": None},
    {"format": 1.5},
    {"program": 7},
    {"program": "\x1b[2J"},
    {"format": 2, "program": "\x1b[2J"},
    {"box": "../two-level-9"},
    {"box": ""},
    {"made": "yesterday"},
    {"made": "2026-11-24T09:00:00"},
    {"files": None},
    {"files": {"settings.toml": 1}},
    {"files": [{"name": "settings.toml"}]},
    {"files": [{"name": "settings.toml", "size": -1, "sha256": "0" * 64}]},
    {"files": [{"name": "settings.toml", "size": 10**30, "sha256": "0" * 64}]},
    {"files": [{"name": "settings.toml", "size": 1_000_001, "sha256": "0" * 64}]},
    {"files": [{"name": "settings.toml", "size": 0, "sha256": "no sum"}]},
    {"files": [{"name": 1, "size": 0, "sha256": "0" * 64}]},
    {"more": 1},
)
FORGED = (
    "UPDATE event SET body = 'nonsense' WHERE number = 2",
    "UPDATE event SET body = '[]' WHERE number = 1",
    "UPDATE event SET body = '{}' WHERE number = 3",
    "UPDATE event SET number = number + 1000",
    "DELETE FROM event WHERE number = 2",
    "UPDATE event SET digest = '0'",
    """UPDATE event SET body = replace(body, '"player":0', '"player":77') WHERE body LIKE '%turn_ended%'""",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = 0",
    "CREATE TRIGGER late AFTER INSERT ON event BEGIN DELETE FROM game; END",
    "CREATE VIEW seen AS SELECT * FROM event",
    "DROP TABLE event",
    "DROP TABLE game",
)
KINDS = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE)
MORE_KINDS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, b"S", b"V", b"\0")


class Forger:
    """Makes archives out of the files of a good one; `good` are its bytes, `names` their order."""

    def __init__(self, good: bytes) -> None:
        self.good = good
        with tarfile.open(fileobj=io.BytesIO(good)) as archive:
            found = {member.name: archive.extractfile(member) for member in archive}
            files = {name: file.read() for name, file in found.items() if file is not None}
        self.manifest: dict[str, Any] = json.loads(files.pop(LIST))
        self.files: Files = files

    def packed(self, files: Files, manifest: object = None, headers: Mapping[str, Header] | None = None) -> bytes:
        """An archive of these files whose list is right, or is this one; with headers that say something else."""
        listed = self.listed(files) if manifest is None else manifest
        text = listed if isinstance(listed, bytes) else json.dumps(listed).encode()
        return gzip.compress(self.tar([(LIST, text), *files.items()], headers or {}), 1)

    def listed(self, files: Files) -> dict[str, Any]:
        sums = [
            {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()
        ]
        return {**self.manifest, "files": sums}

    def tar(self, members: list[tuple[str, bytes]], headers: Mapping[str, Header]) -> bytes:
        whole = b""
        for name, data in members:
            header = tarfile.TarInfo(name)
            header.size = len(data)
            for field, value in headers.get(name, {}).items():
                setattr(header, field, value)
            whole += header.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % tarfile.BLOCKSIZE)
        return whole + bytes(2 * tarfile.BLOCKSIZE)

    def journal_after(self, sql: str) -> bytes:
        """The journal after somebody has changed it."""
        with closing(sqlite3.connect(":memory:")) as db:
            db.deserialize(self.files["journal.sqlite3"])
            db.executescript(sql)
            return db.serialize()


def unpacks_alike(data: bytes, good: bytes) -> bool:
    """True where other bits unpack to the same bytes: a few bits of a packed file mean nothing."""
    try:
        return gzip.decompress(data) == gzip.decompress(good)
    except (OSError, EOFError, zlib.error):
        return False


def hostile(forger: Forger, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """More than 200 files, each with what is wrong with it."""
    files, good = forger.files, forger.good
    for length in (0, 1, 9, 10, 20, *(chance.randrange(30, len(good)) for _ in range(34)), len(good) - 1):
        yield f"ends after {length} bytes", good[:length]
    for _ in range(25):
        place = chance.randrange(10, len(good))
        data = good[:place] + bytes([good[place] ^ 1 << chance.randrange(8)]) + good[place + 1 :]
        if not unpacks_alike(data, good):
            yield f"another byte {place}", data
    for name, data in files.items():
        place = chance.randrange(len(data))
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        yield f"another {name}", forger.packed({**files, name: changed}, forger.listed(files))
        yield (
            f"without {name}",
            forger.packed({each: files[each] for each in files if each != name}, forger.listed(files)),
        )
        yield f"{name} too short", forger.packed({**files, name: data[:-1]}, forger.listed(files))
        yield f"{name} empty", forger.packed({**files, name: b""}, forger.listed(files))
    yield "another order", forger.packed(dict(reversed(files.items())), forger.listed(files))
    for name in STRANGE_NAMES:
        yield f"name {name!r}", forger.packed({**files, name: b"x"})
        yield f"hidden {name!r}", forger.packed(files, headers={"settings.toml": {"name": name}})
    for kind in KINDS:
        link = {"type": kind, "linkname": "/etc/passwd"}
        yield f"kind {kind!r}", forger.packed(files, headers={"settings.toml": link})
        yield f"kind {kind!r} in front", forger.packed(files, headers={LIST: link})
    for kind in MORE_KINDS:
        yield f"kind {kind!r}", forger.packed(files, headers={"calibration.toml": {"type": kind, "size": 8**10}})
    for wrong in NO_LIST:
        yield f"list with {wrong}", forger.packed(files, {**forger.listed(files), **wrong})
    for text in (b"", b"[]", b"null", b"{", b"\xff", b"[" * 5000, b'{"format": 1}'):
        yield f"list {text[:9]!r}", forger.packed(files, text)
    yield from bombs(forger)
    twice = forger.listed(files)
    twice["files"] += twice["files"][-1:]
    yield "listed twice", forger.packed(files, twice)
    members = [(LIST, json.dumps(forger.listed(files)).encode()), *files.items()]
    yield "there twice", gzip.compress(forger.tar([*members, members[-1]], {}), 1)
    both = [(LIST, json.dumps(twice).encode()), *members[1:], members[-1]]
    yield "listed and there twice", gzip.compress(forger.tar(both, {}), 1)
    yield "more behind it", good + b"more"
    yield "another behind it", good + good
    for contents in wrong_contents(forger):
        yield f"holds {contents}", forger.packed({**files, **contents})
    yield from foreign(files)


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def bombs(forger: Forger) -> Iterator[tuple[str, bytes]]:
    files = forger.files
    yield "bomb in its list", forger.packed(files, b" " * 50_000_000)
    yield "bomb behind its end", gzip.compress(gzip.decompress(forger.good) + bytes(50_000_000), 1)
    yield "bomb for settings", forger.packed({**files, "settings.toml": bytes(50_000_000)})
    yield "bomb that is TOML", forger.packed({**files, "settings.toml": b"#" * 1_000_001})
    yield "bomb by another size", forger.packed({**files, "settings.toml": bytes(50_000_000)}, forger.listed(files))
    for size in (1 << 33, 1 << 62):
        yield f"size {size}", forger.packed(files, headers={"settings.toml": {"size": size}})
        yield f"list of size {size}", forger.packed(files, headers={LIST: {"size": size}})


def wrong_contents(forger: Forger) -> Iterator[Files]:
    yield from ({"settings.toml": data} for data in NO_SETTINGS)
    yield from ({"calibration.toml": data} for data in NO_CALIBRATION)
    yield {"background-2026-11-01T000000.png": b"GIF89a"}
    yield {"dice/stars.npz": b"PK"}
    yield {"dice/boats.npz": forger.files["dice/stars.npz"]}
    yield {"wear-two-level-9.json": b"[]"}
    yield from (
        {"journal.sqlite3": data} for data in (b"", b"SQLite format 3\0", b"no journal " * 1000, bytes(100_000))
    )
    yield {"journal.sqlite3": forger.files["journal.sqlite3"][:-4096]}
    yield from ({"journal.sqlite3": forger.journal_after(sql)} for sql in FORGED)


def foreign(files: Files) -> Iterator[tuple[str, bytes]]:
    zipped, plain = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("settings.toml", files["settings.toml"])
    with tarfile.open(fileobj=plain, mode="w") as other:
        other.add(__file__, "settings.toml")
    yield "zip", zipped.getvalue()
    yield "tar", plain.getvalue()
    yield "tar.gz of others", gzip.compress(plain.getvalue())
    yield "text", b"this is a text\n" * 100
    yield "text.gz", gzip.compress(b"this is a text\n" * 100)
    yield "empty.gz", gzip.compress(b"")
    yield "gz in gz", gzip.compress(gzip.compress(plain.getvalue()))
    yield "a journal", files["journal.sqlite3"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("homes") / "home"
    furnish(Home(folder, folder))
    Home(folder, folder).lock.touch()
    return Home(folder, folder)


@pytest.fixture(scope="module")
def forger(home: Home) -> Forger:
    made = save_backup(home, home.data.parent / "good.tar.gz", NOW, lambda _: None)
    return Forger(made.file.read_bytes())


def refused(home: Home, source: Path) -> str:
    """Why a file is not restored; empty if it would be."""
    try:
        with prepare_restore(home, source, NOW, lambda _: None) as ready:
            return "".join(ready.doubts)
    except BackupError as error:
        return str(error)


def test_what_is_no_good_backup_is_refused_and_nothing_changes(home: Home, forger: Forger, tmp_path: Path) -> None:
    before, source = sums_of(home.data.parent), tmp_path / "hostile.tar.gz"
    tried = 0
    for what, data in hostile(forger, random.Random(1)):
        source.write_bytes(data)
        problem = refused(home, source)
        assert problem, what
        assert problem.isprintable(), what
        assert len(problem) < 400, what
        tried += 1
    assert tried >= 200
    assert sums_of(home.data.parent) == before


def test_what_the_forger_does_not_change_is_restored(home: Home, forger: Forger, tmp_path: Path) -> None:
    source = tmp_path / "good.tar.gz"
    source.write_bytes(forger.packed(forger.files))

    assert refused(home, source) == ""


@pytest.mark.parametrize(
    ("forge", "error", "says"),
    [
        (
            lambda it: it.packed(it.files, {"format": 2, "program": "9.9"}),
            BackupNewer,
            r"later version \(9\.9\): update",
        ),
        (
            lambda it: it.packed({"journal.sqlite3": it.journal_after("PRAGMA user_version = 99")}),
            BackupNewer,
            "format 99.*update this program first",
        ),
        (lambda it: gzip.compress(b"x" * 2000), BackupDamaged, "is no backup|is damaged"),
        (lambda it: it.packed(it.files, headers={LIST: {"size": -1}}), BackupDamaged, "is no backup of this program"),
        (lambda it: it.good[:-20], BackupDamaged, "not all of it is there"),
        (lambda it: it.packed({"settings.toml": b"bocks = 1"}), BackupDamaged, r"settings\.toml:1: bocks: unknown key"),
    ],
)
def test_a_refusal_says_why(
    home: Home, forger: Forger, tmp_path: Path, forge: Callable[[Forger], bytes], error: type[BackupError], says: str
) -> None:
    source = tmp_path / "hostile.tar.gz"
    source.write_bytes(forge(forger))

    with pytest.raises(error, match=says) as raised, prepare_restore(home, source, NOW, lambda _: None):
        pass
    assert "swap" not in str(raised.value)


def test_a_disk_without_room_is_told_before_anything_is_written(
    home: Home, forger: Forger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "good.tar.gz"
    source.write_bytes(forger.good)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 99, 1))

    assert "make room" in refused(home, source)
