"""The last lines that the services of the box have logged, where systemd keeps them."""

import subprocess

_ASKS = ("journalctl", "--quiet", "--no-pager", "--no-hostname", "--output=short-iso", "--unit=shutbox*")
_PATIENCE_S = 10.0  # a journal on a slow card


def read_service_log(lines: int) -> tuple[str, ...]:
    """So many of the last lines, the oldest first; none where there is no such log, or it is not for this user."""
    asks = (*_ASKS, f"--lines={lines}")
    try:
        said = subprocess.run(asks, capture_output=True, timeout=_PATIENCE_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(said.stdout.decode("utf-8", "replace").splitlines())
