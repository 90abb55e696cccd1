"""Who meets whom: everybody everybody else, by score, or along a bracket. Pure functions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from controller.game.evening.evening import Evening, Slots, pairs_of
from controller.game.evening.table import table

_NOBODY = ""  # in a matching, whom a bye is against
# What a pairing by score costs, each worth more than all below it together (24 players, 23 rounds, 2 points a win):
# a second bye, a second meeting, a bye for who has points, players whose points are apart, and then neighbours.
_AGAIN_BYE, _AGAIN, _BYE, _APART = 10**16, 10**12, 10**9, 10**4


def berger_rounds(players: Sequence[str]) -> Iterator[Slots]:
    """Yield the rounds in which everybody meets everybody else once: one stays, and the others go round them.

    With an odd number of players, each has one bye. Who comes first changes from round to round.
    Source: J. Schurig 1886, the circle method ("Berger tables").
    """
    seats: list[str | None] = [*players, *[None] * (len(players) % 2)]
    half = len(seats) // 2
    for number in range(len(seats) - 1):
        slots: list[str | None] = []
        for at, (one, other) in enumerate(zip(seats[:half], reversed(seats[half:]), strict=True)):
            slots += (other, one) if (number + at) % 2 else (one, other)
        yield tuple(slots)
        seats = [seats[0], seats[-1], *seats[1:-1]]


def bracket(players: Sequence[str]) -> Slots:
    """Return the lines of the first round: seeds 1 and 2 can meet in the final only, 1 to 4 in the semifinals, ...

    Where the lines are more than the players, the best seeds have a bye.
    """
    lines = [1]
    while len(lines) < len(players):
        size = 2 * len(lines) + 1
        lines = [seed for line in lines for seed in (line, size - line)]
    return tuple(players[seed - 1] if seed <= len(players) else None for seed in lines)


def next_lines(evening: Evening) -> Slots:
    """Return the lines of the next round: who has won each two of the last one, and has not gone since."""
    slots, number = evening.rounds[-1], len(evening.rounds)
    winners: dict[tuple[str | None, str | None], str | None] = {}
    for match in evening.matches:
        if match.round == number and (result := evening.result(match)) is not None:
            winners[match.players] = result.winners[0] if result.winners else None
    # Beside nobody stands who goes on anyway.
    lines = [winners.get(pair, pair[0] or pair[1]) for pair in pairs_of(slots)]
    return tuple(name if name in evening.present else None for name in lines)


def swiss_round(evening: Evening) -> Slots:
    """Return the pairs of the next round, by score: those who have as many points meet, if they have not met yet.

    Of an odd number the one with the fewest points has a bye, but nobody twice before everybody had one. The whole
    round is weighed at once, as a matching of the least weight: where nobody could be paired in the end, a second
    meeting is the way out. The better half of those with as many points meets the other half.
    """
    # Loaded here: a box that only shows an evening draws none.
    import networkx

    rows = [row for row in table(evening) if row.name in evening.present]
    met = Counter(frozenset(match.players) for match in evening.matches)
    byes = [name for _, name in evening.byes()]
    graph = networkx.Graph()
    for (place, one), (other_place, other) in combinations(enumerate(rows), 2):
        again, apart = met[frozenset((one.name, other.name))], (one.points - other.points) ** 2
        near = (len(rows) - (other_place - place)) ** 2  # squared, so that 1 meets 3 and 2 meets 4
        graph.add_edge(one.name, other.name, weight=_AGAIN * again + _APART * apart + near)
    if len(rows) % 2:
        for place, row in enumerate(rows):
            weight = _AGAIN_BYE * byes.count(row.name) + _BYE * row.points + _APART * (len(rows) - place)
            graph.add_edge(row.name, _NOBODY, weight=weight)
    places = {name: place for place, name in enumerate((*(row.name for row in rows), _NOBODY))}
    pairs = [sorted(pair, key=places.__getitem__) for pair in networkx.min_weight_matching(graph)]
    pairs.sort(key=lambda pair: (pair[1] == _NOBODY, places[pair[0]]))
    # Who has sat first less often does so now.
    first = Counter(match.players[0] for match in evening.matches)
    first[_NOBODY] = len(evening.matches) + 1
    return tuple(name or None for pair in pairs for name in sorted(pair, key=lambda name: (first[name], places[name])))
