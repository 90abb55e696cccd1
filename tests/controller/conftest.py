"""What tests of the command line share."""

import gc
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import controller.cli.main as cli

Shutbox = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shutbox_home(tmp_path: Path) -> Path:
    """The home of `shutbox`: a folder of the test, or what a file of tests says instead."""
    return tmp_path


@pytest.fixture
def shutbox(shutbox_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shutbox:
    """Run `shutbox` in this process, with what is typed: status, standard output, standard error."""
    monkeypatch.setenv("SHUTBOX_HOME", str(shutbox_home))

    def call(*words: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["shutbox", *words])
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as end:
            cli.main()
        gc.unfreeze()  # the program freezes what is loaded; the tests go on
        out, err = capsys.readouterr()
        return int(end.value.code or 0), out, err

    return call


def answers(out: str) -> list[dict[str, Any]]:
    """What was answered as JSON Lines."""
    return [json.loads(line) for line in out.splitlines()]
