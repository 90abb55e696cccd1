"""The end of a process and its answers to programs: exit status, JSON on standard output, an error in one line."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from enum import IntEnum
from typing import Any

from hardware.errors import Fault


class Exit(IntEnum):
    """Exit statuses: done, the answer is no, the call was wrong."""

    DONE = 0
    NO = 1
    WRONG_CALL = 2


def print_json(value: Mapping[str, Any]) -> None:
    """Write one JSON object on one line, and flush, so that the reader of a pipe gets it immediately."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def print_document(value: Mapping[str, Any]) -> None:
    """Write one JSON object over several lines, for people."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def fault_json(fault: Fault) -> dict[str, str]:
    return asdict(fault)
