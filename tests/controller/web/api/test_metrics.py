"""The figures for Prometheus: in its format, of what has happened, and for operators."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import pytest

from controller.game.core.commands import Abandon, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import CorrectThrow, TakeThrow
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.runtime.clock import JumpingLoop
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from controller.web.api.metrics import Metric, expose
from controller.web.app import make_app
from controller.web.security.principal import LocalApp
from firmware.messages import SensorReport
from firmware.selftest.wear import WearFile
from hardware.tiles import Position, TileId
from tests.support.api import open_api
from tests.support.tables import open_table_rig, until
from vision.reading import Reason, refused

LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\n]*"\})? [0-9.e+-]+|# (HELP|TYPE) [a-z_]+ .+')


async def test_they_are_for_operators_and_in_the_format(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        told = await api.here.get("/metrics")
        assert (await api.away.get("/metrics")).status_code == 403
    assert told.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert told.text.endswith("\n")
    for line in told.text.splitlines():
        assert LINE.fullmatch(line), line
    for name in ("shutbox_computer_temperature_celsius", "process_resident_memory_bytes", "shutbox_watchers"):
        assert re.search(rf"^{name} [0-9.]+$", told.text, re.MULTILINE)


def test_labels_are_escaped_and_what_is_unknown_is_left_out() -> None:
    metrics = [Metric("a_total", "counter", "Of a.", {'b"\\\n': 1}, "kind"), Metric("c", "gauge", "Unknown.")]
    assert expose(metrics) == '# HELP a_total Of a.\n# TYPE a_total counter\na_total{kind="b\\"\\\\\\n"} 1\n'


async def test_what_happens_is_counted(tmp_path: Path) -> None:
    meters, wear = Meters(), WearFile(tmp_path / "wear.json", "two-level-9")
    wear.note_moves([SensorReport(TileId.parse("front-7"), Position.SHUT, 0.0, took_s=0.2, tries=3)])
    meters.count_reading(np.zeros((1, 1, 3), np.uint8), refused(Reason.COCKED, "One die leans on the wall."), None)
    async with open_table_rig(tmp_path) as rig:
        table = replace(rig.table, wear=wear)
        referee = Referee(table, rig.journal, pace=Pace(), wall_clock=lambda: "", subscribers=(meters.count,))
        async with run_in_background(referee.run()):
            await referee.ask(StartGame((Player("Ann"),)))
            await until(referee, "awaiting_throw")
            await referee.ask(TakeThrow((5, 3)))
            await referee.ask(CorrectThrow((5, 4)))
            await referee.ask(Abandon())
            told = await figures(referee, meters)
    assert told['shutbox_games_total{event="started"}'] == told['shutbox_games_total{event="given_up"}'] == 1
    assert told['shutbox_throws_total{source="typed"}'] == told["shutbox_throws_corrected_total"] == 1
    assert told['shutbox_readings_refused_total{reason="cocked"}'] == 1
    assert told['shutbox_tile_retries_total{tile="front-7"}'] == 2
    assert told["shutbox_journal_commits_total"] == 5
    assert told["shutbox_journal_commit_seconds_total"] > 0


async def figures(referee: Referee, meters: Meters) -> dict[str, float]:
    transport = httpx.ASGITransport(app=LocalApp(make_app(referee, meters=meters)))
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        text = (await client.get("/metrics")).text
    samples = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


async def test_a_loop_that_was_held_up_is_seen() -> None:
    meters, loop = Meters(), asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    async with run_in_background(meters.measure_lag()):
        await asyncio.sleep(0.5)
        loop.hold_up(0.75)
        await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        assert meters.lag_s == pytest.approx(0.25)
        await asyncio.sleep(2)
    assert meters.lag_s == pytest.approx(0.0)
    assert meters.most_lag_s == pytest.approx(0.25)
