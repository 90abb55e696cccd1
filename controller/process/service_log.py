"""The last log lines of the box's services, from systemd's journal."""

import subprocess

_ASKS = ("journalctl", "--quiet", "--no-pager", "--no-hostname", "--output=short-iso", "--unit=shutbox*")
_PATIENCE_S = 10.0  # a journal on a slow card


def read_service_log(lines: int) -> tuple[str, ...]:
    """Return the last `lines` lines, oldest first; none if there is no such log, or this user may not read it."""
    asks = (*_ASKS, f"--lines={lines}")
    try:
        answer = subprocess.run(asks, capture_output=True, timeout=_PATIENCE_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(answer.stdout.decode("utf-8", "replace").splitlines())
