"""A second bookkeeper of a race: it hears the events alone, and adds up chips, boxes, totals and coins by itself.

It follows the rules in plain words and knows nothing of the machine; of the rules it asks only which dice are what.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameStarted
from controller.game.fleet.events import (
    ChipReturned,
    ChipTaken,
    ClaimHeld,
    ClaimRefused,
    CombinationNamed,
    RaceEnded,
    RaceRolled,
    Shouted,
    ShoutsVoided,
    ShoutWithdrawn,
)
from controller.game.fleet.state import Race
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import FleetRules, fleet_rules_of

_AT_ONCE_MS = 100
# What becomes of shouts without a chip: it stays so, whatever is put back.
_OTHERS = (ShoutWithdrawn, ClaimRefused, ClaimHeld, ShoutsVoided)


@dataclass(slots=True)
class _Page:
    """The books as they stand: per seat its boxes; of this round the chips in the middle, those taken, who is out.

    shouts: who shouted and when, in their order; those whose dice are seen and right are in `seen`. to_end: shouts were
    passed over, which is right only where the round was ended by hand.
    """

    boxes: list[list[tuple[str, int]]]
    middle: list[int]
    named: dict[int, str] = field(default_factory=dict)
    taken: dict[int, tuple[str, int]] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)
    shouts: list[tuple[int | None, int]] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    rolls: dict[int, int] = field(default_factory=dict)
    rolling: set[int] = field(default_factory=set)
    namer: int = 0
    round: int = 1
    to_end: bool = False


class RaceBooks:
    """The books of one race, from its first event on. problems: what an event, or the race, has otherwise."""

    def __init__(self, started: GameStarted) -> None:
        self._rules: FleetRules = fleet_rules_of(started.game, started.options)
        self._terms = self._rules.terms
        self._seats = range(len(started.players))
        worths = [int(word) for word in self._terms.chips.split("-")]
        count = len(started.players)
        self._worths = worths[:count] if self._terms.few_chips == "lowest" else worths[6 - count :]
        self._history: list[GameEvent] = []
        # Chips that the last one has in any case: they are put back with the one before, and not alone.
        self._of_the_last: list[GameEvent] = []
        self._winners: tuple[int, ...] | None = None
        self._page = self._first_page()
        self.problems: list[str] = []

    def hear(self, event: GameEvent) -> None:
        """Enter an event."""
        if isinstance(event, ChipReturned):
            self._strike_out(event)
            return
        self._history.append(event)
        if isinstance(event, ChipTaken) and not self._terms.timer and len(self._racing()) == 1:
            self._of_the_last.append(event)
        self.problems += self._enter(event)

    def differences(self, race: Race) -> Iterator[str]:
        """What the race has otherwise than these books."""
        ours = {
            "boxes": self._page.boxes,
            "totals": self._totals(),
            "middle": self._page.middle,
            "out": self._page.out,
            "round": self._page.round,
            "coins": self._coins(race.is_over),
        }
        theirs = {
            "boxes": [[(box.combination, box.points) for box in sheet] for sheet in race.sheets],
            "totals": list(race.totals),
            "middle": [race.worth(tile) for tile in race.chips],
            "out": set(race.out),
            "round": race.round,
            "coins": list(race.ledger.balances),
        }
        for name, own in ours.items():
            if own != theirs[name]:
                yield f"{name} are {theirs[name]}, and by the books {own}"
        if sum(race.ledger.balances) + race.ledger.pool:
            yield f"{sum(race.ledger.balances) + race.ledger.pool} coins too many or too few"

    def _first_page(self) -> _Page:
        page = _Page([[] for _ in self._seats], list(self._worths))
        if self._terms.challenge == "in_turn" and self._terms.first != "chosen":
            page.rolling = {*self._seats}
        self._lay_out(page)
        return page

    def _lay_out(self, page: _Page) -> None:
        """A round begins: all chips in the middle, and nobody has one."""
        page.middle, page.taken, page.out = list(self._worths), {}, set()
        page.named, page.shouts, page.seen, page.to_end = {}, [], set(), False
        if self._terms.challenge == "in_order" and page.round <= len(self._rules.card.combinations):
            page.named = dict.fromkeys(self._seats, self._rules.card.combinations[page.round - 1])

    def _strike_out(self, returned: ChipReturned) -> None:
        """Strike the last chip out, with all that came of it, and add up anew."""
        handed = [
            at
            for at, event in enumerate(self._history)
            if isinstance(event, ChipTaken) and event.dice and not any(event is each for each in self._of_the_last)
        ]
        if not handed:
            self.problems.append("a chip is put back, and nobody had one")
            return
        at = handed[-1]
        last = self._history[at]
        if isinstance(last, ChipTaken) and (last.players, last.tile) != (returned.players, returned.tile):
            self.problems.append(f"{returned.tile} is put back, and {last.tile} was the last")
        after = self._history[at + 1 :]
        # In its place stands that the shouts for it came to nothing.
        self._history = [*self._history[:at], returned, *(event for event in after if isinstance(event, _OTHERS))]
        self._page = self._first_page()
        for event in self._history:
            # What was wrong with it was said when it was heard.
            for _ in self._enter(event):
                pass

    def _enter(self, event: GameEvent) -> Iterator[str]:
        page = self._page
        if page.to_end and not isinstance(event, ChipTaken | ShoutsVoided | RaceEnded | GameEnded):
            yield f"shouts were passed over, and the round goes on: {page.shouts}"
            page.to_end = False
        match event:
            case RaceRolled(player, dice):
                self._roll(player, dice)
            case CombinationNamed(player, combination):
                yield from self._name(player, combination)
            case Shouted(player, _, at_ms):
                page.shouts.append((player, at_ms))
            case ShoutWithdrawn(player):
                page.shouts = [shout for shout in page.shouts if shout[0] != player]
            case ClaimRefused(player, combination, dice, _, costs):
                yield from self._judge(combination, dice, right=False)
                if costs != (self._terms.wrong_shout == "no_chip"):
                    yield "what a wrong shout costs was agreed otherwise"
                page.out |= {player} if costs else set()
                self._forget(player)
            case ClaimHeld(player, combination, dice):
                yield from self._judge(combination, dice, right=True)
                self._find(player)
                page.seen.add(player)
            case ShoutsVoided(players):
                if self._terms.equal_shouts != "again" or not self._were_at_once(players):
                    yield f"shouts of {players} do not count, and they should"
                for player in players:
                    self._forget(player)
            case ChipTaken():
                yield from self._take(event)
            case ChipReturned(players):
                for player in players:
                    self._forget(player)
            case RaceEnded(unfinished):
                yield from self._end_round(unfinished)
            case GameEnded(winners):
                yield from self._end(winners)
            case GameAbandoned():
                self._winners = ()

    def _roll(self, player: int, dice: Sequence[int]) -> None:
        page, lowest = self._page, self._terms.first == "lowest"
        page.rolls[player] = sum((2 if lowest else 6) if face > 6 else face for face in dice)
        if page.rolls.keys() == page.rolling:
            best = (min if lowest else max)(page.rolls.values())
            page.rolling = {seat for seat, total in page.rolls.items() if total == best}
            page.rolls = {}
            if len(page.rolling) == 1:
                page.namer = page.rolling.pop()

    def _name(self, player: int, combination: str) -> Iterator[str]:
        page, for_all = self._page, self._terms.challenge == "in_turn"
        if for_all and player != page.namer:
            yield f"seat {player} names, and it was for {page.namer}"
        if combination in [name for name, _ in page.boxes[player]]:
            yield f"seat {player} names {combination}, which is used up"
        page.named |= dict.fromkeys(self._seats, combination) if for_all else {player: combination}

    def _judge(self, combination: str, dice: tuple[int, ...], *, right: bool) -> Iterator[str]:
        if self._rules.has(Dice(dice), self._rules.combination(combination)) != right:
            yield f"{dice} are {'not ' if right else ''}{combination}"

    def _take(self, event: ChipTaken) -> Iterator[str]:
        page = self._page
        racing = self._racing()
        points = self._worths[int(event.tile.removeprefix("front-")) - 1]
        if not set(event.players) <= racing or len(set(event.players)) < len(event.players):
            yield f"{event.players} take a chip, and {racing} race"
        if points not in page.middle:
            yield f"the chip of {points} is handed out twice"
        is_last = len(racing) == 1 and (not event.dice or (bool(self._terms.timer) and bool(page.taken)))
        if points != (min if is_last else max)(page.middle, default=0):
            yield f"{event.players} take the chip of {points} of {page.middle}"
        for combination, dice in zip(event.combinations, event.dice, strict=False):
            yield from self._judge(combination or "", dice, right=True)
        if event.dice and not self._were_at_once(event.players):
            yield f"{event.players} take a chip, and {page.shouts} were the shouts"
        for player, combination in zip(event.players, event.combinations, strict=True):
            page.taken[player] = (combination or "", points)
            self._forget(player)
        page.middle = [chip for chip in page.middle if chip != points]

    def _were_at_once(self, players: Sequence[int]) -> bool:
        """True if these shouted first, and, where they are several, at the same time."""
        page = self._page
        shouts = list(page.shouts)
        for player in players:
            at = next((at for at, shout in enumerate(shouts) if shout[0] == player), None)
            if at is None:
                at = next((at for at, shout in enumerate(shouts) if shout[0] is None), None)
            if at is None:
                return False
            shouts[at] = (player, shouts[at][1])
        if self._are_first(shouts, players):
            return True
        page.to_end = True
        return self._are_first([shout for shout in shouts if shout[0] in {*page.seen, *players}], players)

    def _are_first(self, shouts: Sequence[tuple[int | None, int]], players: Sequence[int]) -> bool:
        first, first_ms = shouts[0]
        if self._terms.equal_shouts == "earlier":
            return tuple(players) == (first,)
        return {who for who, at_ms in shouts if abs(at_ms - first_ms) <= _AT_ONCE_MS} == set(players)

    def _find(self, player: int) -> None:
        """A shout of nobody in particular is that of who shows his dice, where he has none of his own."""
        shouts = self._page.shouts
        if player not in [who for who, _ in shouts]:
            at = next((at for at, shout in enumerate(shouts) if shout[0] is None), None)
            if at is not None:
                shouts[at] = (player, shouts[at][1])

    def _forget(self, player: int) -> None:
        self._find(player)
        self._page.shouts = [shout for shout in self._page.shouts if shout[0] != player]
        self._page.seen.discard(player)

    def _racing(self) -> set[int]:
        return {*self._seats} - self._page.taken.keys() - self._page.out

    def _end_round(self, unfinished: tuple[int, ...]) -> Iterator[str]:
        page = self._page
        if set(unfinished) != self._racing():
            yield f"{unfinished} have not finished, and {self._racing()} were racing"
        if page.seen:
            yield f"the dice of {page.seen} were right, and they have no chip"
        for seat, box in page.taken.items():
            page.boxes[seat].append(box)
        used = self._terms.unfinished == "used_up" or self._terms.challenge in ("in_turn", "in_order")
        for seat in (*unfinished, *sorted(page.out)):
            if used and seat in page.named:
                page.boxes[seat].append((page.named[seat], 0))
        winner = next(iter(page.taken), None)
        by_win = self._terms.namer == "winner" and winner is not None
        page.namer = winner if by_win and winner is not None else (page.namer + 1) % len(self._seats)
        if page.round < len(self._rules.card.combinations):
            page.round += 1
            self._lay_out(page)
        else:
            page.taken, page.shouts = {}, []

    def _end(self, winners: tuple[int, ...]) -> Iterator[str]:
        totals = [sum(points for _, points in boxes) for boxes in self._page.boxes]
        self._winners = winners
        if list(winners) != [seat for seat in self._seats if totals[seat] == max(totals)]:
            yield f"{winners} win with {totals}"
        if self._page.round != len(self._rules.card.combinations):
            yield f"the game ends in round {self._page.round}"

    def _totals(self) -> list[int]:
        """The points of all rounds, with what was taken in this one."""
        now = self._page.taken
        boxes = ([*self._page.boxes[seat], *([now[seat]] if seat in now else [])] for seat in self._seats)
        return [sum(points for _, points in each) for each in boxes]

    def _coins(self, is_over: bool) -> list[int]:
        stake, count = self._terms.stake, len(self._seats)
        if is_over and not self._winners:
            return [0] * count
        coins = [-stake] * count
        if is_over and self._winners:
            share, rest = divmod(stake * count, len(self._winners))
            for seat in self._winners:
                coins[seat] += share
            coins[(min if self._terms.odd_coin == "earliest_seat" else max)(self._winners)] += rest
        return coins
