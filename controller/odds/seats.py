"""The chance to win by seat, for players who know the scores so far and play for their own win.

seats = seats_of(rules_of("pub"))
seats.by_seat(3)                                  # before the first throw: (first, second, third)
seats.after(board, throw, RoundState((12, 9), 0)) # the last of three, who needs less than 9, or 9 to share

It covers a single round. Ties: `split` shares the win, and with `earlier_wins` the earlier player wins; `play_off` and
`carry_over` are treated as `split`. Of equally good moves a player makes the first in the order of the rules, and
throws the greatest number of dice: this may matter to the others.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from controller.odds.advice import After, Before, Odds, odds_of
from controller.odds.columns import Floats
from controller.odds.errors import TooManyBoards
from controller.odds.graph import Graph
from controller.odds.limits import MOST_BOARDS_BY_SEAT, MOST_SCORES_BY_SEAT, SLOW_BY_SEAT
from controller.odds.model import Model, boards_of
from controller.odds.progress import Progress, silent, span
from controller.odds.race import Race
from controller.odds.rounds import Kinds, Payoffs, Round, Worth, may_lose
from controller.odds.stand import RoundState, Seats, check_players
from controller.odds.store import DamagedTable, load_table, save_table, table_path
from controller.odds.win import Win
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.ruleset import Ruleset
from controller.rules.throw import Throw

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
