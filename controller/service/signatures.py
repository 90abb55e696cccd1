"""Signatures of update files: made and checked by OpenSSH's `ssh-keygen`, with Ed25519 keys (its PROTOCOL.sshsig).

This program carries the public keys of the project, and root may trust more, in `/etc/shutbox/keys`. A key is followed
by another that it has signed: an update file may bring such successors along, for boxes that missed the version which
carries them.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.errors import BadUpdate, InstallError

KEYS = Path("/etc/shutbox/keys")
_RELEASE_KEYS = "release_keys.pub"
# What a signature is for, so that none counts for anything else: the namespaces of PROTOCOL.sshsig.
_UPDATE, _SUCCESSOR = "shutbox-update", "shutbox-key"
_WHO = "release"
_MOST_BYTES = 2000  # of a signature, which has about 300
_OTHERS_MAY_WRITE = 0o022

# The type and the 51 bytes of an Ed25519 key (RFC 8709), and the comment that ssh-keygen writes after it.
_KEY = re.compile(r"(ssh-ed25519 [A-Za-z0-9+/]{68})( [ -~]{0,100})?")
Armored = Annotated[
    str,
    Field(
        pattern=r"^-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]+-----END SSH SIGNATURE-----\n$",
        max_length=_MOST_BYTES,
    ),
]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Successor(_Model):
    """A further key, signed by one that is trusted already. key: all of its public file."""

    key: str = Field(pattern=rf"^{_KEY.pattern}\n$")
    signature: Armored


class Signature(_Model):
    """The signature of a manifest, and the keys that lead to the one it is by, the oldest first."""

    format: Literal[1] = 1
    signature: Armored
    successors: tuple[Successor, ...] = Field(default=(), max_length=10)


def trusted_keys(folder: Path = KEYS) -> tuple[str, ...]:
    """Return the keys that this program carries, and those in `folder` (its files `*.pub`), which may be one file.

    Raises `InstallError` for a file that anybody but root (or, in a tree of their own, its owner) could have written,
    or that holds anything but such keys.
    """
    carried = files("controller.service").joinpath(_RELEASE_KEYS).read_text("utf-8")
    found = [*_keys_in(carried, _RELEASE_KEYS)]
    paths = sorted(folder.glob("*.pub")) if folder.is_dir() else [folder] if folder.exists() else []
    for path in (folder, *paths):
        if path.exists():
            _require_own(path)
    for path in paths:
        try:
            found += _keys_in(path.read_text("utf-8"), str(path))
        except (OSError, UnicodeError) as error:
            raise InstallError(f"{path} cannot be read, remove or mend it: {error}") from error
    return tuple(dict.fromkeys(found))


def check_signature(signature: Signature, message: bytes, trusted: Iterable[str]) -> None:
    """Raise `BadUpdate` unless a trusted key, or a successor of one, has signed a message.

    Raises `InstallError` if this system has no `ssh-keygen`.
    """
    keys = list(trusted)
    for each in signature.successors:
        if _is_signed(each.key.encode(), each.signature, keys, _SUCCESSOR):
            keys += _keys_in(each.key, "a successor")
    if not _is_signed(message, signature.signature, keys, _UPDATE):
        raise BadUpdate(
            f"it was not signed by the project, nor by a key in {KEYS}: get the file again from where you trust it"
        )


def sign(message: bytes, key: Path, successors: Iterable[Path] = ()) -> Signature:
    """Sign with a private key.

    successors: public keys, beside each of which lies its signature by an older one, as made by `ssh-keygen -Y sign -f
    OLD -n shutbox-key NEW.pub`. Raises `InstallError` if that cannot be done.
    """
    signed = _run("sign", "-q", "-f", str(key), "-n", _UPDATE, message=message)
    if signed.returncode:
        raise InstallError(f"{key} does not sign: {signed.stderr.decode(errors='replace').strip()}")
    return Signature(signature=signed.stdout.decode(), successors=tuple(map(_read_successor, successors)))


def _read_successor(path: Path) -> Successor:
    try:
        return Successor(key=path.read_text("utf-8"), signature=path.with_name(f"{path.name}.sig").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InstallError(f"{path} is no public key that another has signed: {error}") from error


def _keys_in(text: str, file: str) -> Iterator[str]:
    """Yield the keys of a text, one a line, as `ssh-keygen` writes them. Raises `InstallError`."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            found = _KEY.fullmatch(line)
            if not found:
                raise InstallError(f"{file} holds a line that is no ssh-ed25519 key: {line[:40]!r}")
            yield found[1]


def _require_own(path: Path) -> None:
    state = path.stat()
    if state.st_uid not in (0, os.geteuid()) or state.st_mode & _OTHERS_MAY_WRITE:
        raise InstallError(f"{path} says whose updates this box takes, and others than root may write there: mend that")


def _is_signed(message: bytes, signature: str, keys: Iterable[str], purpose: str) -> bool:
    """Return whether one of the keys has signed a message for that purpose."""
    with _in_file("\n".join(f"{_WHO} {key}" for key in keys)) as allowed, _in_file(signature) as signed:
        told = _run(
            *("verify", "-q", "-f", str(allowed), "-I", _WHO, "-n", purpose, "-s", str(signed)), message=message
        )
    return told.returncode == 0


@contextmanager
def _in_file(text: str) -> Iterator[Path]:
    with TemporaryDirectory(prefix="shutbox-") as folder:
        path = Path(folder, "text")
        path.write_text(text)
        yield path


def _run(*words: str, message: bytes) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    if program is None:
        raise InstallError("signatures are checked by ssh-keygen, which is not here: sudo apt install openssh-client")
    return subprocess.run([program, "-Y", *words], input=message, capture_output=True, check=False)  # noqa: S603
