"""What tests of the makers' tools share."""

from pathlib import Path

import pytest

from controller.cli.main import main
from tests.campaigns.__main__ import make_group
from tests.controller.conftest import Shutbox


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shutbox:
    """Run `make campaign` in this process: status, standard output, standard error."""
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["campaign", *words])
        with pytest.raises(SystemExit) as end:
            main(make_group())
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return call
