"""A second opinion on an evening: it knows the file alone, works everything out anew, and imports nothing of the game.

Brackets and byes must be valid, everybody meets whom they should, nobody meets themself, and points add up.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

Event = Mapping[str, Any]
Slots = Sequence[str | None]


def faults_of(events: Sequence[Event], table: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with an evening that is over. events: as in its file. table: as it is shown."""
    opened, names = events[0], [word.partition(":")[0] for word in events[0]["players"]]
    form, gone = opened["form"], list[str]()
    matches: dict[int, tuple[int, tuple[str | None, str | None]]] = {}
    rounds: list[tuple[Slots, list[str], dict[int, Event]]] = []
    results: dict[int, Event] = {}
    for event in events[1:]:
        match event["kind"]:
            case "paired":
                rounds.append((event["slots"], list(gone), dict(results)))
                for pair in pairs(event["slots"]):
                    if None not in pair:
                        matches[len(matches) + 1] = (len(rounds), pair)
            case "withdrew":
                gone.append(event["player"])
            case "finished":
                results[event["match"]] = {**event, "names": matches[event["match"]][1]}
                if not set(event["winners"]) <= set(matches[event["match"]][1]):
                    yield f"match {event['match']} was won by somebody who is not in it"
    for number, (slots, before, _) in enumerate(rounds, 1):
        yield from faults_of_round(number, slots, names, [] if form == "round-robin" else before, form)
    for number, (_, pair) in matches.items():
        if number not in results:
            yield f"match {number} was never decided"
        elif form == "knock-out" and len(results[number]["winners"]) != 1 and results[number]["how"] != "walkover":
            yield f"match {number} of a knock-out is a tie"
        elif results[number]["how"] == "walkover" and not set(pair) & set(gone):
            yield f"match {number} was not played, and nobody has gone"
    met = Counter(frozenset(pair) for _, pair in matches.values())
    byes = Counter(name for slots, *_ in rounds for name in byes_of(slots))
    if form == "round-robin":
        everybody = {frozenset((one, other)) for one in names for other in names if one != other}
        if met != Counter(everybody):
            yield "not everybody meets everybody else once"
        if set(byes.values()) - {1} or len(byes) != len(names) * (len(names) % 2):
            yield "byes are not fair"
    if form == "swiss":
        yield from faults_of_swiss(rounds, names)
    if form == "knock-out":
        yield from faults_of_bracket(rounds, names, results, matches)
    yield from faults_of_table(table, names, form, matches, results, byes, gone)


def pairs(slots: Slots) -> list[tuple[str | None, str | None]]:
    return list(zip(slots[::2], slots[1::2], strict=True))


def byes_of(slots: Slots) -> list[str]:
    return [one or other or "" for one, other in pairs(slots) if (one is None) != (other is None)]


def faults_of_round(number: int, slots: Slots, names: Sequence[str], gone: Sequence[str], form: str) -> Iterator[str]:
    there = [name for name in slots if name is not None]
    if len(set(there)) < len(there):
        yield f"round {number}: somebody is in it twice, or meets themself"
    expected = set(names) - set(gone)
    if form != "knock-out" and set(there) != expected:
        yield f"round {number}: {set(there) ^ expected} should be there, or should not"
    if not set(there) <= expected:
        yield f"round {number}: somebody who has gone is in it"
    if form != "knock-out" and len(byes_of(slots)) != len(expected) % 2:
        yield f"round {number}: {len(byes_of(slots))} byes among {len(expected)} players"


def faults_of_swiss(rounds: Sequence[tuple[Slots, list[str], dict[int, Event]]], names: Sequence[str]) -> Iterator[str]:
    met: set[frozenset[str]] = set()
    had: Counter[str] = Counter()
    points: Counter[str] = Counter()
    first, number = 1, 0
    for at, (slots, gone, results) in enumerate(rounds, 1):
        while first <= number:
            for name, won in points_of(results[first]):
                points[name] += won
            first += 1
        there = [name for name in names if name not in gone]
        new = [frozenset(pair) for pair in pairs(slots) if None not in pair]
        fewest = min(had[name] for name in there)
        may_rest = [name for name in there if had[name] == fewest]
        if resting := byes_of(slots):
            if had[resting[0]] > fewest:
                yield f"round {at}: {resting[0]} has another bye before everybody had one"
            # Whoever has fewer points would have had the bye, if the others could have been paired anew.
            for name in may_rest:
                better = points[name] < points[resting[0]]
                if better and can_pair([each for each in there if each != name], met):
                    yield f"round {at}: {resting[0]} has a bye, and {name} has fewer points"
        again = sum(pair in met for pair in new)
        choices = [[each for each in there if each != name] for name in may_rest] if len(there) % 2 else [there]
        if again and any(can_pair(each, met) for each in choices):
            yield f"round {at}: somebody meets somebody again, which could be avoided"
        met.update(new)  # type: ignore[arg-type]
        number += len(new)
        had.update(byes_of(slots))
        for name in byes_of(slots):
            points[name] += 2


def can_pair(names: Sequence[str], met: set[frozenset[str]]) -> bool:
    """True if all of these can meet somebody whom they have not met: by trying, with what failed remembered."""
    failed: set[frozenset[str]] = set()

    def search(left: frozenset[str]) -> bool:
        if not left:
            return True
        if left in failed:
            return False
        fresh = {name: [each for each in left if each != name and frozenset((name, each)) not in met] for name in left}
        name = min(left, key=lambda each: (len(fresh[each]), each))
        if any(search(left - {name, other}) for other in fresh[name]):
            return True
        failed.add(left)
        return False

    return search(frozenset(names))


def faults_of_bracket(
    rounds: Sequence[tuple[Slots, list[str], dict[int, Event]]],
    names: Sequence[str],
    results: Mapping[int, Event],
    matches: Mapping[int, tuple[int, tuple[str | None, str | None]]],
) -> Iterator[str]:
    slots = rounds[0][0]
    size = len(slots)
    if size & (size - 1) or not size // 2 < max(len(names), 2) <= size:
        yield f"a bracket of {size} lines for {len(names)} players"
    if byes_of(slots) and set(byes_of(slots)) != set(names[: size - len(names)]):
        yield "the byes of the first round are not those of the best seeds"
    lines, parts = [name or "" for name in slots], 2
    while parts <= size:
        width = size // parts
        held = [sum(name in lines[at * width : (at + 1) * width] for name in names[:parts]) for at in range(parts)]
        if len(names) >= parts and set(held) != {1}:
            yield f"the best {parts} could meet too soon"
        parts *= 2
    won = {pair: results[number]["winners"] for number, (at, pair) in matches.items()}
    for at, ((before, *_), (after, gone, _)) in enumerate(pairwise(rounds), 2):
        expected: list[str | None] = []
        for pair in pairs(before):
            winners = won.get(pair, [name for name in pair if name])
            expected.append(winners[0] if len(winners) == 1 and winners[0] not in gone else None)
        if list(after) != expected:
            yield f"round {at} is {after}, and those who go on are {expected}"
    if len(rounds[-1][0]) != 2:
        yield "the last round is no final"


def points_of(result: Event) -> list[tuple[str, int]]:
    if len(result["winners"]) == 1:
        return [(result["winners"][0], 2)]
    # A tie gives one point each; who has gone gets none.
    return [] if result["how"] == "walkover" else [(name, 1) for name in result["names"]]


def faults_of_table(
    table: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    form: str,
    matches: Mapping[int, tuple[int, tuple[str | None, str | None]]],
    results: Mapping[int, Event],
    byes: Mapping[str, int],
    gone: Sequence[str],
) -> Iterator[str]:
    if sorted(row["name"] for row in table) != sorted(names):
        yield "the table does not have everybody once"
    void = set()
    for name in gone if form == "round-robin" else ():
        theirs = [number for number, (_, pair) in matches.items() if name in pair]
        stayed = [n for n in theirs if results[n]["how"] != "walkover" or name in results[n]["winners"]]
        if 2 * len(stayed) < len(theirs):
            void.add(name)
    points: Counter[str] = Counter({name: 2 * byes[name] for name in names})
    counted = 0
    for number, (_, pair) in matches.items():
        if not void.intersection(name for name in pair if name):
            counted += results[number]["how"] != "walkover" or bool(results[number]["winners"])
            for name, won in points_of(results[number]):
                points[name] += won
    for row in table:
        if row["points"] != points[row["name"]]:
            yield f"{row['name']} has {points[row['name']]} points, not {row['points']}"
        if 2 * (row["wins"] + row["byes"]) + row["ties"] != row["points"]:
            yield f"the points of {row['name']} do not add up"
    if sum(row["points"] for row in table) != 2 * counted + 2 * sum(byes.values()):
        yield "the points of all do not add up"
    if form != "knock-out" and not void:
        ranked = [row["points"] for row in table]
        if ranked != sorted(ranked, reverse=True):
            yield "the table is not in the order of points"
