"""Engines that are clumsy or hostile: each loses its seat with a reason, and nothing of it is left."""

import os
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.errors import EngineError
from controller.opponents.engines.arena import Arena
from controller.opponents.engines.minds import EngineMind, HouseMind, Mind
from controller.opponents.engines.process import EngineProcess
from controller.rules.shutbox.ruleset import rules_of

HELLO = "print('hello 1 Bad', flush=True)"
AWAKE = "time.sleep(99)"
LATE_S = 0.25
# Says hello, and does this once it is asked.
ASKED = HELLO + "\nfor line in sys.stdin:\n    if line.startswith('go'):\n        {}"


@dataclass(frozen=True)
class Bad:
    """What it does, and what is said of that."""

    script: str
    reason: str


AT_HELLO = {
    "ends": Bad("", "it has ended, with status 0"),
    "ends in an error": Bad("sys.exit(3)", "it has ended, with status 3"),
    "is killed": Bad("os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
    "crashes": Bad("os.kill(os.getpid(), 11)", "it was ended by SIGSEGV"),
    "raises": Bad("1 / 0", "it has ended, with status 1; its last words are 'ZeroDivisionError: division by zero'"),
    "complains to the terminal": Bad(
        "os.write(2, b'\\x1b[2J\\xff\\r\\n\\n'); sys.exit(2)", r"status 2; its last words are '\x1b[2J�'"
    ),
    "complains without end": Bad(
        "while True: os.write(2, b'no\\n' * 999)", "it says no `hello` within 0.25 s; its last words are 'no'"
    ),
    "says nothing": Bad(AWAKE, "it says no `hello` within 0.25 s; is its whole command in quotes, and does it flush"),
    "closes its mouth": Bad(f"os.close(1)\n{AWAKE}", "it says nothing more, though it has not ended"),
    "speaks another version": Bad(
        f"print('hello 2 Bad', flush=True)\n{AWAKE}", "it speaks version '2' of the protocol"
    ),
    "speaks no version": Bad(f"print('hello', flush=True)\n{AWAKE}", "it speaks version ''"),
    "has no name": Bad(f"print('hello 1', flush=True)\n{AWAKE}", "it calls itself ''"),
    "has two names": Bad(f"print('hello 1 Bad,Worse', flush=True)\n{AWAKE}", "it calls itself 'Bad,Worse'"),
    "has a long name": Bad(f"print('hello 1 ' + 'x' * 99, flush=True)\n{AWAKE}", "no name of a player"),
    "has a name that rings": Bad(f"print('hello 1 B\\x07d', flush=True)\n{AWAKE}", "no name of a player"),
    "has a formula for a name": Bad(f"print('hello 1 =1+1', flush=True)\n{AWAKE}", "no name of a player"),
    "shouts": Bad(
        f"print('HELLO 1 Bad', flush=True)\n{AWAKE}", "no `hello` within 0.25 s; its last words are 'HELLO 1 Bad'"
    ),
    "says bytes": Bad(f"os.write(1, b'\\xff\\xfe\\n')\n{AWAKE}", "no text in UTF-8"),
    "says a line without end": Bad("while True: os.write(1, b'x' * 4096)", "a line of more than 4096 bytes"),
    "chatters": Bad("while True: os.write(1, b'info\\n' * 800)", "more than 65536 bytes and no `hello`"),
    "gives up": Bad(f"print('error no licence', flush=True)\n{AWAKE}", "it gives up: 'no licence'"),
    "leaves a child that holds the line": Bad(
        f"pid = os.fork()\nif pid: sys.exit()\nopen(sys.argv[2], 'w').write(str(os.getpid()))\n{AWAKE}",
        "it says no `hello` within",
    ),
}
IN_A_GAME = {
    "says nothing": Bad(ASKED.format(AWAKE), "it says no `best` within 0.25 s; does it flush each line?"),
    "chooses nothing": Bad(ASKED.format("print('best', flush=True)"), "it answers `best ` to pub "),
    "lets stand": Bad(ASKED.format("print('best -', flush=True)"), "it answers `best -`"),
    "adds wrongly": Bad(ASKED.format("print('best 123456789', flush=True)"), "it answers `best 123456789` to pub "),
    "names no tile": Bad(ASKED.format("print('best eleven', flush=True)"), "tells no tiles of this game"),
    "names a tile of another game": Bad(ASKED.format("print('best b1', flush=True)"), "tells no tiles of this game"),
    "names a tile twice": Bad(ASKED.format("print('best 22', flush=True)"), "it answers `best 22`"),
    "chooses dice": Bad(ASKED.format("print('best dice 2', flush=True)"), "tells no tiles of this game"),
    "shouts": Bad(ASKED.format("print('BEST 9', flush=True)"), "no `best` within 0.25 s; its last words are 'BEST 9'"),
    "ends": Bad(ASKED.format("sys.exit(0)"), "it has ended, with status 0"),
    "raises": Bad(ASKED.format("raise ValueError"), "status 1; its last words are 'ValueError'"),
    "complains of much, and plays on": Bad(
        "os.write(2, b'x' * 9999)\n" + ASKED.format("[os.write(2, b'x' * 9999) for _ in range(99)]; sys.exit(4)"),
        "it has ended, with status 4",
    ),
    "is killed": Bad(ASKED.format("os.kill(os.getpid(), 9)"), "it was ended by SIGKILL"),
    "gives up": Bad(ASKED.format("print('error too hard', flush=True)"), "it gives up: 'too hard'"),
    "says bytes": Bad(ASKED.format("os.write(1, b'best \\xff\\n')"), "no text in UTF-8"),
    "says a long line": Bad(ASKED.format("print('best ' + '9' * 9999, flush=True)"), "a line of more than 4096 bytes"),
    "chatters": Bad(ASKED.format("print('info thinking\\n' * 9999, flush=True)"), "more than 65536 bytes"),
    "closes its mouth": Bad(ASKED.format(f"os.close(1); {AWAKE}"), "it says nothing more, though it has not ended"),
    "closes its ears": Bad(f"os.read(0, 99)\n{HELLO}\nos.close(0)\n{AWAKE}", "it says no"),
    "hears no signal": Bad(
        f"import signal\nfor each in (1, 2, 15): signal.signal(each, signal.SIG_IGN)\n{ASKED.format(AWAKE)}",
        "it says no `best`",
    ),
    "leaves a child": Bad(
        f"pid = os.fork()\nif not pid:\n    open(sys.argv[2], 'w').write(str(os.getpid()))\n    {AWAKE}\n"
        + ASKED.format("sys.exit(0)"),
        "",
    ),
    "leaves a child in a session of its own": Bad(
        "pid = os.fork()\nif not pid:\n    os.setsid()\n"
        f"    open(sys.argv[2], 'w').write(str(os.getpid()))\n    {AWAKE}\n" + ASKED.format("sys.exit(0)"),
        "",
    ),
    "asks for a long answer": Bad(ASKED.format("print('go\\nposition\\nbest x', flush=True)"), "tells no tiles"),
}


def command_of(bad: Bad, folder: Path) -> str:
    script = folder / "engine.py"
    script.write_text(f"import os, sys, time\nopen(sys.argv[1], 'w').write(str(os.getpid()))\n{bad.script}\n")
    return shlex.join([sys.executable, "-S", "-E", str(script), str(folder / "pid"), str(folder / "child")])


def still_there(folder: Path) -> list[str]:
    """Its processes that run; one that was just killed has a moment to be gone."""
    until_s = time.monotonic() + 2
    while (found := _running(folder)) and time.monotonic() < until_s:
        os.sched_yield()
    return found


def _running(folder: Path) -> list[str]:
    found = []
    for file in (folder / "pid", folder / "child"):
        with suppress(FileNotFoundError, ProcessLookupError, ValueError):
            state = Path(f"/proc/{int(file.read_text())}/stat").read_text().rpartition(")")[2].split()[0]
            # One that has ended and waits to be asked for its status by whoever adopted it does nothing any more.
            if state != "Z":
                found.append(file.name)
    return found


@pytest.mark.parametrize("kind", AT_HELLO)
def test_an_engine_that_cannot_say_hello_has_no_seat_and_a_reason(kind: str, tmp_path: Path) -> None:
    bad = AT_HELLO[kind]
    with pytest.raises(EngineError) as refused:
        EngineMind(
            command_of(bad, tmp_path), hello_s=LATE_S if "within" in bad.reason or "no `hello`" in bad.reason else 5
        )
    assert bad.reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert still_there(tmp_path) == []


@pytest.mark.parametrize("kind", IN_A_GAME)
def test_an_engine_that_fails_in_a_game_costs_its_own_seat_alone(kind: str, tmp_path: Path) -> None:
    bad = IN_A_GAME[kind]
    is_late = "no `best`" in bad.reason or kind.startswith("leaves a child") or kind == "closes its ears"
    late_s = LATE_S if is_late else 5.0
    engine = EngineMind(command_of(bad, tmp_path), move_s=late_s)
    minds: list[Mind] = [HouseMind("casual"), engine, HouseMind("steady")]
    arena = Arena(rules_of("pub", {"first": "chosen"}), minds, seed=1)
    played = list(arena.play(4))
    assert len(played) == 4
    assert arena.standings[1].out
    assert bad.reason in arena.standings[1].out
    assert [each.out for each in arena.standings if each.name != "Bad"] == ["", ""]
    assert [each.games for each in arena.standings] == [4, 1, 4]
    assert sum(each.wins for each in arena.standings) == pytest.approx(4)
    assert played[0].forfeited is not None
    assert arena.standings[1].wins == 0
    assert still_there(tmp_path) == []


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "there is no program to start"),
        ("'", "No closing quotation"),
        ("/nowhere/engine", "it cannot be started: No such file or directory"),
        ("/usr", "it cannot be started: Permission denied"),
        ("engine\x00", "it cannot be started: embedded null byte"),
    ],
)
def test_a_command_that_starts_nothing_is_told(command: str, reason: str) -> None:
    with pytest.raises(EngineError, match=reason):
        EngineMind(command)


def test_an_engine_that_reads_nothing_is_told_so(tmp_path: Path) -> None:
    process = EngineProcess(command_of(Bad(AWAKE, ""), tmp_path))
    with process, pytest.raises(EngineError, match="it does not read what it is told within"):
        process.ask(["position " + "x" * 100_000] * 9, "best", LATE_S)
    assert still_there(tmp_path) == []


def test_a_number_of_dice_that_nobody_asked_for_is_refused(tmp_path: Path) -> None:
    good = Path("docs/samples/engines/highest.py").read_text()
    script = tmp_path / "engine.py"
    script.write_text(good.replace('rest.split("dice=")[1][0]', "3"))
    minds: list[Mind] = [EngineMind(shlex.join([sys.executable, str(script)])), HouseMind("casual")]
    arena = Arena(rules_of("pub", {"first": "chosen"}), minds, seed=1)
    list(arena.play(100))
    assert "it answers `best dice 3`: it is asked for 1 or 2 dice" in arena.standings[0].out


def test_an_engine_gets_nothing_of_where_this_box_keeps_its_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))
    monkeypatch.setenv("SECRET", "x")
    answer = "print('hello 1 ' + '-'.join(sorted(set(os.environ) & {'SHUTBOX_HOME', 'SECRET', 'PATH'})), flush=True)"
    mind = EngineMind(command_of(Bad(f"{answer}\n{AWAKE}", ""), tmp_path))
    mind.close()
    assert mind.name == "PATH"


def test_an_answer_that_was_said_before_the_question_is_none(tmp_path: Path) -> None:
    script = "for line in sys.stdin:\n    print('hello\\nbest early\\nready', flush=True)"
    with EngineProcess(command_of(Bad(script, ""), tmp_path)) as process:
        process.ask(["hello"], "ready", 5)
        process.ask(["hello"], "hello", 5)
        until_s = time.monotonic() + 5
        while process.forget() == 0 and time.monotonic() < until_s:
            os.sched_yield()
        assert process.forget() == 0


def kinds() -> Sequence[str]:
    return [*AT_HELLO, *IN_A_GAME]


def test_there_are_forty_kinds_of_them() -> None:
    assert len(kinds()) >= 40
