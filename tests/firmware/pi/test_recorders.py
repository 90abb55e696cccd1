"""The recorders take what the packages take: compared with what was written down of these, and with lgpio itself."""

import inspect
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.recorders.calls import PACKAGES, RecordingModule
from tests.support.recorders.lgpio import LgpioError, LgpioRecorder
from tests.support.recorders.lines import HeaderLines
from tests.support.recorders.rpigpio import RpigpioRecorder

RECORDERS = [LgpioRecorder, RpigpioRecorder]
# In a process and a folder of its own: lgpio starts a thread and makes a file as soon as it is imported.
ASK_LGPIO = """
import inspect, json, sys
import lgpio
names, constants, numbers = json.loads(sys.argv[1])
print(json.dumps([
    {name: str(inspect.signature(getattr(lgpio, name))) for name in names},
    {name: getattr(lgpio, name) for name in constants},
    {number: lgpio.error_text(int(number)) for number in numbers},
    str(lgpio.error("GPIO busy")),
]))
"""


def plain(function: object) -> str:
    """A signature without its types, which the packages do not have."""
    assert callable(function)
    signature = inspect.signature(function)
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


@pytest.mark.parametrize("recorder", RECORDERS)
def test_a_recorder_takes_what_its_package_takes(recorder: type[LgpioRecorder | RpigpioRecorder]) -> None:
    module: RecordingModule = recorder(HeaderLines())
    told = PACKAGES[module.__name__]
    assert {name: plain(getattr(module, name)) for name in told["functions"]} == told["functions"]
    assert {name: getattr(module, name) for name in told["constants"]} == told["constants"]


def test_a_call_that_the_package_would_refuse_is_refused() -> None:
    with pytest.raises(TypeError):
        LgpioRecorder(HeaderLines()).gpio_claim_output(1)
    with pytest.raises(TypeError):
        RpigpioRecorder(HeaderLines()).output(channel=4, value=1)


@pytest.mark.skipif(find_spec("lgpio") is None, reason="there is no wheel of lgpio for every Python")
def test_what_was_written_down_of_lgpio_is_what_it_says(tmp_path: Path) -> None:
    told = PACKAGES["lgpio"]
    question = json.dumps([list(told["functions"]), list(told["constants"]), list(told["texts"])])
    answer = subprocess.run(
        [sys.executable, "-c", ASK_LGPIO, question], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    functions, constants, texts, text = json.loads(answer.stdout)
    assert functions == told["functions"]
    assert constants == told["constants"]
    assert texts == told["texts"]
    assert text == str(LgpioError("GPIO busy"))
