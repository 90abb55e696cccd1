"""The last log lines of the box's services, from systemd's journal."""

_COMMAND = ("journalctl", "--quiet", "--no-pager", "--no-hostname", "--output=short-iso", "--unit=shutbox*")
_JOURNAL_PATIENCE_S = 10.0  # a journal on a slow card


def read_service_log(lines: int) -> tuple[str, ...]:
    """Return the last `lines` lines, oldest first; none if there is no such log, or this user may not read it."""
    # Imported here: the guard, which must stay small, loads the code for systemd too.
    import subprocess

    command = (*_COMMAND, f"--lines={lines}")
    try:
        answer = subprocess.run(command, capture_output=True, timeout=_JOURNAL_PATIENCE_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(answer.stdout.decode("utf-8", "replace").splitlines())
