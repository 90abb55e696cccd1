"""Other users of the machine, as whom a test may touch files; only root can become one of them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

# Numbers that nobody has: neither a user nor a group of this machine stands behind them.
SERVICE, MEMBER, STRANGER = 64201, 64202, 64203
GROUP = 64211

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@contextmanager
def acting_as(user: int, *groups: int) -> Iterator[None]:
    """The whole process as `user`, whose own group has the same number, with further `groups`."""
    before, umask = (os.geteuid(), os.getegid(), tuple(os.getgroups())), os.umask(0o022)
    _become(user, user, groups)
    try:
        yield
    finally:
        _become(*before)
        os.umask(umask)


def _become(user: int, group: int, groups: tuple[int, ...]) -> None:
    # Root, who stays the real user, may become anybody; anybody else may only become root again.
    os.seteuid(0)
    os.setgroups(groups)
    os.setegid(group)
    os.seteuid(user)


@contextmanager
def folder_of_group(mode: int) -> Iterator[Path]:
    """A folder of the service and its group; pytest's own folders are closed to all but the user who runs it."""
    with TemporaryDirectory() as outer:
        os.chmod(outer, 0o755)  # noqa: S103  other users pass through
        folder = Path(outer) / "shutbox"
        folder.mkdir()
        os.chown(folder, SERVICE, GROUP)
        folder.chmod(mode)
        yield folder
