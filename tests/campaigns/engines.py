"""Campaign `engines`: does the house play the same games in this process and as an engine in one of its own?"""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.opponents.engines.arena import Arena
from controller.opponents.engines.minds import open_minds
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.pool import silence

_GAMES = ("pub", "two-level", "2-to-go", "unlucky-7", "thai", "double-shutter", "even-stevens", "dominoes")
_STRENGTHS = ("careless", "casual", "skilled", "steady", "perfect")
_A_TRIAL = 100  # games, by one engine
_IN_PLACE = 2  # trials: see `Campaign.in_place`
_PATIENCE_S = 120.0  # the odds of a game are worked out at its first question


@dataclass(frozen=True, slots=True)
class Outcome:
    """The games of one trial: how many, and how many of them differ."""

    game: str
    seed: int
    games: int
    differ: int


def try_engine(seed: int) -> Outcome:
    """Play the games of one seed twice: the second player once inside and once outside of this process."""
    game, strength = _GAMES[seed % len(_GAMES)], _STRENGTHS[seed // len(_GAMES) % len(_STRENGTHS)]
    words = ("from controller.cli.main import main; main()", "engine", "--strength", strength)
    outside = shlex.join([sys.executable, "-P", "-c", *words])
    played = []
    for mind in (f"house:{strength}", outside):
        with open_minds(["house:steady", mind], None, move_s=_PATIENCE_S) as minds:
            played.append([each.told for each in Arena(rules_of(game), minds, seed).play(_A_TRIAL)])
    inside, out = played
    return Outcome(
        game, seed, len(inside), sum(a != b for a, b in zip(inside, out, strict=False)) + _A_TRIAL - len(out)
    )


@dataclass(frozen=True, slots=True)
class EngineReport:
    """The outcomes of all trials. It has passed if no game differs."""

    outcomes: Sequence[Outcome]

    @property
    def passed(self) -> bool:
        """True if there is nothing to tell."""
        return not any(each.differ for each in self.outcomes)

    def as_json(self) -> Mapping[str, Any]:
        """All of it, for a program."""
        wrong = [{"game": each.game, "seed": each.seed, "differ": each.differ} for each in self.outcomes if each.differ]
        return {"passed": self.passed, "games": sum(each.games for each in self.outcomes), "differ": wrong}

    def show(self) -> None:
        """Print it for a person."""
        told = self.as_json()
        answers.print(f"{told['games']} games in and out of process; {len(told['differ'])} trials differ")
        for each in told["differ"]:
            answers.print(f"{each['game']}, seed {each['seed']}: {each['differ']} games differ")


def bench_engines(games: int, seed: int, *, as_json: bool) -> Exit:
    """Make the campaign and print its report; NO if it has not passed."""
    trials = range(seed, seed + -(-games // _A_TRIAL))
    results = Campaign("engines", trials, try_engine, _IN_PLACE, begin=silence).run()
    return print_report(EngineReport(results.outcomes), results, as_json=as_json)
