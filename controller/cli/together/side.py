"""One of the two sides of a match: what it says, what it does by what it hears, and when the two differ. Pure.

The journals are the truth. A message may be lost, doubled, late or a lie: an action counts only if it stands right
behind all that this box has, is of a player of the other box, and is allowed by the rules.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from controller.cli.together.messages import Actions, Differ, Message, Status
from controller.cli.together.sequence import ANYBODY, Action, Sequence, Start
from controller.errors import ShutboxError
from controller.rules.errors import RulesError

_AT_ONCE = 6  # actions in a message: those with the most tiles fit in


def rungs_of(sequence: Sequence) -> tuple[tuple[int, str], ...]:
    """Return some digests of a sequence, by which the first difference is found: of n, n-1, n-3, n-7, ... and 0."""
    return tuple((index, sequence.chain[index]) for index in (*_steps(sequence.n), 0))


def _steps(index: int) -> Iterator[int]:
    step = 1
    while index > 0:
        yield index
        index -= step
        step *= 2


@dataclass
class Side:
    """One box of a match.

    match, start, here: its name, how it begins, and who plays at this box. sender: of this process alone.
    differs: the difference, in a line; empty while there is none. theirs: the last status of the other box.
    at: the index of a difference between actions, with what this box has there.
    """

    match: str
    sender: str
    start: Start
    here: Collection[str]
    differs: str = ""
    theirs: Status | None = None
    at: tuple[int, Action | None] | None = None
    _offers: Actions | None = field(default=None, repr=False)

    def status(self, mine: Sequence | None) -> Status:
        """Return what this box says of itself."""
        here = tuple(name for name in self.start.players if name in self.here)
        rungs, over = (rungs_of(mine), mine.is_over) if mine is not None else ((), False)
        return Status(self.match, self.sender, here, self.start, rungs, over)

    def hear(self, message: Message, mine: Sequence | None) -> list[Message]:
        """Take a message, and return the answers. `mine`: as the journal of this box has it at this moment."""
        if message.match != self.match or message.sender == self.sender or self.differs:
            return []
        match message:
            case Status():
                return self._hear_status(message, mine)
            case Actions():
                return self._hear_actions(message, mine)
            case Differ(at=at, before=before, action=action):
                if mine is not None and at <= mine.n and mine.chain[at] == before:
                    own = mine.actions[at] if at < mine.n else None
                    if own != action:
                        self._tell_difference(mine, at, own, action)
        return []

    def due(self, mine: Sequence | None) -> tuple[int, Action] | None:
        """Return the action of the other box that comes next here, with its index."""
        offered = self._offers
        if self.differs or mine is None or offered is None or not self._fits(offered, mine):
            return None
        at = mine.n - offered.first
        return (mine.n, offered.actions[at]) if at < len(offered.actions) else None

    def last_words(self, mine: Sequence | None) -> list[Message]:
        """Return what the other box needs to name the difference too."""
        say: list[Message] = [self.status(mine)]
        if self.at is not None and mine is not None:
            at, own = self.at
            say.append(Differ(self.match, self.sender, at, mine.chain[at], own))
        return say

    def is_agreed(self, mine: Sequence | None) -> bool:
        """True if the match is over, its last tiles have arrived here, and the other box has said that it has all."""
        if mine is None or self.theirs is None or not mine.is_over or mine.due:
            return False
        return self.theirs.over and self.theirs.rungs[:1] == ((mine.n, mine.chain[-1]),)

    def _hear_status(self, status: Status, mine: Sequence | None) -> list[Message]:
        self._compare_starts(status)
        if self.differs:
            return []
        self.theirs = status
        if mine is None or not status.rungs:
            return []
        known = [(index, mine.chain[index] == digest) for index, digest in status.rungs if index <= mine.n]
        same = max((index for index, is_same in known if is_same), default=None)
        if same is None:
            return []  # the starts are the same, so this digest is a lie
        wrong = min((index for index, is_same in known if not is_same), default=None)
        if wrong is None:
            behind = status.rungs[0][0] == same < mine.n
            return [self._actions(mine, same)] if behind else []
        # All up to there: the first difference is among them.
        return [self._actions(mine, first) for first in range(same, wrong, _AT_ONCE)]

    def _actions(self, mine: Sequence, first: int) -> Actions:
        return Actions(self.match, self.sender, first, mine.chain[first], mine.actions[first : first + _AT_ONCE])

    def _hear_actions(self, offered: Actions, mine: Sequence | None) -> list[Message]:
        if mine is None or offered.first > mine.n or mine.chain[offered.first] != offered.before:
            return []
        for at, theirs in enumerate(offered.actions, offered.first):
            own = mine.actions[at] if at < mine.n else None
            if own == theirs:
                continue
            if own is None and not (why := self._objection(theirs, mine)):
                self._offers = offered
                return []
            self._tell_difference(mine, at, own, theirs, why if own is None else "")
            return [Differ(self.match, self.sender, at, mine.chain[at], own)]
        return []

    def _objection(self, action: Action, mine: Sequence) -> str:
        """Return why an action that this box does not have cannot be the next one; empty if it can."""
        seat = mine.seat_for(action.kind)
        if action.seat != seat:
            return "it is of another seat than the one at turn"
        if action.kind not in ANYBODY and seat is not None and self.start.players[seat] in self.here:
            return "what was done here is missing in this journal"
        try:
            mine.after(action)
        except (RulesError, ShutboxError, ValueError) as error:
            return f"refused here: {error}"
        return ""

    @staticmethod
    def _fits(offered: Actions, mine: Sequence) -> bool:
        first = offered.first
        has = mine.actions[first:]
        return first <= mine.n and mine.chain[first] == offered.before and has == offered.actions[: len(has)]

    def _tell_difference(
        self, mine: Sequence, at: int, own: Action | None, theirs: Action | None, why: str = ""
    ) -> None:
        seat = next((each.seat for each in (own, theirs) if each is not None and each.seat is not None), None)
        whose = f" of {self.start.players[seat]}" if seat is not None and seat < len(self.start.players) else ""
        has = [str(each) if each is not None else "nothing" for each in (own, theirs)]
        self.at = (at, own)
        self.differs = f"action {at + 1}{whose}: this box has {has[0]}, the other box has {has[1]}" + (
            f" ({why})" if why else ""
        )

    def _compare_starts(self, status: Status) -> None:
        mine, theirs = self.start, status.start
        found = [
            f"{what}: this box has {own}, the other box has {other}"
            for what, own, other in (
                ("game", mine.game, theirs.game),
                ("players", ",".join(mine.players), ",".join(theirs.players)),
                *(
                    (f"option {name}", mine.options.get(name), theirs.options.get(name))
                    for name in sorted({*mine.options, *theirs.options})
                ),
            )
            if own != other
        ]
        twice = [name for name in status.here if name in self.here]
        nobody = [name for name in mine.players if name not in {*status.here, *self.here}]
        found += [f"{name} plays at both boxes" for name in twice]
        found += [f"{name} plays at neither box" for name in nobody]
        if found:
            self.differs = f"the start of the match: {'; '.join(found)}"
