"""The chance to win by seat, for players who know the scores so far and each play for their own win.

seats = seats_of(rules_of("pub"))
seats.by_seat(3)                                  # before the first throw: (first, second, third)
seats.after(board, throw, Stand((12, 9), 0))      # the last of three, who needs less than 9, or 9 to share

One round by itself. Ties: `split` shares the win and `earlier_wins` does as it says; `play_off` and `carry_over` are
treated as `split`. Who does as well in several ways makes the first of these moves in the order of the rules, with
the more dice: to others it may matter.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from controller.odds import store
from controller.odds.advice import After, Before, Odds, odds_of
from controller.odds.errors import TooManyBoards
from controller.odds.graph import Graph
from controller.odds.limits import MOST_BOARDS_BY_SEAT, MOST_SCORES_BY_SEAT, SLOW_BY_SEAT
from controller.odds.model import Model, boards_of
from controller.odds.progress import Progress, silent, span
from controller.odds.race import Race
from controller.odds.rounds import Kinds, Payoffs, Round, Worth, may_lose
from controller.odds.stand import Seats, Stand, check_players
from controller.odds.turn import Floats
from controller.odds.win import Win
from controller.rules import Board, InvalidOption, Ruleset, Throw

__all__ = ["Seats", "Stand", "seats_of"]

# The stages of a question, as fractions: all moves are listed, all players looked at, one's own turn solved.
_LISTED, _PLAYED = 0.2, 0.9


def seats_of(rules: Ruleset, *, folder: Path | None = None, progress: Progress = silent) -> Seats:
    """The chances to win of a ruleset. Nothing is worked out yet; what has been is kept for all seats of a process.

    folder: where that of big games is kept too; None: nowhere. progress: told the fraction done of long work, 0..1.
    Raises `InvalidOption` for games whose turns do not follow one another each from the start.
    """
    if rules.options.carry_board or rules.terms.alternate:
        option = "carry_board" if rules.options.carry_board else "alternate"
        raise InvalidOption(f"chances to win need turns that each begin with all tiles: leave out {option}=true")
    if rules.options.on_seven == "round":
        raise InvalidOption("chances to win need a turn for every player: say on_seven=turn or on_seven=played")
    return Race(rules) if rules.terms.race == "rotation" else _Turns(rules, folder, progress)


@dataclass(frozen=True)
class _Turns:
    """The chances where players throw whole turns; see `Seats`.

    With players to come every method raises `TooManyBoards` for games of more than 600,000 boards, and `InvalidOption`
    for more than 5,000 different scores; the last player's own chance is known for every game that can be solved.
    """

    rules: Ruleset
    folder: Path | None
    progress: Progress

    def by_seat(self, players: int) -> tuple[float, ...]:
        """The chance of each seat to win."""
        check_players(players)
        return self._before_the_first(players, Payoffs())

    def gains(self, players: int) -> tuple[float, ...]:
        """The expected coins of each seat, in stakes until the last line."""
        check_players(players)
        stake, extra = self.rules.terms.stake, self.rules.terms.stakes_for_shut
        if may_lose(self.rules) or (extra and self.rules.terms.shut_wins):
            payoffs = Payoffs(win=players, nobody=1, bonus=(players - 1) * extra, penalty=extra)
            return tuple(stake * (worth - 1) for worth in self._before_the_first(players, payoffs))
        return tuple(stake * (players * chance - 1) for chance in self.by_seat(players))

    def before(self, board: Board, stand: Stand) -> Before:
        """The chance of the player at turn."""
        return self._odds.before(board, self.aim(stand))

    def after(self, board: Board, throw: Throw, stand: Stand) -> After:
        """The chance of the player at turn after a throw."""
        return self._odds.after(board, throw, self.aim(stand))

    def _before_the_first(self, players: int, payoffs: Payoffs) -> tuple[float, ...]:
        round_ = self._round(payoffs)
        self._bar.begin(round_.players_asked([(players, 0)]))
        found = tuple(float(each[0]) for each in round_.worth(players, 0).coming)
        self.progress(1.0)
        return found

    def aim(self, stand: Stand) -> Win:
        """The aim of the player at turn: what his turn ends with, as a chance to win."""
        lowest, holders = self._lead(stand)
        return self._last_aim(lowest, holders) if stand.to_come == 0 else self._early_aim(lowest, holders, stand)

    def effort(self, stand: Stand) -> int:
        """Boards, for each player that has to be looked at and was not before."""
        if not stand.to_come:
            return 0
        _, holders = self._lead(stand)
        boards = boards_of(self.rules, self.rules.start())
        if boards > MOST_BOARDS_BY_SEAT:
            raise TooManyBoards(boards, MOST_BOARDS_BY_SEAT)
        return boards * self._asked(self._round(Payoffs()), stand, holders)

    def _asked(self, round_: Round, stand: Stand, holders: int) -> int:
        """The number of players that have to be looked at."""
        return round_.players_asked([(stand.to_come, more) for more in round_.next_holders(holders)])

    def _lead(self, stand: Stand) -> tuple[int | None, int]:
        """The lowest score so far, and how many hold it."""
        # Who lost the round has the score of the start: everybody else is below it, as if it were not there.
        lowest = min(stand.scores, default=None)
        holders = sum(score == lowest for score in stand.scores)
        return lowest, holders if self.rules.terms.shares_rounds else min(holders, 1)

    def _last_aim(self, lowest: int | None, holders: int) -> Win:
        """With nobody to come the scores so far say it all."""
        at_once = 1.0 if self.rules.terms.shut_wins else None
        lost = 0.0 if may_lose(self.rules) else None
        if lowest is None:
            return Win(at_once=at_once, lost=lost)
        tie = 1 / (holders + 1) if self.rules.terms.shares_rounds else 0.0
        return Win(scores=(0, lowest, lowest + 1), chances=(1.0, tie, 0.0), at_once=at_once, lost=lost)

    def _early_aim(self, lowest: int | None, holders: int, stand: Stand) -> Win:
        """The aim against those to come: by score the chance to win with it."""
        known = self._kinds.scores.tolist()
        if lowest is not None and lowest not in known:
            raise InvalidOption(f"no turn of this game ends with {lowest} points")
        round_ = self._round(Payoffs())
        self._bar.begin(self._asked(round_, stand, holders))
        goal = round_.goal(stand.to_come + 1, holders)
        *chances, at_once, lost = goal[:, 0 if lowest is None else known.index(lowest)].tolist()
        return Win(
            scores=tuple(known),
            chances=tuple(chances),
            at_once=at_once if self.rules.terms.shut_wins else None,
            lost=lost if may_lose(self.rules) else None,
        )

    @cached_property
    def _odds(self) -> Odds:
        # Without the folder: tables of big games would fill it, one for every score to beat.
        return odds_of(self.rules, progress=span(self.progress, _PLAYED, 1))

    @cached_property
    def _model(self) -> Model:
        boards = boards_of(self.rules, self.rules.start())
        if boards > MOST_BOARDS_BY_SEAT:
            raise TooManyBoards(boards, MOST_BOARDS_BY_SEAT)
        return Model.of(self.rules)

    @cached_property
    def _kinds(self) -> Kinds:
        kinds = Kinds.of(self._model)
        if len(kinds.scores) > MOST_SCORES_BY_SEAT:
            found = f"these boards have {len(kinds.scores)}"
            raise InvalidOption(f"chances to win against players to come look at {MOST_SCORES_BY_SEAT} scores, {found}")
        return kinds

    @cached_property
    def _graph(self) -> Graph:
        return Graph.of(self._model, self._kinds.of_boards(self._model), span(self.progress, 0, _LISTED))

    @cached_property
    def _bar(self) -> "_Bar":
        return _Bar(span(self.progress, _LISTED, _PLAYED))

    @cached_property
    def _key(self) -> str:
        terms = self._kinds.wins_at_once, self._kinds.may_lose, self._kinds.shared
        return f"seats {self.rules.options} {self.rules.marks} {terms}"

    def _round(self, payoffs: Payoffs) -> Round:
        return Round(self._kinds, payoffs, self._ends, _memory(f"{payoffs} {self._key}"))

    def _ends(self, goal: Floats) -> Floats:
        """The chances of the kinds of end for players with these goals, from the folder if they are there."""
        if self.folder is None or self._model.size <= SLOW_BY_SEAT:
            return self._graph.ends(goal, self._bar.tell)
        key = f"{self._key} {hashlib.sha256(goal.tobytes()).hexdigest()}"
        path = store.path_of(self.folder, key)
        try:
            return store.load(path, key, goal.size).reshape(goal.shape)
        except (OSError, store.DamagedTable):
            found = self._graph.ends(goal, self._bar.tell)
        with suppress(OSError):
            store.save(path, key, found.ravel())
        return found


@dataclass
class _Bar:
    """Tells how much of a question is done."""

    progress: Progress
    players: int = 0
    done: float = 0.0

    def begin(self, players: int) -> None:
        """A question needs the ends of so many players."""
        self.players, self.done = players, 0.0

    def tell(self, players: float) -> None:
        """So many more are done, or parts of them."""
        self.done += players
        self.progress(self.done / self.players)


@lru_cache(maxsize=512)
def _memory(key: str) -> dict[tuple[int, int], Worth]:
    """The worths found so far of a game with these payoffs, in this process; mutable."""
    return {}
