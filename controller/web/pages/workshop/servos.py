"""The end points of the servos as bars, one tile a line: as they are saved, and while they are being measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from controller.messages.words import Words
from controller.web.pages.phrases import say_change, say_number
from hardware.box import LEAST_US, MOST_US, Box
from hardware.calibration import ServoCalibration

Verdict = Literal["good", "fair", "poor", "failed", "now", "waiting"]
_SIGNS: Mapping[Verdict, str] = {"good": "✓", "fair": "!", "poor": "!", "failed": "✕", "now": "…", "waiting": ""}


@dataclass(frozen=True, slots=True)
class EndsBar:
    """The ends of a tile as parts (0..100) of the range of a servo. before: those of the last time."""

    opened: float
    rest: float | None
    shut: float
    before: tuple[float, ...] = ()

    @property
    def left(self) -> float:
        return min(self.opened, self.shut)

    @property
    def width(self) -> float:
        return abs(self.opened - self.shut)


@dataclass(frozen=True, slots=True)
class ServoRow:
    """One tile. ends, change, times: in words; why: of what is not good, in English as the firmware says it."""

    tile: str
    verdict: Verdict
    sign: str
    state: str
    ends: str = ""
    change: str = ""
    times: str = ""
    why: str = ""
    bar: EndsBar | None = None


def draw_saved(box: Box, saved: ServoCalibration, words: Words) -> list[ServoRow]:
    """Return the rows of the tiles as they are saved; those that are not are left out."""
    kept = {str(tile): found.model_dump(mode="json") for tile, found in saved.tiles.items()}
    return [_row(str(tile), kept[str(tile)], None, words) for tile in box.tile_ids if str(tile) in kept]


def draw_measured(box: Box, draft: Mapping[str, Any], words: Words) -> list[ServoRow]:
    """Return the rows of a job: measured, failed, under way, and those whose turn comes."""
    tiles, failed, before = draft.get("tiles", {}), draft.get("failed", {}), draft.get("before", {})
    wanted = draft.get("wanted") or [str(tile) for tile in box.tile_ids]
    rows = []
    for tile in wanted:
        if tile in tiles:
            rows.append(_row(tile, tiles[tile], before.get(tile), words))
        elif tile in failed:
            rows.append(_plain(tile, "failed", words, f"{failed[tile]['seen']}. {failed[tile]['cure']}"))
        else:
            rows.append(_plain(tile, "now" if tile == draft.get("now") else "waiting", words))
    return rows


def _plain(tile: str, verdict: Verdict, words: Words, why: str = "") -> ServoRow:
    return ServoRow(tile, verdict, _SIGNS[verdict], _states(words)[verdict], why=why)


def _row(tile: str, found: Mapping[str, Any], before: Mapping[str, Any] | None, words: Words) -> ServoRow:
    verdict: Verdict = found["verdict"]
    _ = words.gettext
    keys = ("open_us", "rest_us", "shut_us")
    pulses = [str(found[key]) for key in keys if found[key] is not None]
    changes = [] if before is None else [found[key] - before[key] for key in ("open_us", "shut_us")]
    seconds = [found[key] for key in ("shut_s", "open_s")]
    times = [say_number(each, words, 2) for each in seconds if each is not None]
    return ServoRow(
        tile,
        verdict,
        _SIGNS[verdict],
        _states(words)[verdict],
        _("{pulses} us").format(pulses=" / ".join(pulses)),
        " / ".join(say_change(each, words) for each in changes),
        _("{seconds} s").format(seconds=" / ".join(times)) if times else "",
        "" if verdict == "good" else found["reason"],
        EndsBar(
            _part(found["open_us"]),
            None if found["rest_us"] is None else _part(found["rest_us"]),
            _part(found["shut_us"]),
            () if before is None else (_part(before["open_us"]), _part(before["shut_us"])),
        ),
    )


def _states(words: Words) -> Mapping[Verdict, str]:
    _ = words.gettext
    return {
        "good": _("good"),
        "fair": _("fair"),
        "poor": _("poor"),
        "failed": _("not measured"),
        "now": _("is being measured"),
        "waiting": _("waits"),
    }


def _part(pulse_us: int) -> float:
    return 100 * (pulse_us - LEAST_US) / (MOST_US - LEAST_US)
