"""Campaign `crashes`: is anything lost that was acknowledged, whatever befalls the box from outside?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from controller.runtime.output import Exit
from tests.campaigns.campaign import Results, print_report
from tests.campaigns.crashes.cuts import try_cuts
from tests.campaigns.crashes.damages import try_damages
from tests.campaigns.crashes.kills import try_kills
from tests.campaigns.crashes.refusals import try_refusals
from tests.campaigns.crashes.report import CrashReport
from tests.campaigns.crashes.slow import try_slow_card

Mode = Callable[[], tuple[CrashReport, Results[Any]]]


@dataclass(frozen=True, slots=True)
class CrashOrder:
    """The modes of the campaign that are wanted: so many kills, so many power cuts, so many
    refusals of the card, so many minutes on a slow card, and
    every damage there is to the files; 0 and False: not this one.
    """

    kills: int = 0
    cuts: int = 0
    refusals: int = 0
    slow_min: float = 0.0
    damage: bool = False

    def modes(self, seed: int, rigs: int) -> Iterator[Mode]:
        """Those that are wanted, each to be called."""
        if self.kills:
            yield partial(try_kills, self.kills, seed, rigs)
        if self.cuts:
            yield partial(try_cuts, self.cuts, seed)
        if self.refusals:
            yield partial(try_refusals, self.refusals)
        if self.slow_min:
            yield partial(try_slow_card, self.slow_min, seed)
        if self.damage:
            yield partial(try_damages, rigs)


def bench_crashes(order: CrashOrder, seed: int, rigs: int, *, as_json: bool) -> Exit:
    """Go through the modes that are wanted and report each of them; NO if anything was lost or not told.

    Raises `NoMount` where a card is wanted and none can be mounted here.
    """
    exits = []
    for mode in order.modes(seed, rigs):
        report, results = mode()
        exits.append(print_report(report, results, as_json=as_json))
    return max(exits, default=Exit.DONE)
