"""Locks between processes, and permissions: one daemon per home, one owner of the bus, of tiles, of demonstrations.

They are `flock` locks, because the kernel releases them when their process dies, however it dies: a file with a process
number in it would remain after `kill -9`.
"""

import fcntl
import grp
import os
import pwd
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.errors import DaemonRuns, EveningError, InstallError, NoBox, SettingsError, ShutboxError


# As in controller/service/boot_check.py, which imports nothing of any version; a test compares them, so change both.
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


def become_owner(folder: Path) -> None:
    """From now on root is the owner of `folder`, in all of the owner's groups; anybody else stays who they are.

    What root writes in a box's home is then the owner's, as if the owner had written it: the service could not go on
    with files of root's. Raises `OSError`, and `SettingsError` if the owner may not read this program.
    """
    status = os.stat(folder)
    if os.geteuid() != 0 or status.st_uid == 0:
        return
    try:
        groups = os.getgrouplist(pwd.getpwuid(status.st_uid).pw_name, status.st_gid)
    except KeyError:
        groups = []
    os.setgroups(groups)
    os.setegid(status.st_gid)
    os.seteuid(status.st_uid)
    # Parts of the program are loaded when they are needed.
    if not os.access(__file__, os.R_OK, effective_ids=True):
        user = _user_name(status.st_uid)
        raise SettingsError(f"{folder} is {user}'s, and {__file__} is closed to {user}; use the installed `shutbox`")


@contextmanager
def as_caller() -> Iterator[None]:
    """In the block, root who has become the owner of a home is root again: to write a file that the call names."""
    user = os.geteuid()
    os.seteuid(os.getuid())
    try:
        yield
    finally:
        os.seteuid(user)


@dataclass(frozen=True, slots=True)
class Closed:
    """A file or folder, its owner, the user who may not write it, and the command that mends it."""

    path: Path
    owner: str
    user: str
    cure: str


def find_closed(folder: Path, files: Iterable[Path]) -> Closed | None:
    """Return the first of `folder` and its `files` that this user may not write; None if there is none.

    Nothing of a disk that can only be read counts: its permissions are not what closes it.
    """
    try:
        if os.statvfs(folder).f_flag & os.ST_RDONLY:
            return None
        closed = next((each for each in (folder, *files) if each.exists() and not _is_open(each)), None)
    except OSError:
        return None
    if closed is None:
        return None
    user, owner = _user_name(os.geteuid()), _user_name(closed.stat().st_uid)
    mend = f"chmod -R u+rwX {folder}" if owner == user else f"chown -R {user} {folder}"
    return Closed(closed, owner, user, f"say `sudo {mend}`")


def _is_open(place: Path) -> bool:
    return os.access(place, os.R_OK | os.W_OK | (os.X_OK if place.is_dir() else 0), effective_ids=True)


def why_closed(path: Path) -> str:
    """Return one line for a user without access to `path`: its owner, and the command that gives access.

    Call it after a `PermissionError`: it does not check whether `path` is closed at all.
    """
    # The place whose owner and group count: `path`, or the innermost folder above it that can be seen.
    place = next(filter(_is_seen, (path, *path.parents)), Path("/"))
    if place.parent.stat().st_uid == os.geteuid() and (closed := find_closed(place.parent, (place,))):
        return f"{path} is {closed.owner}'s and closed to {closed.user}; {closed.cure}"
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


@contextmanager
def lock(place: Path) -> Iterator[None]:
    """Lock `place`, a file (created if it is missing) or a device, during the block.

    Raises `DaemonRuns` if another process has it, `SettingsError` if this user has no access, `OSError` if it cannot be
    opened for another reason.
    """
    with _lock(place, DaemonRuns(f"a daemon has this box already. {DaemonRuns.cure}")):
        yield


@contextmanager
def lock_update(folder: Path) -> Iterator[None]:
    """Lock the program's folder for one update. Raises `InstallError` if another process has it."""
    with _lock(folder / "update.lock", InstallError("another update runs here; wait until it has ended")):
        yield


@contextmanager
def lock_tiles(store: Path | None) -> Iterator[None]:
    """Lock the simulated tiles that are kept in `store` (None: nowhere). Raises `NoBox` if another process has them."""
    if store is None:
        yield
        return
    taken = NoBox(f"another process has the tiles in {store}: if it is a mock-box, say --mock-box; else stop it")
    with _lock(store.with_suffix(".lock"), taken):
        yield


@contextmanager
def lock_socket(place: Path, who: str) -> Iterator[None]:
    """Lock the socket at `place` for the one process, `who`, that listens there. Raises `DaemonRuns` if taken."""
    with _lock(place.with_suffix(".lock"), DaemonRuns(f"{who} listens at {place} already; stop it first")):
        yield


@contextmanager
def lock_evening(place: Path) -> Iterator[None]:
    """Lock the evening in the file `place` for the one process that calls its matches. Raises `EveningError`."""
    taken = EveningError(f"another process calls the matches of {place}; stop it first")
    with _lock(place.with_suffix(".called.lock"), taken):
        yield


@contextmanager
def lock_demonstration(journal: Path) -> Iterator[None]:
    """Lock the journal of demonstrations, which each of them starts anew. Raises `DaemonRuns` if another has it."""
    taken = DaemonRuns(
        f"another demonstration writes to {journal}: wait until it has ended, "
        "or say SHUTBOX_HOME=folder before this one"
    )
    with _lock(journal.with_suffix(".lock"), taken):
        yield


@contextmanager
def wait_for_lock(place: Path) -> Iterator[None]:
    """Lock `place` during the block, which begins once no other process has it. For blocks that are soon over."""
    with _lock(place, None):
        yield


@contextmanager
def _lock(place: Path, taken: ShutboxError | None) -> Iterator[None]:
    """Lock during the block. Raises `taken` if another process has the lock; waits for it where that is None."""
    try:
        # Read-only, so that a file created by another user of the group can be locked too.
        handle = os.open(place, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o640)
    except PermissionError as error:
        raise SettingsError(why_closed(place)) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if taken is None else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise taken or error from None
        yield
    finally:
        os.close(handle)
