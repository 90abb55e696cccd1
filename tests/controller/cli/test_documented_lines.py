"""Every command line of the documentation is one that its program takes, and is run where a test can run it."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import controller.cli.main as cli
from controller.runtime.output import Exit
from controller.web.roles import least_role
from tests.campaigns.__main__ import make_group
from tests.controller.conftest import Shutbox
from tests.support.together import together
from tests.test_house import ROOT
from tests.test_readme import PAGES

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = MAKEFILE.partition(".PHONY: ")[2].partition("\n")[0].split()
FENCE = re.compile(r"^ *```(\w*|\{\w+\}.*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:sudo )?(?:\.venv/bin/)?shutbox [a-z][^`]*|make [a-z][^`]*)`")

SYSTEMS = (
    "apt",
    "cd",
    "git",
    "journalctl",
    "mkdir",
    "pip",
    "python",
    "python3",
    "raspi-config",
    "sed",
    "sha256sum",
    "ssh",
    "ssh-keygen",
    "tar",
)
# Why a line is not run here, by how it begins; each is parsed, or what it names is looked up.
NOT_RUN = {
    "make": "sets up, builds or tests",
    "pytest": "runs tests",
    "curl": "needs a daemon",
    "systemctl": "needs systemd, and root",
    "export": "sets the home, as every test does",
    **dict.fromkeys(SYSTEMS, "the system's own"),
    "shutbox install": "needs root: tests/controller/service",
    "shutbox update": "needs root: tests/controller/service",
    "shutbox play": "people play",
    "shutbox together": "needs a broker and another box: tests/campaigns/two_boxes",
    "shutbox evening": "needs the extra `evening`: tests/controller/cli/test_evening.py",
    "shutbox run": "runs until it is stopped",
    "shutbox guard": "runs until it is stopped",
    "shutbox mock-box": "runs until it is stopped",
    "shutbox calibrate dice": "asks for every face of every die",
    "shutbox parts": "needs the extra `cad`, and a minute: make test-cad",
}
# Take seconds, or show what one of these has measured.
LONG = ("shutbox demo", "shutbox calibrate", "shutbox selftest")
# Move or look at a real box, unless they say one of these.
NEED_BOX = ("shutbox bringup", "shutbox calibrate", "shutbox selftest")
WITHOUT_BOX = {"--mock", "--sheets", "--show"}
ANSWERS_NO = "shutbox selftest --mock --faults jam:front-7"


# A sentence may name an option or a command without what it needs; a line may not.
UNFINISHED = re.compile("^shutbox: (Option '[^']*' requires an argument|Missing argument|say one of)")


def tidy(line: str) -> list[str]:
    """The words of a line, without its comment, `sudo` and the folder of the program."""
    words = shlex.split(line, comments=True)
    words = words[1:] if words[:1] == ["sudo"] else words
    return [words[0].removeprefix(".venv/bin/"), *words[1:]] if words else []


def begins(words: list[str], *beginnings: str) -> bool:
    return any(words[: len(each.split())] == each.split() for each in beginnings)


def lines_of(page: Path) -> list[list[str]]:
    """The command lines of a page: all that stands in its blocks of a shell."""
    blocks = [block for language, block in FENCE.findall(page.read_text("utf-8")) if language == "sh"]
    return [words for block in blocks for line in block.splitlines() if (words := tidy(line))]


def runs(words: list[str]) -> bool:
    return not begins(words, *NOT_RUN) and not (begins(words, *NEED_BOX) and WITHOUT_BOX.isdisjoint(words))


LINES = {page.relative_to(ROOT).as_posix(): lines_of(page) for page in PAGES}
RUN = {name: [words for words in lines if runs(words)] for name, lines in LINES.items()}
QUICK = {name: [words for words in lines if not begins(words, *LONG)] for name, lines in RUN.items()}
WITH_LONG = [name for name, lines in RUN.items() if lines != QUICK[name]]


class Lines:
    """Checks a line without carrying it out: what it names exists, and its program takes its options."""

    def __init__(self, shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch) -> None:
        self._shutbox, self._monkeypatch = shutbox, monkeypatch
        # Typer parses a line up to here.
        monkeypatch.setattr("typer.core.TyperCommand.invoke", lambda *_: None, raising=False)

    def complaint(self, words: list[str]) -> str:
        """What is wrong with a line; empty if nothing is."""
        program, *given = words
        if program == "shutbox":
            return self._said(*given)
        if program == "make":
            return self._of_make(*given)
        if program == "curl":
            return self._of_curl(given)
        if program == "pytest":
            return " ".join(place for place in given if "/" in place and not (ROOT / place).exists())
        if program == "systemctl":
            return "" if (ROOT / "systemd" / f"{given[-1]}.service").exists() else f"no unit {given[-1]}"
        return "" if program in ("export", *SYSTEMS) else f"no test knows {program}"

    def _said(self, *given: str) -> str:
        status, _, said = self._shutbox(*given)
        return said if status == Exit.WRONG_CALL else ""

    def _of_make(self, target: str, *given: str) -> str:
        variables = dict(each.split("=", 1) for each in given)
        if target not in TARGETS or not all(f"$({name})" in MAKEFILE for name in variables):
            return f"no target and variables {target} {given}"
        if "NAME" not in variables:
            return ""
        with self._monkeypatch.context() as campaigns:
            campaigns.setattr(cli.main, "__defaults__", (make_group(),))
            return self._said(variables["NAME"], *shlex.split(variables.get("ARGS", "")))

    def _of_curl(self, given: list[str]) -> str:
        [address] = [urlsplit(word) for word in given if word.startswith("http://")]
        bodies = [given[place + 1] for place, word in enumerate(given) if word == "-d"]
        least_role("POST" if bodies else "GET", address.path)
        return "" if all(json.loads(body) for body in bodies) else f"nothing is sent: {bodies}"


@pytest.fixture
def lines(shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch) -> Lines:
    return Lines(shutbox, monkeypatch)


@together("name", LINES)
def test_every_line_is_one_that_its_program_takes(name: str, lines: Lines) -> None:
    assert not list(filter(None, map(lines.complaint, LINES[name])))


@together("page", PAGES)
def test_every_line_in_a_sentence_is_too(page: Path, lines: Lines) -> None:
    named = (re.sub(r"[][]", "", line) for line in INLINE.findall(FENCE.sub("", page.read_text("utf-8"))))
    complaints = [lines.complaint(tidy(line)) for line in named if "..." not in line]
    assert not [each for each in complaints if each and not UNFINISHED.match(each)]


@together("page", PAGES)
def test_a_line_stands_nowhere_but_in_a_block_of_a_shell(page: Path) -> None:
    programs = {words[0] for lines in LINES.values() for words in lines}
    for language, block in FENCE.findall(page.read_text("utf-8")):
        first = {words[0].removeprefix(".venv/bin/") for line in block.splitlines() if (words := line.split())}
        assert language == "sh" or not first & (programs | {"sudo"}), block


@together("beginning", NOT_RUN)
def test_no_reason_is_left_over(beginning: str) -> None:
    assert any(begins(words, beginning) for lines in LINES.values() for words in lines)


@pytest.fixture
def carry_out(shutbox: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[str]], None]:
    """Run a line in a folder that has the samples, and leave there what it writes."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)

    def run(words: list[str]) -> None:
        status, _, said = shutbox(*words[1:])
        assert status == (shlex.join(words) == ANSWERS_NO), said

    return run


@pytest.mark.parametrize("name", [name for name, lines in QUICK.items() if lines])
def test_quick_lines_run(name: str, carry_out: Callable[[list[str]], None]) -> None:
    for words in QUICK[name]:
        carry_out(words)


@pytest.mark.long
@pytest.mark.parametrize("name", WITH_LONG)
def test_all_lines_of_a_page_run_one_after_the_other(name: str, carry_out: Callable[[list[str]], None]) -> None:
    for words in RUN[name]:
        carry_out(words)
