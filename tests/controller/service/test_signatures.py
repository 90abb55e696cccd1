"""Who has made an update file: what is signed by a key that this box trusts, and every way in which a file is not."""

import io
import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.errors import BadUpdate, InstallError
from controller.service.effects import Host
from controller.service.layout import Layout
from controller.service.plan import plan_update
from controller.service.signatures import KEYS, Signature, sign, trusted_keys
from controller.service.staging import Place
from controller.service.update_file import UpdateFile, pack_update, read_update, unpack_wheels
from tests.controller.conftest import Shutbox
from tests.support.installed_box import Box, make_update

SSH_KEYGEN = shutil.which("ssh-keygen") or ""
pytestmark = pytest.mark.skipif(not SSH_KEYGEN, reason="needs ssh-keygen")

OURS, OTHER = "shutbox-0.2.0-py3-none-any.whl", "numpy-1.0-py3-none-any.whl"
MANIFEST, SIGNATURE = "manifest.json", "signature.json"
Members = list[tuple[str, bytes]]


def make_key(path: Path, kind: str = "ed25519") -> Path:
    subprocess.run([SSH_KEYGEN, "-q", "-t", kind, "-N", "", "-f", path], check=True)
    return path


def public(key: Path) -> Path:
    return key.with_name(f"{key.name}.pub")


def sign_file(path: Path, key: Path, purpose: str) -> None:
    """As the guide says it, with the program of OpenSSH alone: writes `PATH.sig`."""
    path.with_name(f"{path.name}.sig").unlink(missing_ok=True)
    subprocess.run([SSH_KEYGEN, "-Y", "sign", "-q", "-f", key, "-n", purpose, path], check=True)


def followed(old: Path, new: Path, purpose: str = "shutbox-key") -> Path:
    """The public half of a new key, signed by an old one."""
    sign_file(public(new), old, purpose)
    return public(new)


def key_of(key: Path) -> str:
    return " ".join(public(key).read_text().split()[:2])


@dataclass(frozen=True)
class Keys:
    """Private keys: the one that the box trusts, and one that nobody knows."""

    folder: Path
    own: Path
    foreign: Path

    def new(self, name: str) -> Path:
        return make_key(self.folder / name)

    @property
    def trusted(self) -> tuple[str, ...]:
        return (key_of(self.own),)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    folder = tmp_path / "private"
    folder.mkdir()
    return Keys(folder, make_key(folder / "own"), make_key(folder / "foreign"))


def members(path: Path) -> Members:
    with tarfile.open(path) as tar:
        return [(each.name, (tar.extractfile(each) or io.BytesIO()).read()) for each in tar]


def write(path: Path, content: Members) -> Path:
    with tarfile.open(path, "w") as tar:
        for name, each in content:
            member = tarfile.TarInfo(name)
            member.size = len(each)
            tar.addfile(member, io.BytesIO(each))
    return path


def changed(path: Path, **contents: bytes | None) -> Path:
    """The file with other contents of its manifest, its signature or a wheel; None: without it."""
    names = {"manifest": MANIFEST, "signature": SIGNATURE, "ours": OURS, "other": OTHER}
    new = {names[name]: content for name, content in contents.items()}
    kept = [(name, new.get(name, content)) for name, content in members(path)]
    return write(path, [(name, content) for name, content in kept if content is not None])


def with_signature(path: Path, signature: Signature) -> Path:
    return changed(path, signature=signature.model_dump_json().encode())


def manifest_of(path: Path) -> bytes:
    return dict(members(path))[MANIFEST]


def other_purpose(path: Path, keys: Keys, purpose: str) -> Path:
    message = keys.folder / "message"
    message.write_bytes(manifest_of(path))
    sign_file(message, keys.own, purpose)
    return with_signature(path, Signature(signature=(keys.folder / "message.sig").read_text()))


def in_chain(path: Path, keys: Keys, *chain: tuple[Path, Path, str]) -> Path:
    """Signed by the last of a chain of keys, each signed by the one that stands before it."""
    successors = [followed(old, new, purpose) for old, new, purpose in chain]
    return with_signature(path, sign(manifest_of(path), chain[-1][1], successors))


def with_json(path: Path, **about: object) -> Path:
    signature = json.loads(dict(members(path))[SIGNATURE])
    return changed(path, signature=json.dumps({**signature, **about}).encode())


def successor(old: Path, new: Path) -> dict[str, str]:
    signed = followed(old, new)
    return {"key": signed.read_text(), "signature": signed.with_name(f"{signed.name}.sig").read_text()}


def unsigned_successor(path: Path, keys: Keys) -> Path:
    foreign = {"key": public(keys.foreign).read_text(), "signature": sign(b"", keys.foreign).signature}
    return with_json(with_signature(path, sign(manifest_of(path), keys.foreign)), successors=[foreign])


def by_rsa(path: Path, keys: Keys) -> Path:
    return with_signature(path, sign(manifest_of(path), make_key(keys.folder / "rsa", "rsa")))


def of_another_file(path: Path, keys: Keys) -> Path:
    other = make_update(keys.folder / "other", "0.3.0", key=keys.own)
    return changed(path, signature=dict(members(other.path))[SIGNATURE])


def moved_last(path: Path) -> Path:
    content = members(path)
    return write(
        path, [each for each in content if each[0] != SIGNATURE] + [each for each in content if each[0] == SIGNATURE]
    )


def with_pax_header(path: Path, **about: str) -> Path:
    content = path.read_bytes()
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT, pax_headers=about):
        pass
    header = path.read_bytes()
    path.write_bytes(header[: header.index(b"\0" * 1024) // 512 * 512 + 512] + content)
    return path


def with_bytes(path: Path, at: int, new: bytes) -> Path:
    content = path.read_bytes()
    path.write_bytes(content[:at] + new + content[at + len(new) :])
    return path


NOT_SIGNED = "is not signed: get a release, or say --unsigned"
UNKNOWN = "was not signed by the project"
NO_SIGNATURE = "its signature is none that this version knows"
HOSTILE: dict[str, tuple[Callable[[Path, Keys], Path], str]] = {
    "unsigned": (lambda path, _: changed(path, signature=None), NOT_SIGNED),
    "by a foreign key": (lambda path, keys: with_signature(path, sign(manifest_of(path), keys.foreign)), UNKNOWN),
    "by a key of another kind": (by_rsa, UNKNOWN),
    "with the signature of another file": (of_another_file, UNKNOWN),
    "with a signature for a key": (lambda path, keys: other_purpose(path, keys, "shutbox-key"), UNKNOWN),
    "with a signature of somebody's mail": (lambda path, keys: other_purpose(path, keys, "file"), UNKNOWN),
    "with a space in the manifest": (lambda path, _: changed(path, manifest=manifest_of(path) + b" "), UNKNOWN),
    "with another version in it": (
        lambda path, _: changed(path, manifest=manifest_of(path).replace(b"0.2.0", b"0.9.0")),
        UNKNOWN,
    ),
    "with the hash of another wheel": (
        lambda path, _: changed(path, manifest=manifest_of(path).replace(b'.whl": "', b'.whl": "0', 1)),
        UNKNOWN,
    ),
    "with no manifest worth the name": (lambda path, _: changed(path, manifest=b"{}"), UNKNOWN),
    "with another wheel": (lambda path, _: changed(path, other=b"another"), f"{OTHER} was damaged"),
    "with a wheel less": (lambda path, _: changed(path, other=None), f"{OTHER} is missing"),
    "with the signature after the wheels": (lambda path, _: moved_last(path), NOT_SIGNED),
    "with two signatures": (
        lambda path, _: write(path, [*members(path)[:2], members(path)[1], *members(path)[2:]]),
        "'signature.json' has no place",
    ),
    "with two manifests": (lambda path, _: write(path, [members(path)[0], *members(path)]), NOT_SIGNED),
    "with an empty signature": (lambda path, _: changed(path, signature=b""), NO_SIGNATURE),
    "with a signature that is no text": (lambda path, _: changed(path, signature=b"\xff\xfe" * 100), NO_SIGNATURE),
    "with a signature that is a list": (lambda path, _: changed(path, signature=b"[]"), NO_SIGNATURE),
    "with a deep signature": (lambda path, _: changed(path, signature=b"[" * 900_000), NO_SIGNATURE),
    "with a signature of two megabytes": (lambda path, _: changed(path, signature=b" " * 2_000_000), NO_SIGNATURE),
    "with a signature of another format": (lambda path, _: with_json(path, format=2), NO_SIGNATURE),
    "with more in its signature": (lambda path, _: with_json(path, trust="me"), NO_SIGNATURE),
    "with half a signature": (
        lambda path, _: with_json(path, signature="-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----\n"),
        UNKNOWN,
    ),
    "with an option in its signature": (lambda path, _: with_json(path, signature="-O verify-time=0"), NO_SIGNATURE),
    "by a successor that nobody has signed": (unsigned_successor, UNKNOWN),
    "by a successor that signed itself": (
        lambda path, keys: in_chain(path, keys, (keys.foreign, keys.foreign, "shutbox-key")),
        UNKNOWN,
    ),
    "by a successor that was signed as an update": (
        lambda path, keys: in_chain(path, keys, (keys.own, keys.foreign, "shutbox-update")),
        UNKNOWN,
    ),
    "by a successor of a foreign key": (
        lambda path, keys: in_chain(path, keys, (keys.foreign, keys.new("next"), "shutbox-key")),
        UNKNOWN,
    ),
    "by a chain that is cut": (
        lambda path, keys: in_chain(
            path, keys, (keys.own, keys.new("a"), "shutbox-key"), (keys.foreign, keys.new("b"), "shutbox-key")
        ),
        UNKNOWN,
    ),
    "with eleven successors": (
        lambda path, keys: with_json(path, successors=[successor(keys.own, keys.foreign)] * 11),
        NO_SIGNATURE,
    ),
    "with a successor of two lines": (
        lambda path, keys: with_json(
            path, successors=[successor(keys.own, keys.foreign) | {"key": public(keys.foreign).read_text() * 2}]
        ),
        NO_SIGNATURE,
    ),
    "with a header of the format's extensions": (
        lambda path, _: with_pax_header(path, comment="x"),
        "which is no plain file",
    ),
    "with a long name of GNU's": (lambda path, _: with_bytes(path, 156, b"L"), "is no update file"),
    "with a hole in it": (lambda path, _: with_bytes(path, 156, b"S"), "is no update file"),
    "cut off in its signature": (lambda path, _: cut(path, 1700), "is no update file"),
    "cut off in a wheel": (lambda path, _: cut(path, 3000), "is no update file"),
}


def cut(path: Path, at: int) -> Path:
    path.write_bytes(path.read_bytes()[:at])
    return path


@pytest.fixture
def update(tmp_path: Path, keys: Keys) -> UpdateFile:
    return make_update(tmp_path, "0.2.0", key=keys.own)


def test_what_a_trusted_key_has_signed_is_taken(update: UpdateFile, keys: Keys) -> None:
    assert read_update(update.path, keys.trusted) == update
    assert dict(members(update.path)).keys() == {MANIFEST, SIGNATURE, OURS, OTHER}


def test_a_wheel_can_have_a_long_name(tmp_path: Path, keys: Keys) -> None:
    long = f"numpy-1.0-py3-{'none.' * 20}none-any.whl"
    make_update(tmp_path, "0.2.0")
    wheels = tmp_path / "wheels-0.2.0-0"
    (wheels / OTHER).rename(wheels / long)
    packed = pack_update(wheels, tmp_path / "x.tar", journal_format=5, python="3.11", machine="x86_64", key=keys.own)

    assert read_update(packed.path, keys.trusted).manifest.wheels.keys() == {OURS, long}
    unpack_wheels(packed, tmp_path)
    assert (tmp_path / long).read_bytes() == (wheels / long).read_bytes()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_no_trusted_key_has_signed_is_refused(update: UpdateFile, keys: Keys, hostile: str) -> None:
    spoil, told = HOSTILE[hostile]

    with pytest.raises(BadUpdate, match=told) as refused:
        read_update(spoil(update.path, keys), keys.trusted)
    assert "\n" not in str(refused.value)


def test_keys_follow_one_another(update: UpdateFile, keys: Keys) -> None:
    first, second = keys.new("first"), keys.new("second")
    path = in_chain(update.path, keys, (keys.own, first, "shutbox-key"), (first, second, "shutbox-key"))

    assert read_update(path, keys.trusted).manifest == update.manifest
    with pytest.raises(BadUpdate, match=UNKNOWN):
        read_update(path, [key_of(keys.foreign)])


def test_a_new_key_without_the_signature_of_an_old_one_signs_nothing(tmp_path: Path, keys: Keys) -> None:
    with pytest.raises(InstallError, match="no public key that another has signed"):
        make_update(tmp_path, "0.2.0", key=keys.own, successors=[public(keys.foreign)])
    with pytest.raises(InstallError, match="does not sign"):
        make_update(tmp_path, "0.3.0", key=tmp_path / "no_key")


def test_what_changes_between_reading_and_unpacking_is_not_unpacked(
    update: UpdateFile, keys: Keys, tmp_path: Path
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    read = read_update(update.path, keys.trusted)
    for spoiled in (changed(update.path, other=b"another"), changed(update.path, other=None)):
        with pytest.raises(BadUpdate, match="a moment ago"):
            unpack_wheels(read, place)
        assert spoiled == read.path


def test_the_program_carries_the_key_of_the_project_and_root_adds_others(tmp_path: Path, keys: Keys) -> None:
    [project] = trusted_keys(tmp_path / "none")
    folder = tmp_path / "keys"
    folder.mkdir()
    shutil.copy(public(keys.own), folder)
    (folder / "README").write_text("not read")

    assert trusted_keys(folder) == (project, key_of(keys.own))
    assert trusted_keys(public(keys.foreign)) == (project, key_of(keys.foreign))


@pytest.mark.parametrize(
    ("text", "mode", "told"),
    [
        ("ssh-rsa AAAA", 0o644, "no ssh-ed25519 key: 'ssh-rsa AAAA'"),
        ("\x1b[2J", 0o644, r"'\\x1b\[2J'"),
        ("# nobody yet\n", 0o666, "others than root may write there"),
        ("# nobody yet\n", 0o660, "others than root may write there"),
    ],
)
def test_keys_that_cannot_be_relied_on_are_told(tmp_path: Path, text: str, mode: int, told: str) -> None:
    path = tmp_path / "more.pub"
    path.write_text(text)
    path.chmod(mode)

    with pytest.raises(InstallError, match=told):
        trusted_keys(tmp_path)


def test_a_folder_of_keys_that_anybody_may_write_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)

    with pytest.raises(InstallError, match="others than root may write there"):
        trusted_keys(tmp_path)


def test_without_ssh_an_update_is_not_taken_and_the_package_is_named(
    update: UpdateFile, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(InstallError, match="apt install openssh-client"):
        read_update(update.path, keys.trusted)


def test_an_older_version_is_taken_only_if_that_is_said(box: Box, tmp_path: Path) -> None:
    older = make_update(tmp_path, "0.0.9")

    with pytest.raises(InstallError, match=r"0\.0\.9 is older than 0\.1\.0"):
        plan_update(box.layout, older)
    assert plan_update(box.layout, older, older=True).version == older.version_name
    assert plan_update(box.layout, make_update(tmp_path, "0.10.0")).is_new


def test_a_bomb_finds_no_room(update: UpdateFile, tmp_path: Path) -> None:
    """What its packages take is told by their own lists, before anything is unpacked."""
    bomb = UpdateFile(update.path, update.manifest, update.written, unpacked_bytes=10**15)

    with pytest.raises(InstallError, match="make room"):
        Place(Layout(root=tmp_path), bomb).check_room(Host())


@pytest.mark.parametrize("command", ["install", "update"])
def test_a_command_refuses_in_one_line_and_changes_nothing(
    shutbox: Shutbox, tmp_path: Path, keys: Keys, command: str
) -> None:
    update = make_update(tmp_path, "0.2.0", key=keys.foreign)
    tree = tmp_path / "tree"
    tree.mkdir()
    where = {"install": ("--root", str(tree)), "update": ("--prefix", str(tree / "opt"))}[command]

    status, out, err = shutbox(command, str(update.path), *where)

    assert (status, out, len(err.splitlines()), list(tree.iterdir())) == (2, "", 1, [])
    assert UNKNOWN in err


def test_a_key_of_root_s_opens_the_way(shutbox: Shutbox, tmp_path: Path, keys: Keys) -> None:
    update = make_update(tmp_path, "0.2.0", key=keys.own)
    folder = tmp_path / "tree" / KEYS.relative_to("/")
    folder.mkdir(parents=True)
    shutil.copy(public(keys.own), folder)

    status, out, _ = shutbox("install", str(update.path), "--root", str(tmp_path / "tree"), "--dry-run")

    assert (status, "would unpack 2 packages" in out) == (0, True)
