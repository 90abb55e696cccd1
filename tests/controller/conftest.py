"""What tests of the command line share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller import cli

Shutbox = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shutbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shutbox:
    """Run `shutbox` in this process, its home a folder of the test: status, standard output, standard error."""
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["shutbox", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return call
