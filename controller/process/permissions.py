"""The reason why a file, socket or device is closed to this user and what lets them in; root as somebody else."""

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


# As in controller/install/boot_check.py, which imports nothing of any version; a test compares them.
@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """In the block, root is the owner of `folder`, and can do no more; anybody else stays who they are.

    Where others may write, they may put links to what is root's alone. For the whole process: no other thread may need
    to be root meanwhile.
    """
    status = os.stat(folder)
    if os.geteuid() != 0 or status.st_uid == 0:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    try:
        os.setgroups([])
        os.setegid(status.st_gid)
        os.seteuid(status.st_uid)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def why_closed(path: Path) -> str:
    """A line for who was turned away from `path`: whose it is, and the command that lets this user in.

    To be asked after a `PermissionError`: whether `path` is closed at all is not looked at.
    """
    user, status = _user_name(os.geteuid()), _closed_place(path).stat()
    owner, (group, members) = _user_name(status.st_uid), _group(status.st_gid)
    as_owner = f"put `sudo -u {owner}` before the command"
    if not status.st_mode & stat.S_IRWXG or status.st_gid == 0:
        return f"{path} is closed to {user}: it is for {owner} alone; {as_owner}"
    if user in members:
        # A session keeps the groups that it began with.
        return f"{path} is closed to {user}, whose session began before the group {group} let them in; log in again"
    instead = f", or {as_owner}" if status.st_uid else ""
    return f"{path} is closed to {user}: say `sudo adduser {user} {group}` and log in again{instead}"


def _closed_place(path: Path) -> Path:
    """The place whose owner and group count: `path`, or the innermost folder above it that can be looked at."""
    return next(filter(_is_seen, (path, *path.parents)), Path("/"))


def _is_seen(place: Path) -> bool:
    try:
        place.stat()
    except OSError:
        return False
    return True


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> tuple[str, list[str]]:
    """The name of a group, and those who were put into it, whether they have logged in since or not."""
    try:
        found = grp.getgrgid(number)
    except KeyError:
        return str(number), []
    return found.gr_name, found.gr_mem
