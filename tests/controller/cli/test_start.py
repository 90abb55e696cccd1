"""What starting a subcommand costs: it loads what it uses, and a help page loads no subcommand at all."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Coroutine, Mapping
from pathlib import Path

import pytest

import controller.cli.main as cli
from controller.cli import calibrate as cli_calibrate
from controller.cli.evening import group as cli_evening
from controller.cli.lazy import Subcommand, load_command
from controller.errors import NoBox
from controller.runtime.output import Exit
from tests.support.long import long_but_every
from tests.support.together import together
from tests.test_house import AREAS, files_in, source_of

GROUPS: Mapping[str, Mapping[str, Subcommand]] = {
    "": cli.SUBCOMMANDS,
    "calibrate ": cli_calibrate.SUBCOMMANDS,
    "evening ": cli_evening.SUBCOMMANDS,
}
SUBCOMMANDS = {group + name: each for group, subcommands in GROUPS.items() for name, each in subcommands.items()}
# To the letter of its end: what is loaded is written behind everything else.
PROGRAM = """
import atexit, json, sys
atexit.register(lambda: sys.stderr.write("\\n" + json.dumps(sorted(sys.modules))))
from controller.cli.main import main
main()
"""
# What takes long, or goes on until somebody stops it, by its subcommand: this is not carried out.
LONG = {
    "backup": "controller.cli.backup.make_backup",
    "demo": "controller.cli.demo.run_jumping",
    "guard": "os.execv",
    "install": "controller.cli.install.put_on",
    "mock-box": "controller.cli.box.serve_mock_box",
    "pair": "controller.cli.access.asyncio.run",
    "park": "asyncio.run",
    "play": "asyncio.run",
    "restore": "controller.cli.backup.restore_from",
    "run": "asyncio.run",
    "speak": "asyncio.run",
    "update": "controller.cli.install.try_version",
}
# In a sentence: the subcommand, and what may follow it.
NAMED = re.compile(r"`shutbox ([a-z][a-z-]*)([^`]*)`")
HEAVY = {"numpy", "cv2", "fastapi", "uvicorn", "httpx"}


def loaded_by(home: Path, *words: str) -> set[str]:
    """Every module that a process has loaded when it ends."""
    command = [sys.executable, "-P", "-c", PROGRAM, *words]
    env = os.environ | {"SHUTBOX_HOME": str(home)}
    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return set(json.loads(ended.stderr.splitlines()[-1]))


def modules_of(subcommands: Mapping[str, Subcommand]) -> set[str]:
    return {f"controller.cli.{each.place.partition(':')[0]}" for each in subcommands.values()}


@together("name", SUBCOMMANDS)
def test_a_subcommand_is_listed_with_the_first_line_of_its_help(name: str) -> None:
    subcommand = SUBCOMMANDS[name]

    whole = load_command(name, subcommand).help or ""
    assert whole.splitlines()[0] == subcommand.help


def test_the_first_help_has_four_groups_of_commands_of_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    sections = call(monkeypatch, capsys, "--help").split("\n\n")[-4:]
    lines = [line for section in sections for line in section.splitlines()[1:]]

    assert [section.splitlines()[0].strip() for section in sections] == ["Play:", "Ask:", "Look after:", "Repair:"]
    assert {line.split()[0] for line in lines} == {name for names in cli.SECTIONS.values() for name in names}
    assert len(lines) <= 27
    assert not {"guard", "speak", "park", "faults", "mock-box", "api"} & {line.split()[0] for line in lines}


def test_a_help_page_loads_no_subcommand(tmp_path: Path) -> None:
    loaded = loaded_by(tmp_path, "--help")

    assert not loaded & (HEAVY | {"rich", "pydantic", "asyncio"})
    assert not loaded & modules_of(SUBCOMMANDS)


@pytest.mark.parametrize("group", ["calibrate", "evening"])
def test_the_help_of_a_group_loads_none_of_its_subcommands(tmp_path: Path, group: str) -> None:
    loaded = loaded_by(tmp_path, group, "--help")

    assert not loaded & HEAVY
    assert not loaded & modules_of(GROUPS[f"{group} "]) - {f"controller.cli.{group}"}


@pytest.mark.parametrize("call", long_but_every(5, ["moves --throw 5,3", "games", "faults", "wiring", "scores"]))
def test_what_needs_neither_arrays_nor_pictures_nor_a_server_loads_none(tmp_path: Path, call: str) -> None:
    assert not loaded_by(tmp_path, *call.split()) & HEAVY


@together("area", AREAS)
def test_a_command_that_a_sentence_names_exists(area: Path) -> None:
    named = {(path, words[0]) for path in files_in(area) for words in re.findall(NAMED, source_of(path))}

    assert not [(path, name) for path, name in named if name not in cli.SUBCOMMANDS]


@pytest.mark.parametrize("name", long_but_every(3, SUBCOMMANDS))
def test_a_help_page_is_in_words_with_an_example_that_works(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for key, value in (("SHUTBOX_HOME", str(tmp_path)), ("COLUMNS", "80")):
        monkeypatch.setenv(key, value)
    page = call(monkeypatch, capsys, *name.split(), "--help")
    assert max(map(len, page.splitlines())) <= 80
    assert not any(sign in page for sign in ("...", "<", ">", "range"))
    assert "\n  -h, --help" in page
    if f"{name} " in GROUPS:
        return
    example = SUBCOMMANDS[name].example
    assert " ".join(page.split()).endswith(f"For example: shutbox {example}")
    if name in LONG:
        monkeypatch.setattr(LONG[name], let_be)
    call(monkeypatch, capsys, *example.split())


def let_be(*given: object, **_: object) -> Exit:
    for each in given:
        if isinstance(each, Coroutine):
            each.close()
    return Exit.DONE


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Call the command line in this process; what it prints. It must leave with 0."""
    monkeypatch.setattr("sys.argv", ["shutbox", *words])
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert not end.value.code, err
    return out


def test_of_several_tasks_that_ended_a_call_the_first_says_why_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise ExceptionGroup("tasks", [ExceptionGroup("more", [NoBox("the box is gone")]), ValueError("too late")])

    monkeypatch.setattr("sys.argv", ["shutbox", "games"])
    monkeypatch.setattr(cli.group, "main", fail)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert (end.value.code, capsys.readouterr().err) == (2, "shutbox: the box is gone\n")


@pytest.mark.parametrize(
    ("line", "found"),
    [("shutbox od", "odds"), ("shutbox odds --ai", "--aim")],
)
def test_a_shell_is_told_how_a_line_goes_on(
    line: str, found: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_SHUTBOX_COMPLETE": "complete_bash"}
    for key, value in asked.items():
        monkeypatch.setenv(key, value)
    assert call(monkeypatch, capsys).split() == [found]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_taught_to_ask(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "_SHUTBOX_COMPLETE" in call(monkeypatch, capsys, "--completion", shell)
