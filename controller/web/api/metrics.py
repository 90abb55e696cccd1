"""Metrics of the box for Prometheus, in its text format (version 0.0.4), fetched regularly."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.web.dependencies import TheMeters, TheReferee
from controller.web.security.principal import AuthorizedRoute
from firmware.computer import ComputerReading

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric with its samples.

    about: its meaning, with its unit.
    samples: values by value of `label`; without a label, one value under the empty string. Empty if not known.
    """

    name: str
    kind: Literal["counter", "gauge"]
    about: str
    samples: Mapping[str, float] = field(default_factory=dict)
    label: str = ""


def expose(metrics: Iterable[Metric]) -> str:
    """Return the metrics as text; those without samples are left out."""
    lines = []
    for metric in metrics:
        if metric.samples:
            lines += [f"# HELP {metric.name} {metric.about}", f"# TYPE {metric.name} {metric.kind}"]
        for value, amount in metric.samples.items():
            label = f'{{{metric.label}="{value.translate(_ESCAPES)}"}}' if metric.label else ""
            lines.append(f"{metric.name}{label} {amount}")
    return "".join(f"{line}\n" for line in lines)


router = APIRouter(route_class=AuthorizedRoute)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(referee: TheReferee, meters: TheMeters) -> PlainTextResponse:
    """Games, throws, refusals, faults, tiles, commits, memory and temperature in the text format of Prometheus."""
    computer = await referee.table.firmware.computer.read()
    return PlainTextResponse(expose(_metrics_of(referee, meters, computer)), media_type=CONTENT_TYPE)


def _metrics_of(referee: Referee, meters: Meters, computer: ComputerReading) -> Iterator[Metric]:
    yield Metric("shutbox_games_total", "counter", "Games, by how far they came.", meters.games, "event")
    yield Metric("shutbox_throws_total", "counter", "Throws that counted, by who read them.", meters.throws, "source")
    yield Metric("shutbox_throws_corrected_total", "counter", "Throws that were corrected.", {"": meters.corrections})
    yield Metric(
        "shutbox_readings_refused_total", "counter", "Dice that could not be read, by reason.", meters.refused, "reason"
    )
    yield Metric("shutbox_faults_total", "counter", "Faults that halted a game, by code.", meters.faults, "code")
    commits = referee.commits
    yield Metric("shutbox_watchers", "gauge", "Who is sent every snapshot.", {"": referee.watchers})
    yield Metric("shutbox_journal_commits_total", "counter", "Commits to the journal.", {"": commits.count})
    yield Metric("shutbox_journal_commit_seconds_total", "counter", "Seconds that these took.", {"": commits.seconds})
    if referee.table.wear is not None:
        tiles = referee.table.wear.book.tiles
        moves = {name: wear.moves for name, wear in tiles.items()}
        retries = {name: wear.retries for name, wear in tiles.items()}
        yield Metric("shutbox_tile_moves_total", "counter", "Moves of each tile.", moves, "tile")
        yield Metric(
            "shutbox_tile_retries_total", "counter", "Tries beyond the first that a tile needed.", retries, "tile"
        )
    lag = {"last": meters.lag_s, "most": meters.most_lag_s}
    yield Metric("shutbox_loop_lag_seconds", "gauge", "By how much the event loop was late.", lag, "when")
    yield Metric("process_cpu_seconds_total", "counter", "Seconds of processor time.", {"": time.process_time()})
    # proc(5): the second number of statm is the resident set, in pages.
    with open("/proc/self/statm", encoding="ascii") as statm:
        resident_bytes = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    yield Metric("process_resident_memory_bytes", "gauge", "Memory in use, in bytes.", {"": resident_bytes})
    warm = {} if computer.temperature_c is None else {"": computer.temperature_c}
    yield Metric("shutbox_computer_temperature_celsius", "gauge", "Temperature of the processor.", warm)
    low = {} if computer.is_under_voltage is None else {"": int(computer.is_under_voltage)}
    yield Metric("shutbox_supply_under_voltage", "gauge", "1 while the computer's supply is too low.", low)
