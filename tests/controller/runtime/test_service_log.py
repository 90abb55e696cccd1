"""The log of the services is asked for, where there is one."""

from pathlib import Path

import pytest

from controller.runtime.systemd import read_service_log

JOURNALCTL = """#!/bin/sh
echo "$@"
echo second
"""


def test_the_last_lines_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "journalctl").write_text(JOURNALCTL)
    (tmp_path / "journalctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    first, second = read_service_log(7)

    assert first.endswith("--unit=shutbox* --lines=7")
    assert second == "second"


@pytest.mark.parametrize("script", ["", "#!/bin/sh\nexit 1\n"])
def test_where_there_is_no_log_there_are_no_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    if script:
        (tmp_path / "journalctl").write_text(script)
        (tmp_path / "journalctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert read_service_log(7) == ()
