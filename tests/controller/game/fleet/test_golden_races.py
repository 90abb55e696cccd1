"""Races that were journalled once (tests/data/races.jsonl): every later version must replay them to the same.

A line an event: of which race, the event as journals have it, and the digest of the race after it.
"""

import json
from collections import defaultdict
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from controller.game.fleet.events import RaceEvent
from controller.game.fleet.state import Race
from controller.game.table.engines import digest_of, evolve
from controller.game.table.wire import EVENT

if TYPE_CHECKING:
    from controller.game.core.engine import AnyGame

GOLDEN = Path(__file__).parents[3] / "data" / "races.jsonl"
TOTALS = [(120, 160), (50, 300), (14, 11), (250, 300)]


def test_races_of_before_replay_event_by_event() -> None:
    races: dict[int, AnyGame | None] = defaultdict(lambda: None)
    kinds = set()
    for number, line in enumerate(GOLDEN.read_text().splitlines(), 1):
        kept: dict[str, Any] = json.loads(line)
        event = EVENT.validate_python(kept["event"])
        assert json.loads(EVENT.dump_json(event)) == kept["event"]
        kinds.add(event.kind)
        race = races[kept["race"]] = evolve(races[kept["race"]], event)
        assert digest_of(race) == kept["digest"], f"line {number}: {line}"
    assert kinds >= {field.default for each in get_args(RaceEvent) for field in fields(each) if field.name == "kind"}
    totals = [race.totals for race in races.values() if isinstance(race, Race) and race.is_over]
    assert totals == TOTALS
