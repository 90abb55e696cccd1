"""The chance to win by seat, for players who know the scores so far and play for their own win.

seats = seats_of(rules_of("pub"))
seats.by_seat(3)                                  # before the first throw: (first, second, third)
seats.after(board, throw, RoundState((12, 9), 0)) # the last of three, who needs less than 9, or 9 to share

It covers a single round. Ties: `split` shares the win, and with `earlier_wins` the earlier player wins; `play_off` and
`carry_over` are treated as `split`. Of equally good moves a player makes the first in the order of the rules, and
throws the greatest number of dice: this may matter to the others.
"""

import hashlib
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from controller.odds.shutbox.advice import After, Before, Odds, odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.graph import Graph
from controller.odds.shutbox.model import Floats, Indices, Model, boards_of, throws_of
from controller.odds.shutbox.rounds import Kinds, Payoffs, Round, Worth, may_lose
from controller.odds.shutbox.tables import DamagedTable, load_table, save_table, table_path
from controller.odds.work import (
    MOST_BOARDS_BY_SEAT,
    MOST_SCORES_BY_SEAT,
    PLAYERS_OF_A_ROUND,
    SLOW_BY_SEAT,
    Progress,
    TooManyBoards,
    silent,
    span,
)
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw


@dataclass(frozen=True, slots=True)
class Win(Aim):
    """The greatest chance to win.

    scores, chances: a turn that ends with a score wins with the chance at the place of the last of `scores` (ascending)
        that is not above it.
    at_once: the chance after shutting the box, if that wins at once; None: it counts by its score.
    lost: the chance after a first throw that loses the round; None: it counts by its score.
    """

    kind: Literal["score", "shut", "at-most"] = "at-most"
    scores: tuple[float, ...] = (0,)
    chances: tuple[float, ...] = (1.0,)
    at_once: float | None = None
    lost: float | None = None

    def __str__(self) -> str:
        return f"win:{self.scores}:{self.chances}:{self.at_once}:{self.lost}"

    def end(self, rules: Ruleset, board: Board) -> float:
        if self.at_once is not None and board.is_shut:
            return self.at_once
        if self.lost is not None and board == rules.start():
            return self.lost
        return self.chances[bisect_right(self.scores, rules.score(board)) - 1]

    def ends(self, model: Model, states: Indices | None = None) -> NDArray[Any]:
        ends = np.array(self.chances)[np.searchsorted(self.scores, model.scores_at(states), side="right") - 1]
        if self.at_once is not None and not model.idle:
            ends[0 if states is None else states == 0] = self.at_once
        if self.lost is not None and model.board == model.rules.start():
            ends[-1 if states is None else states == model.size - 1] = self.lost
        return ends


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round from the view of the player at turn.

    scores: the scores of the players who have played, in playing order. A race of single throws only counts them: one
        for each player before.
    to_come: the number of players still to play.
    """

    scores: tuple[int, ...]
    to_come: int

    @property
    def players(self) -> int:
        """The number of all players."""
        return len(self.scores) + 1 + self.to_come


class Seats(Protocol):
    """The chances to win of one ruleset."""

    def by_seat(self, players: int) -> tuple[float, ...]:
        """Return each seat's chance to win before the first throw, in playing order; a shared win counts as a share.

        They add up to 1; if a round can be lost on the first throw, to 1 minus the chance that all lose it.
        Raises `InvalidOption` unless there are 2 to 12 players.
        """

    def gains(self, players: int) -> tuple[float, ...]:
        """Return the expected gain of each seat in coins if all play for coins; fractions are not rounded.

        They add up to 0. Raises as `by_seat`.
        """

    def before(self, board: Board, state: RoundState) -> Before:
        """Return the chance to win of the player at turn before a throw, and the best number of dice.

        Raises `InvalidOption` if a score cannot occur.
        """

    def after(self, board: Board, throw: Throw, state: RoundState) -> After:
        """Return the chance to win after a throw, and all best moves. Raises as `before`."""

    def aim(self, state: RoundState) -> Aim:
        """Return the same chance as an aim for `Odds`, for the turn of the player at turn.

        Raises as `before`, and `InvalidOption` in a race of single throws, which has no turns of one player.
        """

    def effort(self, state: RoundState) -> int:
        """Return the work of `aim`: boards times the players to be evaluated. Raises as `aim`."""


def check_players(players: int) -> None:
    """Raise `InvalidOption` unless this number of players can play a round."""
    if players not in PLAYERS_OF_A_ROUND:
        first, last = PLAYERS_OF_A_ROUND[0], PLAYERS_OF_A_ROUND[-1]
        raise InvalidOption(f"seats are for {first} to {last} players, not {players}")


@dataclass(frozen=True)
class Race:
    """The chances in a race: one throw each in turn until somebody shuts the only tile; see `Seats`.

    P(seat i) = (1-p)^i p / (1 - (1-p)^N) of N players, i from 0, with the chance p to hit: the geometric series of the
    rounds, as in RULES of S002 with p = 1/6.
    Raises `InvalidOption` if the tile can never be hit.
    """

    rules: Ruleset

    def __post_init__(self) -> None:
        if not self._hit:
            raise InvalidOption("no throw can shut the tile of this race; give it a value from 2 to 12")

    def by_seat(self, players: int) -> tuple[float, ...]:
        check_players(players)
        return self._chances(players)

    def gains(self, players: int) -> tuple[float, ...]:
        # Who hits gets a stake of every other player, and the extra stakes for a shut.
        stakes = self.rules.terms.stake * (1 + self.rules.terms.stakes_for_shut)
        return tuple(stakes * (players * chance - 1) for chance in self.by_seat(players))

    def before(self, board: Board, state: RoundState) -> Before:
        # The chance of the player who throws next: there is no choice.
        if board.is_shut:
            return Before(1.0, None)
        return Before(self._chances(state.players)[0], max(self.rules.dice_allowed(board)))

    def after(self, board: Board, throw: Throw, state: RoundState) -> After:
        # A hit wins; after a miss the player is the last of all to throw again.
        moves = self.rules.legal_moves(board, throw)
        return After(1.0 if moves else self._chances(state.players)[-1], moves)

    def aim(self, state: RoundState) -> Aim:
        raise InvalidOption("in a race of single throws nobody plays a turn through")

    def effort(self, state: RoundState) -> int:
        return 0  # there is a formula

    @cached_property
    def _hit(self) -> float:
        start = self.rules.start()
        throws = throws_of(self.rules, self.rules.options.dice)
        return fsum(chance for throw, chance in throws if self.rules.legal_moves(start, throw))

    def _chances(self, players: int) -> tuple[float, ...]:
        miss = 1 - self._hit
        return tuple(miss**seat * self._hit / (1 - miss**players) for seat in range(players))


# The stages of a question as fractions: all moves listed, all players evaluated; then one's own turn is solved.
_LISTED, _PLAYED = 0.2, 0.9


def seats_of(rules: Ruleset, *, folder: Path | None = None, progress: Progress = silent) -> Seats:
    """Return the chances to win of a ruleset. Nothing is calculated yet; results are cached for the whole process.

    folder: where results of big games are kept too; None: nowhere.
    progress: called with the fraction done of long work, 0..1.
    Raises `InvalidOption` for games whose turns do not each begin at the start.
    """
    if rules.options.carry_board or rules.terms.alternate:
        option = "carry_board" if rules.options.carry_board else "alternate"
        raise InvalidOption(f"chances to win need turns that each begin with all tiles: leave out {option}=true")
    if rules.options.on_seven == "round":
        raise InvalidOption("chances to win need a turn for every player: say on_seven=turn or on_seven=played")
    return Race(rules) if rules.terms.race == "rotation" else _Turns(rules, folder, progress)


@dataclass(frozen=True)
class _Turns:
    """The chances if players throw whole turns; see `Seats`.

    With players to come every method raises `TooManyBoards` for games with more than 600,000 boards, and
    `InvalidOption` for more than 5,000 different scores; the chance of the last player is available for every game that
    can be solved.
    """

    rules: Ruleset
    folder: Path | None
    progress: Progress

    def by_seat(self, players: int) -> tuple[float, ...]:
        check_players(players)
        return self._before_the_first(players, Payoffs())

    def gains(self, players: int) -> tuple[float, ...]:
        # Payoffs are in stakes; the returned gains are in coins.
        check_players(players)
        stake, extra = self.rules.terms.stake, self.rules.terms.stakes_for_shut
        if may_lose(self.rules) or (extra and self.rules.terms.shut_wins):
            payoffs = Payoffs(win=players, nobody=1, bonus=(players - 1) * extra, penalty=extra)
            return tuple(stake * (worth - 1) for worth in self._before_the_first(players, payoffs))
        return tuple(stake * (players * chance - 1) for chance in self.by_seat(players))

    def before(self, board: Board, state: RoundState) -> Before:
        return self._odds.before(board, self.aim(state))

    def after(self, board: Board, throw: Throw, state: RoundState) -> After:
        return self._odds.after(board, throw, self.aim(state))

    def _before_the_first(self, players: int, payoffs: Payoffs) -> tuple[float, ...]:
        round_ = self._round(payoffs)
        self._bar.begin(round_.players_asked([(players, 0)]))
        found = tuple(float(each[0]) for each in round_.worth(players, 0).coming)
        self.progress(1.0)
        return found

    def aim(self, state: RoundState) -> Win:
        lowest, holders = self._lead(state)
        if state.to_come:
            return self._early_aim(lowest, holders, state)
        # With nobody to come the scores so far decide everything.
        at_once = 1.0 if self.rules.terms.shut_wins else None
        lost = 0.0 if may_lose(self.rules) else None
        if lowest is None:
            return Win(at_once=at_once, lost=lost)
        tie = 1 / (holders + 1) if self.rules.terms.shares_rounds else 0.0
        return Win(scores=(0, lowest, lowest + 1), chances=(1.0, tie, 0.0), at_once=at_once, lost=lost)

    def effort(self, state: RoundState) -> int:
        if not state.to_come:
            return 0
        _, holders = self._lead(state)
        boards = boards_of(self.rules, self.rules.start())
        if boards > MOST_BOARDS_BY_SEAT:
            raise TooManyBoards(boards, MOST_BOARDS_BY_SEAT)
        return boards * self._asked(self._round(Payoffs()), state, holders)

    def _asked(self, round_: Round, state: RoundState, holders: int) -> int:
        """Return the number of players that have to be evaluated."""
        return round_.players_asked([(state.to_come, more) for more in round_.next_holders(holders)])

    def _lead(self, state: RoundState) -> tuple[int | None, int]:
        """Return the lowest score so far, and the number of its holders."""
        # A player who lost the round has the score of the start, which everybody else is below, so it has no effect.
        lowest = min(state.scores, default=None)
        holders = sum(score == lowest for score in state.scores)
        return lowest, holders if self.rules.terms.shares_rounds else min(holders, 1)

    def _early_aim(self, lowest: int | None, holders: int, state: RoundState) -> Win:
        """Return the aim against players to come: the chance to win with each score."""
        known = self._kinds.scores.tolist()
        if lowest is not None and lowest not in known:
            raise InvalidOption(f"no turn of this game ends with {lowest} points")
        round_ = self._round(Payoffs())
        self._bar.begin(self._asked(round_, state, holders))
        goal = round_.goal(state.to_come + 1, holders)
        *chances, at_once, lost = goal[:, 0 if lowest is None else known.index(lowest)].tolist()
        return Win(
            scores=tuple(known),
            chances=tuple(chances),
            at_once=at_once if self.rules.terms.shut_wins else None,
            lost=lost if may_lose(self.rules) else None,
        )

    @cached_property
    def _odds(self) -> Odds:
        # Without the folder, which tables of big games would fill: one for every score to beat.
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
        """Return the chances of the kinds of end for players with these goals, from the folder if it has them."""
        if self.folder is None or self._model.size <= SLOW_BY_SEAT:
            return self._graph.ends(goal, self._bar.tell)
        key = f"{self._key} {hashlib.sha256(goal.tobytes()).hexdigest()}"
        path = table_path(self.folder, key)
        try:
            return load_table(path, key, goal.size).reshape(goal.shape)
        except (OSError, DamagedTable):
            found = self._graph.ends(goal, self._bar.tell)
        with suppress(OSError):
            save_table(path, key, found.ravel())
        return found


@dataclass
class _Bar:
    """The progress of one question."""

    progress: Progress
    players: int = 0
    done: float = 0.0

    def begin(self, players: int) -> None:
        """Begin a question that needs the ends of `players` players."""
        self.players, self.done = players, 0.0

    def tell(self, players: float) -> None:
        """Report `players` more players done; may be a fraction."""
        self.done += players
        self.progress(self.done / self.players)


@lru_cache(maxsize=512)
def _memory(key: str) -> dict[tuple[int, int], Worth]:
    """Return the mutable cache of the values of a game with these payoffs, shared by this process."""
    return {}
