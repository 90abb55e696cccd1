"""The voice of the box: each call once and in time, whatever becomes of daemon, sound card and hour."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import controller.cli.speak as cli
from controller.cli.speak import speak_until_stopped
from controller.cli.voice import Say
from controller.errors import NoVoice
from controller.game.core.commands import GoOn, Park, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import RollDice
from controller.game.table.snapshot import Snapshot
from controller.runtime.espeak import Espeak
from controller.runtime.home import Home
from controller.runtime.threads import run_in_background
from controller.settings import Settings, Voice
from controller.web.client import Client
from tests.controller.conftest import Shutbox
from tests.support.fake_espeak import FakeEspeak
from tests.support.first_moves import play_first_moves
from tests.support.hands import Hands
from tests.support.real_time import in_no_time
from tests.support.served_box import ServedBox, open_served_box

PATIENCE_S = 600.0
ENOUGH_S = 30.0  # for whatever is to be said yet
GAME = StartGame((Player("Ann"), Player("Ben")), "pub", {"first": "chosen"})


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


@pytest.fixture
def fake(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> FakeEspeak:
    return FakeEspeak(tmp_path_factory.mktemp("bin"), monkeypatch)


class Mouth:
    """Says a sentence in some seconds of the loop's clock, and knows what it has begun and finished."""

    def __init__(self, takes_s: float = 1.0) -> None:
        self.takes_s = takes_s
        self.begun: list[str] = []
        self.said: list[str] = []

    async def say(self, text: str) -> None:
        self.begun.append(text)
        await asyncio.sleep(self.takes_s)
        self.said.append(text)


@asynccontextmanager
async def speaking(home: Home, say: Say, settings: Settings | None = None) -> AsyncIterator[None]:
    """The voice of this home, which has heard a daemon that runs once the block begins."""
    async with run_in_background(speak_until_stopped(home, settings or Settings(), say)):
        await asyncio.sleep(2)
        yield
        await asyncio.sleep(ENOUGH_S)


async def play_until(home: Home, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """Play the game that is on, always the first move, until a snapshot is as wanted."""
    async with asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        return await play_first_moves(client, holds)


def first_three_and_five() -> Hands:
    """Hands that throw 3 and 5 first."""
    hands = Hands()
    hands.plan((3, 5))
    return hands


async def send(home: Home, *commands: StartGame | RollDice | Park | GoOn) -> None:
    async with Client(home.socket) as client:
        for command in commands:
            await client.send(command)
            await asyncio.sleep(10)


async def thrown(box: ServedBox) -> list[str]:
    """The throws of the game that is on, as a caller says them."""
    answer = await box.terminal.ask("GET", f"/api/history/{box.snapshot.game_id}")
    rows = [row for row in answer.json()["rows"] if row["table"] == "throws"]
    return [f"{row['player']}: {' and '.join(map(str, row['dice']))}." for row in rows]


async def test_of_a_whole_game_each_throw_is_said_once_and_in_order(home: Home, fake: FakeEspeak) -> None:
    espeak = Espeak("en", 160)
    async with open_served_box(home) as box, speaking(home, in_no_time(espeak.say)):
        await send(home, GAME)
        ended = await play_until(home, lambda snapshot: snapshot.phase == "ended")
        throws = await thrown(box)
        await asyncio.sleep(ENOUGH_S)
    assert [said.removesuffix(" Nothing fits.") for said in fake.said if ": " in said] == throws
    others = [said for said in fake.said if ": " not in said]
    assert others == [
        "Ann is next.",
        f"Ann ends with {ended.scores['Ann']} points.",
        "Ben is next.",
        f"Ben ends with {ended.scores['Ben']} points.",
        ended.say,
    ]
    assert set(fake.asked) == {"--stdin -b 1 -v en -s 160"}


async def test_in_quiet_hours_nothing_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time(23, 30)
    monkeypatch.setattr(cli, "datetime", SimpleNamespace(now=lambda: SimpleNamespace(time=lambda: now)))
    mouth, settings = Mouth(), Settings(voice=Voice(quiet="22:00-07:00"))
    async with open_served_box(home), speaking(home, mouth.say, settings):
        await send(home, GAME)
        await play_until(home, lambda snapshot: snapshot.phase == "choosing")
        await asyncio.sleep(ENOUGH_S)
        assert mouth.begun == []
        now = time(7)
        await send(home, Park(), GoOn())
        await play_until(home, lambda snapshot: snapshot.phase == "ended")
    assert mouth.said[-1].startswith(("Ann", "Ben"))
    assert "Ann is next." not in mouth.said


async def test_a_daemon_that_starts_again_has_nothing_repeated(home: Home) -> None:
    mouth = Mouth()
    async with run_in_background(speak_until_stopped(home, Settings(), mouth.say)):
        async with open_served_box(home, hands=first_three_and_five()):
            await asyncio.sleep(2)
            await send(home, GAME, RollDice())
        before = list(mouth.said)
        assert before == ["Ann is next.", "Ann: 3 and 5."]
        await asyncio.sleep(PATIENCE_S)
        async with open_served_box(home):
            await asyncio.sleep(ENOUGH_S)
            assert mouth.said == before
            await play_until(home, lambda snapshot: snapshot.phase == "ended")
            await asyncio.sleep(ENOUGH_S)
    assert len(mouth.said) > len(before)
    assert [mouth.said.count(said) for said in before] == [1, 1]


async def test_who_comes_late_is_told_of_nothing_that_was_before(home: Home) -> None:
    mouth = Mouth()
    async with open_served_box(home):
        await send(home, GAME, RollDice())
        async with speaking(home, mouth.say):
            pass
    assert mouth.begun == []


async def test_a_parked_table_is_silent_at_once_and_the_throw_is_not_called_again(home: Home) -> None:
    mouth = Mouth(takes_s=5.0)
    async with open_served_box(home, hands=first_three_and_five()), speaking(home, mouth.say):
        await send(home, GAME)
        async with Client(home.socket) as client:
            await client.send(RollDice())
            while len(mouth.begun) < 2:  # noqa: ASYNC110  on the jumping clock
                await asyncio.sleep(1)
            await client.send(Park())
            await asyncio.sleep(ENOUGH_S)
        assert (mouth.begun, mouth.said) == (["Ann is next.", "Ann: 3 and 5."], ["Ann is next."])
        await send(home, GoOn())
    assert mouth.begun == ["Ann is next.", "Ann: 3 and 5."]


async def test_who_speaks_too_slowly_is_never_long_behind(home: Home) -> None:
    mouth = Mouth(takes_s=20.0)
    async with open_served_box(home) as box, speaking(home, mouth.say):
        await send(home, GAME)
        await play_until(home, lambda snapshot: snapshot.phase == "ended")
        begun, throws = len(mouth.begun), await thrown(box)
        await asyncio.sleep(PATIENCE_S)
    assert 1 < len(mouth.said) < len(throws)
    assert len(mouth.begun) <= begun + 1


async def test_without_a_sound_card_the_log_says_so_once(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    tried: list[str] = []
    works = False

    async def say(text: str) -> None:
        tried.append(text)
        if not works:
            raise NoVoice("no card")

    async with open_served_box(home), speaking(home, say):
        await send(home, GAME, RollDice())
        works = True
        await play_until(home, lambda snapshot: snapshot.phase == "ended")
    lines = [line for line in caplog.messages if "heard" in line]
    assert lines == ["nothing is heard, tried again with each sentence error=no card"]
    assert len(tried) > 2


def test_what_is_asked_for_wrongly_is_one_line(
    shutbox: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shutbox("speak", "--output", str(tmp_path / "nowhere"))[0] == 2
    assert shutbox("speak", "--text", "--output", str(tmp_path))[0] == 2
    monkeypatch.setenv("PATH", "")
    assert shutbox("speak") == (
        2,
        "",
        "shutbox: the box speaks by espeak-ng, which is not here; say `sudo apt install espeak-ng`\n",
    )


def test_a_box_that_is_not_to_speak_ends_at_once_and_well(shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert shutbox("speak", "--if-aloud")[:2] == (0, "")


def test_a_box_that_is_to_speak_does(shutbox: Shutbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.toml").write_text("[voice]\naloud = true\n")
    monkeypatch.setenv("PATH", "")
    assert shutbox("speak", "--if-aloud")[0] == 2


def test_it_ends_well_when_it_is_told_to(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).parent / "shutbox"), "speak", "--text"]
    env = {"SHUTBOX_HOME": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE) as voice:
        assert voice.stderr is not None
        assert b"no daemon runs" in voice.stderr.readline()
        voice.send_signal(signal.SIGTERM)
        assert voice.wait(30) == 0
