"""Permissions: why a file, socket or device is closed to this user, and how to get access; root acting as an owner."""

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


# As in controller/install/boot_check.py, which imports nothing of any version; a test compares them, so change both.
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
    """Return one line for a user without access to `path`: its owner, and the command that gives access.

    Call it after a `PermissionError`: it does not check whether `path` is closed at all.
    """
    # The place whose owner and group count: `path`, or the innermost folder above it that can be seen.
    place = next(filter(_is_seen, (path, *path.parents)), Path("/"))
    user, status = _user_name(os.geteuid()), place.stat()
    owner = _user_name(status.st_uid)
    try:
        found = grp.getgrgid(status.st_gid)
    except KeyError:
        group, members = str(status.st_gid), list[str]()
    else:
        group, members = found.gr_name, found.gr_mem
    as_owner = f"put `sudo -u {owner}` before the command"
    if not status.st_mode & stat.S_IRWXG or status.st_gid == 0:
        return f"{path} is closed to {user}: it is for {owner} alone; {as_owner}"
    if user in members:
        # A session keeps the groups with which it began.
        return f"{path} is closed to {user}, whose session began before the group {group} let them in; log in again"
    instead = f", or {as_owner}" if status.st_uid else ""
    return f"{path} is closed to {user}: say `sudo adduser {user} {group}` and log in again{instead}"


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
