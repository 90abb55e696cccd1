"""Campaign `race`: six clients race at a daemon that comes and goes: is each chip handed out once?"""

import tempfile
from pathlib import Path

from controller.rules.fleet.cards import CARDS
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.clients.busy_table import Outcome
from tests.campaigns.clients.clients import report_clients
from tests.campaigns.pool import silence
from tests.campaigns.races.table import RaceTable

_IN_PLACE = 2  # races: see `Campaign.in_place`
_FEWEST_ROUNDS = min(len(card.combinations) for card in CARDS.values())


def bench_race(rounds: int, seed: int, *, as_json: bool) -> Exit:
    """Let clients race for at least so many rounds and report what was done and lost; NO if anything was wrong.

    They are whole races: the first is drawn from `seed`, each further one from the next number.
    """
    races = -(-rounds // _FEWEST_ROUNDS)
    results = Campaign("races", range(seed, seed + races), play_race_table, in_place=_IN_PLACE, begin=silence).run()
    report = report_clients(
        results.outcomes, "races", "races", "python -m tests.campaigns race --rounds 1 --seed {}".format
    )
    return print_report(report, results, as_json=as_json)


def play_race_table(seed: int) -> Outcome:
    """Let the clients of this seed race, on a jumping loop."""

    async def play(folder: Path) -> Outcome:
        return await RaceTable(seed, folder).run()

    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(play(Path(folder)))
