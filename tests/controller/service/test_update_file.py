"""Update files: what is read back, and every way in which one can be bad."""

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.errors import BadUpdate
from controller.service.update_file import UpdateFile, check_fits, pack_update, read_update
from tests.support.installed_box import make_update

Members = dict[str, bytes]
Manifest = dict[str, Any]
OURS, OTHER = "shutbox-0.2.0-py3-none-any.whl", "numpy-1.0-py3-none-any.whl"


@pytest.fixture
def update(tmp_path: Path) -> UpdateFile:
    return make_update(tmp_path, "0.2.0")


def members(path: Path) -> Members:
    with tarfile.open(path) as tar:
        return {each.name: (tar.extractfile(each) or io.BytesIO()).read() for each in tar}


def write(path: Path, content: Members, **about: Any) -> Path:
    """A tar of these members; about: attributes of the last one."""
    with tarfile.open(path, "w") as tar:
        for name, each in content.items():
            member = tarfile.TarInfo(name)
            member.size = len(each)
            if name == [*content][-1]:
                for key, value in about.items():
                    setattr(member, key, value)
            tar.addfile(member, io.BytesIO(each))
    return path


def with_manifest(update: UpdateFile, **changed: Any) -> Path:
    """The update file with other values in its manifest."""
    content = members(update.path)
    manifest = json.loads(content["manifest.json"])
    content["manifest.json"] = json.dumps({**manifest, **changed}).encode()
    return write(update.path, content)


def cut_off(update: UpdateFile, where: float) -> Path:
    whole = update.path.read_bytes()
    update.path.write_bytes(whole[: int(len(whole) * where)])
    return update.path


def flipped(update: UpdateFile, name: str) -> Path:
    content = members(update.path)
    content[name] = bytes([content[name][0] ^ 1]) + content[name][1:]
    return write(update.path, content)


def without(update: UpdateFile, name: str) -> Path:
    return write(update.path, {each: content for each, content in members(update.path).items() if each != name})


def with_more(update: UpdateFile, name: str, **about: Any) -> Path:
    return write(update.path, {**members(update.path), name: b""}, **about)


def twice(update: UpdateFile) -> Path:
    with tarfile.open(update.path, "a") as tar:
        member = tarfile.TarInfo(OURS)
        tar.addfile(member, io.BytesIO())
    return update.path


def compressed(update: UpdateFile) -> Path:
    with tarfile.open(update.path.with_suffix(".tar.gz"), "w:gz") as tar:
        tar.add(update.path, "manifest.json")
    return update.path.with_suffix(".tar.gz")


def text(update: UpdateFile, content: bytes) -> Path:
    update.path.write_bytes(content)
    return update.path


def no_wheel(update: UpdateFile) -> Path:
    """Bytes that are no zip, with the right hash."""
    wheels = update.path.parent / "broken"
    wheels.mkdir()
    (wheels / OURS).write_bytes(b"no zip")
    pack_update(wheels, update.path, journal_format=5, python="3.11", machine="x86_64")
    return update.path


def with_file(update: UpdateFile, name: str, mode: int = 0) -> Path:
    """An update file with this one more file in a wheel, and the right hashes."""
    wheels = update.path.parent / "wheels-0.2.0-0"
    member = zipfile.ZipInfo()
    member.filename, member.external_attr = name, mode << 16
    with zipfile.ZipFile(wheels / OTHER, "a") as wheel:
        wheel.writestr(member, "/etc/passwd")
    return pack_update(wheels, update.path, journal_format=5, python="3.11", machine="x86_64").path


BAD: dict[str, tuple[Callable[[UpdateFile], Path], str]] = {
    "empty": (lambda update: text(update, b""), "is no update file"),
    "a page of a web server": (lambda update: text(update, b"<html>404</html>" * 100), "is no update file"),
    "compressed": (compressed, "is no update file"),
    "cut off early": (lambda update: cut_off(update, 0.02), "is no update file"),
    "cut off in a wheel": (lambda update: cut_off(update, 0.25), "is no update file|is missing"),
    "a flipped bit in a wheel": (lambda update: flipped(update, OTHER), "was damaged"),
    "a flipped bit in the manifest": (lambda update: flipped(update, "manifest.json"), "manifest.json is not"),
    "no manifest": (lambda update: without(update, "manifest.json"), "does not begin with manifest.json"),
    "a wheel is missing": (lambda update: without(update, OTHER), "numpy-1.0-py3-none-any.whl is missing"),
    "the program is missing": (
        lambda update: with_manifest(update, version="0.3.0"),
        "shutbox 0.3.0 itself is missing",
    ),
    "a member too many": (lambda update: with_more(update, "more.whl"), "'more.whl' has no place"),
    "a member twice": (twice, "has no place"),
    "a member outside": (lambda update: with_more(update, "../../etc/passwd"), "has no place"),
    "an absolute path": (lambda update: with_more(update, "/etc/passwd"), "has no place"),
    "a link": (
        lambda update: with_more(update, "z.whl", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        "'z.whl', which is no plain file",
    ),
    "a device": (lambda update: with_more(update, "z.whl", type=tarfile.CHRTYPE), "no plain file"),
    "another format": (lambda update: with_manifest(update, format=2), "manifest.json is not"),
    "another program": (lambda update: with_manifest(update, name="chess"), "manifest.json is not"),
    "an unknown key": (lambda update: with_manifest(update, script="rm -r /"), "manifest.json is not"),
    "a version with a path in it": (lambda update: with_manifest(update, version="../../x"), "manifest.json is not"),
    "a wheel with a path in its name": (
        lambda update: with_manifest(update, wheels={"../x-1-py3-none-any.whl": "0" * 64}),
        "manifest.json is not",
    ),
    "no hash": (lambda update: with_manifest(update, wheels={OURS: "", OTHER: ""}), "manifest.json is not"),
    "another Python": (lambda update: with_manifest(update, python="3.9"), "is for Python 3.9"),
    "another computer": (lambda update: with_manifest(update, machine="riscv64"), "on riscv64"),
    "a wheel with a file outside": (lambda update: with_file(update, "../../x.py"), "'../../x.py', which no wheel"),
    "a wheel with a file outside, further in": (lambda update: with_file(update, "a/../../x.py"), "no wheel does"),
    "a wheel with an absolute path": (lambda update: with_file(update, "/etc/passwd"), "'/etc/passwd', which no wheel"),
    "a wheel with a path of Windows": (lambda update: with_file(update, "..\\x.py"), "no wheel does"),
    "a wheel with a zero in a name": (lambda update: with_file(update, "x.py\0/../../y"), "no wheel does"),
    "a wheel with a line end in a name": (lambda update: with_file(update, "x\n.py"), "no wheel does"),
    "a wheel with a link": (lambda update: with_file(update, "x.py", 0o120777), "'x.py', which no wheel"),
    "a wheel with a device": (lambda update: with_file(update, "x.py", 0o020666), "no wheel does"),
    "a wheel that is none": (lambda update: no_wheel(update), "is no wheel"),
}


def test_what_was_packed_is_read_back(update: UpdateFile) -> None:
    assert read_update(update.path, None) == update
    assert set(update.manifest.wheels) == {OURS, OTHER}
    assert update.version_name.startswith("0.2.0-")
    check_fits(update)


def test_a_32_bit_system_is_told_what_it_lacks(update: UpdateFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a 64-bit kernel its machine is called as a 64-bit one."""
    monkeypatch.setattr("sys.maxsize", 2**31 - 1)
    with pytest.raises(BadUpdate, match="needs a 64-bit system"):
        check_fits(update)


def test_the_same_wheels_make_the_same_version_and_others_another(update: UpdateFile, tmp_path: Path) -> None:
    again = make_update(tmp_path / "again", "0.2.0", build=1)

    assert pack(tmp_path / "wheels-0.2.0-0", tmp_path / "twin.tar").version_name == update.version_name
    assert again.version_name != update.version_name


def pack(wheels: Path, path: Path) -> UpdateFile:
    manifest = read_update(wheels.parent / "shutbox-0.2.0-0.tar", None).manifest
    return pack_update(wheels, path, journal_format=5, python=manifest.python, machine=manifest.machine)


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_is_told_and_nothing_of_it_is_used(update: UpdateFile, bad: str) -> None:
    spoil, told = BAD[bad]

    with pytest.raises(BadUpdate, match=told):
        check_fits(read_update(spoil(update), None))


def test_pip_is_given_every_wheel_with_its_hash(update: UpdateFile) -> None:
    lines = update.manifest.requirements.splitlines()

    assert [line.partition(" ")[0] for line in lines] == ["numpy==1.0", "shutbox==0.2.0"]
    assert all(f"--hash=sha256:{sha}" in update.manifest.requirements for sha in update.manifest.wheels.values())


@pytest.mark.parametrize("names", [[], ["shutbox-1-py3-none-any.whl", "shutbox-2-py3-none-any.whl"]])
def test_an_update_is_made_of_one_wheel_of_the_program(names: list[str], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"")

    with pytest.raises(BadUpdate, match=f"holds {len(names)}"):
        pack_update(tmp_path, tmp_path / "x.tar", journal_format=5, python="3.11", machine="aarch64")
