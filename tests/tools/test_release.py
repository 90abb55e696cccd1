"""A release of a small program: twice the same bytes, what its packages say of themselves, and when there is none."""

import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from email.message import Message
from pathlib import Path

import pytest

from tools.release.licences import list_licences
from tools.release.wheel import Wheel, licence_of, read_wheel

PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"
[project]
name = "shutbox"
version = "0.2.0"
license = "MIT"
requires-python = ">=3.11"
license-files = ["LICENSE"]
[tool.hatch.build.targets.wheel]
packages = ["shutbox"]
"""
METADATA = "Metadata-Version: 2.1\nName: numpy\nVersion: 1.0\n"
Git = Callable[..., None]


def write_wheel(folder: Path, metadata: str = METADATA, licence: str = "Do as you like.\n") -> Path:
    path = folder / "numpy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(zipfile.ZipInfo("numpy-1.0.dist-info/METADATA"), metadata)
        wheel.writestr(zipfile.ZipInfo("numpy-1.0.dist-info/licenses/LICENSE.txt"), licence)
    return path


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """A program under git, which is where the test is; returns git."""
    program, folder = shutil.which("git"), tmp_path / "program"
    if program is None:
        pytest.skip("needs git")

    def call(*words: str) -> None:
        who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        subprocess.run([program, *who, *words], cwd=folder, check=True, capture_output=True)

    (folder / "shutbox").mkdir(parents=True)
    (folder / "shutbox" / "__init__.py").write_text('"""A program."""\n')
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "LICENSE").write_text("MIT, in short.\n")
    (folder / ".gitignore").write_text("dist\n")
    call("init", "-q")
    call("add", ".")
    call("commit", "-q", "-m", "all of it")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    return call


def make(folder: Path, monkeypatch: pytest.MonkeyPatch, key: Path | None = None) -> dict[str, bytes]:
    """Make a release; what is in it. Its packages come from nowhere: one is written."""
    release = pytest.importorskip("tools.release.__main__", reason="needs cyclonedx: make lanes")

    def fetch(_pins: Path, wheels: Path, _python: str, _machine: str) -> int:
        write_wheel(wheels)
        return 0

    monkeypatch.setattr(release, "fetch", fetch)
    monkeypatch.setattr(release, "build_docs", lambda _source: None)
    release.release(folder, key)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.long
def test_a_release_made_twice_is_the_same(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git("tag", "v0.2.0")
    keygen = shutil.which("ssh-keygen")
    if keygen is None:
        pytest.skip("needs ssh-keygen")
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "key"], check=True)

    first, second = (make(tmp_path / name, monkeypatch, tmp_path / "key") for name in ("first", "second"))

    assert first == second
    systems = ("bookworm-aarch64", "trixie-aarch64", "trixie-x86_64")
    assert first.keys() == {
        *(f"shutbox-0.2.0-{system}.{kind}" for system in systems for kind in ("tar", "cdx.json")),
        *("shutbox-0.2.0-py3-none-any.whl", "shutbox-0.2.0.tar.gz", "LICENCES.txt", "SHA256SUMS", "SHA256SUMS.sig"),
    }
    assert len(first["SHA256SUMS"].splitlines()) == len(first) - 2
    told = json.loads(first["shutbox-0.2.0-trixie-aarch64.cdx.json"])
    assert told["metadata"]["component"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert [(each["name"], each["version"]) for each in told["components"]] == [("numpy", "1.0")]
    assert "MIT, in short." in first["LICENCES.txt"].decode()


@pytest.mark.usefixtures("git")
def test_without_a_key_nothing_is_signed_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "SHA256SUMS.sig" not in make(tmp_path / "made", monkeypatch)
    told = capsys.readouterr().out
    assert "which has no tag v0.2.0" in told
    assert "Nothing is signed" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda _git: Path("more.py").touch(), "commit first, or put away, .* more.py"),
        (lambda git: git("tag", "v0.3.0"), "tagged v0.3.0, and its pyproject.toml has 0.2.0"),
        (lambda _git: Path("dist").mkdir(), "dist is there already"),
    ],
)
def test_what_is_no_release_is_told_in_one_line(
    git: Git, monkeypatch: pytest.MonkeyPatch, change: Callable[[Git], None], told: str
) -> None:
    release = pytest.importorskip("tools.release.__main__", reason="needs cyclonedx: make lanes")
    change(git)

    with pytest.raises(release.NoRelease, match=told):
        make(Path("dist"), monkeypatch)


@pytest.mark.parametrize(
    ("lines", "licence"),
    [
        ("License-Expression: BSD-3-Clause AND MIT\nLicense: what it was", "BSD-3-Clause AND MIT"),
        ("Classifier: License :: OSI Approved :: MIT License\nLicense: MIT", "MIT License"),
        ("Classifier: Topic :: Games\nLicense: Apache 2.0", "Apache 2.0"),
        (f"License: {'Permission is granted ' * 9}", "see its text"),
        ("Summary: a package", "not told"),
    ],
)
def test_the_licence_is_what_the_package_says(tmp_path: Path, lines: str, licence: str) -> None:
    wheel = read_wheel(write_wheel(tmp_path, f"{METADATA}{lines}\n"))

    assert (wheel.name, wheel.version, wheel.licence) == ("numpy", "1.0", licence)
    assert wheel.texts == {"licenses/LICENSE.txt": "Do as you like.\n"}
    assert licence_of(Message()) == "not told"


def test_a_text_that_two_packages_have_is_there_once() -> None:
    wheels = [Wheel(f"{name}.whl", name, "1", "MIT", {"LICENSE": "MIT, in short."}) for name in ("b", "a", "a")]

    told = list_licences(wheels)

    assert told.splitlines()[:4] == ["Packages and their licences", "", "a 1  MIT", "b 1  MIT"]
    assert told.count("MIT, in short.") == 1
    assert "a 1: LICENSE\nb 1: LICENSE\n" in told
