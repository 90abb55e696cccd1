"""Random evenings: what happens next in one depends on its seed and on what has happened, and on nothing else."""

import random
from collections.abc import Iterable

from controller.game.evening.decide import finish, is_over, open_evening, withdraw
from controller.game.evening.evening import Evening, waiting
from controller.game.evening.events import AnyEvent, Called, Finished, Form, How, Lapsed, Opened

FORMS: tuple[Form, ...] = ("round-robin", "swiss", "knock-out")
AT = "2026-12-01T20:00:00+00:00"


def any_opening(seed: int) -> Iterable[AnyEvent]:
    """Return the events with which the evening of a seed begins: 3 to 24 players, in any form."""
    chance = random.Random(seed)
    count, form = chance.randint(3, 24), chance.choice(FORMS)
    rounds = chance.randint(1, count - 1 + count % 2) if form == "swiss" else 0
    return open_evening(Opened("any", AT, form, tuple(f"P{at}" for at in range(1, count + 1)), "pub", {}, rounds))


def next_step(seed: int, evening: Evening) -> Iterable[AnyEvent]:
    """Return what happens next in an evening, none once it is over.

    Matches are called to boxes, given up, won, tied, and decided by somebody's word; players go home.
    """
    if is_over(evening):
        return []
    steps = sum(match.calls + len(match.games) for match in evening.matches)
    chance = random.Random(f"{seed} {steps} {len(evening.withdrawn)} {len(evening.rounds)}")
    if evening.present and chance.random() < 0.02:
        return withdraw(evening, chance.choice(evening.present), AT)
    called = [match for match in evening.open_matches if match.called is not None]
    free = list(waiting(evening))
    if free and (not called or chance.random() < 0.5):
        match = chance.choice(free)
        return [Called(match.number, chance.choice(("Red", "Blue")), 0)]
    match = chance.choice(called)
    if chance.random() < 0.05:
        return [Lapsed(match.number)]
    kinds = [(name,) for name in match.players] * 9 + [match.players, ()]
    scores = {name: chance.randint(0, 45) for name in match.players}
    how: How = "said" if chance.random() < 0.3 else "played"
    return finish(evening, Finished(match.number, chance.choice(kinds), how, AT, scores))
