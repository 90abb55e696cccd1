"""Ending a process in order, without what only a daemon needs."""

import subprocess
import sys

import pytest

from tests.support.long import long_but_every


@pytest.mark.parametrize(
    "module",
    long_but_every(2, ["controller.runtime.signals", "controller.jobs.camera", "controller.jobs.servos"]),
)
def test_a_guided_session_loads_no_web_server_and_no_referee(module: str) -> None:
    heavy = "{'fastapi', 'uvicorn', 'controller.referee.referee', 'controller.cli.daemon'}"
    question = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
