"""espeak-ng as a process of its own: what it is told, what becomes of its troubles, and that it never stays."""

import asyncio
import shutil
import wave
from pathlib import Path
from typing import Any

import pytest

from controller.errors import NoVoice
from controller.runtime.espeak import Espeak
from tests.support.fake_espeak import FakeEspeak
from tests.support.real_time import hold_clock

NO_CARD = "ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default\nerror: No such file or directory\n"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeEspeak:
    return FakeEspeak(tmp_path, monkeypatch)


async def say(espeak: Espeak, text: str) -> None:
    with hold_clock():
        await espeak.say(text)


async def test_what_is_said_is_no_word_of_its_command_line(fake: FakeEspeak) -> None:
    await say(Espeak("de", 120), "--version `id` $HOME; Zoë: fünf und drei.")

    assert fake.said == ["--version `id` $HOME; Zoë: fünf und drei."]
    assert fake.asked == ["--stdin -b 1 -v de -s 120"]


async def test_a_missing_sound_card_is_told_though_its_status_is_good(fake: FakeEspeak) -> None:
    fake.complain(NO_CARD)
    with pytest.raises(NoVoice, match="sound card: error: No such file or directory"):
        await say(Espeak("en", 160), "Ann is next.")
    fake.complain(NO_CARD.splitlines()[0])
    await say(Espeak("en", 160), "Ann is next.")


async def test_a_sentence_that_takes_too_long_is_given_up(fake: FakeEspeak) -> None:
    fake.take(3600)
    with pytest.raises(NoVoice, match="is the sound card busy"):
        await Espeak("en", 160).say("Ann is next.")


async def test_who_is_cancelled_leaves_no_process(fake: FakeEspeak, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*words: str, **more: Any) -> asyncio.subprocess.Process:
        started.append(await start(*words, **more))
        return started[-1]

    monkeypatch.setattr("asyncio.create_subprocess_exec", noted)
    fake.take(3600)
    with hold_clock():
        saying = asyncio.ensure_future(Espeak("en", 160).say("Ann is next."))
        while not started:  # noqa: ASYNC110  the clock stands still
            await asyncio.sleep(0)
        saying.cancel()
        await asyncio.wait([saying])
    assert (saying.cancelled(), started[0].returncode) == (True, -9)


def test_without_it_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoVoice, match="sudo apt install espeak-ng"):
        Espeak("en", 160)


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="needs espeak-ng: apt install espeak-ng")
@pytest.mark.parametrize(
    ("language", "text"), [("en", "Ann: 5 and 3."), ("de", "Ben ist dran."), ("fr", "C'est à Ben.")]
)
async def test_the_real_one_speaks_into_files(tmp_path: Path, language: str, text: str) -> None:
    (tmp_path / "0001.wav").write_text("of another evening")
    espeak = Espeak(language, 160, tmp_path)
    for _ in range(2):
        await say(espeak, text)

    assert (tmp_path / "0001.wav").read_text("utf-8") == "of another evening"
    for name in ("0002.wav", "0003.wav"):
        with wave.open(str(tmp_path / name)) as sound:
            assert 0.5 < sound.getnframes() / sound.getframerate() < 5
