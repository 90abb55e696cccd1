"""A program in the place of espeak-ng, which writes down what it is told to say."""

from pathlib import Path

import pytest

_PROGRAM = r"""#!/bin/sh
here=$(dirname "$0")
{ cat; echo; } >>"$here/said"
echo "$*" >>"$here/asked"
cat "$here/trouble" >&2
exec sleep "$(cat "$here/patience")"
"""


class FakeEspeak:
    """The first espeak-ng on the PATH, in a folder of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        for name in ("said", "asked", "trouble"):
            (folder / name).touch()
        self.take(0)
        program = folder / "espeak-ng"
        program.write_text(_PROGRAM)
        program.chmod(0o755)
        patch.setenv("PATH", str(folder), prepend=":")

    @property
    def said(self) -> list[str]:
        """What it was told to say, sentence by sentence."""
        return (self._folder / "said").read_text("utf-8").splitlines()

    @property
    def asked(self) -> list[str]:
        """The words with which it was called, call by call."""
        return (self._folder / "asked").read_text("utf-8").splitlines()

    def complain(self, line: str) -> None:
        """Have it fail as the real one does: in words alone; without any it is well again."""
        (self._folder / "trouble").write_text(line)

    def take(self, seconds: float) -> None:
        """Have each sentence take so long."""
        (self._folder / "patience").write_text(str(seconds))
