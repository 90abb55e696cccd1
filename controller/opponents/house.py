"""The decisions of house players, by strength: which tiles, how many dice, and why; and in a race, which dice to keep.

`controller.referee.jobs.turn` decides when they act at the table, and how fast.

perfect plays the move that wins most often, given the scores of the others; in matches with running totals, and alone,
the move that leaves the fewest points. skilled, steady and casual know the value of each move, and the more an error
costs, the less often they make it (`weights_of`). careless takes any set that fits.
"""

import math
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, isfinite
from pathlib import Path

from controller.game.core.players import DEFAULT_STRENGTH
from controller.game.fleet.state import Race
from controller.game.shutbox.events import Motive
from controller.game.shutbox.state import Choosing, Game
from controller.odds.best import best_of
from controller.odds.shutbox.advice import Odds, odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.choosers import heuristic_dice, heuristic_move, noise_in_points, perceived, weights_of
from controller.odds.shutbox.model import boards_of
from controller.odds.shutbox.playouts import Playouts
from controller.odds.shutbox.rounds import may_lose
from controller.odds.shutbox.seats import RoundState, Win, seats_of
from controller.odds.work import (
    BYTES_A_BOARD,
    BYTES_A_BOARD_BY_SEAT,
    MOST_BOARDS_AT_ONCE,
    MOST_EFFORT_AT_ONCE,
    TooManyBoards,
)
from controller.opponents.simulation import simulate
from controller.opponents.strength import STRENGTHS
from controller.rules.errors import InvalidOption
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules
from controller.rules.shutbox.ruleset import Move, Ruleset
from controller.rules.throw import Throw


def round_state_of(game: Game) -> RoundState:
    """Return the scores of this round so far, and the number of players still to play."""
    before = game.match.order[: game.match.order.index(game.turn)]
    scores = tuple(score for seat in before if (score := game.turn_scores[seat]) is not None)
    return RoundState(scores, len(game.match.order) - len(before) - 1)


def rules_to_win(game: Game) -> Ruleset:
    """Return the rules that decide who wins the round: in a play-off, later players still have a turn after a shut."""
    rules = game.rules
    return replace(rules, terms=replace(rules.terms, shut="play_on")) if game.match.play_off else rules


def wins_matter(game: Game) -> bool:
    """Return whether a round has a winner; with running totals, and alone, every point counts instead."""
    return len(game.match.order) > 1 and not game.rules.terms.has_running_totals


_TURNS = 20_000
_SEED = 1


@dataclass(frozen=True)
class Rivals:
    """Players still to come, all alike and assumed to play for few points: a look-ahead that ends with one's own turn.

    Their actual play depends on the score that they have to beat; calculating it takes long with many players or boards
    (`Seats.aim` does it). Here their scores are those of simulated turns played for the least score.

    scores: the scores of their turns, ascending, and their shares.
    """

    rules: Ruleset
    scores: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, rules: Ruleset, folder: Path | None = None) -> "Rivals":
        """Return the rivals in a game; they play by the heuristic if its odds take long. Raises as `simulate`."""
        if boards_of(rules, rules.start()) > MOST_BOARDS_AT_ONCE:
            return cls(rules, tuple(Playouts.of(rules, rules.start(), _SEED).scores()))
        found = simulate(rules, "best", _TURNS, _SEED, folder=folder).histogram
        return cls(rules, tuple((score, count / _TURNS) for score, count in found.items()))

    def aim(self, state: RoundState) -> Win:
        """Return the aim of the player at turn, as `Seats.aim`."""
        lowest = min(state.scores, default=None)
        edges = {0.0}.union(*((score, score + 1) for score, _ in self.scores))
        if lowest is not None:
            edges |= {lowest, lowest + 1}
        scores = sorted(edges)
        return Win(
            scores=tuple(scores),
            chances=tuple(self._chance(score, lowest, state) for score in scores),
            at_once=1.0 if self.rules.terms.shut_wins else None,
            lost=0.0 if may_lose(self.rules) else None,
        )

    def _chance(self, mine: float, lowest: float | None, state: RoundState) -> float:
        """Return the chance to win with the score `mine`; a shared win counts as a share."""
        if lowest is not None and mine > lowest:
            return 0.0
        above = sum(chance for score, chance in self.scores if score > mine)
        same = sum(chance for score, chance in self.scores if score == mine)
        tied = state.scores.count(int(mine)) if mine == lowest else 0
        if not self.rules.terms.shares_rounds:
            return 0.0 if tied else float((above + same) ** state.to_come)
        return sum(
            comb(state.to_come, others) * same**others * above ** (state.to_come - others) / (tied + 1 + others)
            for others in range(state.to_come + 1)
        )


# The reasons for having no odds: too many boards to number, or for this machine, or turns that belong to nobody.
NO_ODDS = (TooManyBoards, InvalidOption, MemoryError)
# The share of the computer's memory that odds may take: the daemon, the camera and the system need the rest.
_SHARE_OF_MEMORY = 0.25


@dataclass(frozen=True, slots=True)
class Purpose:
    """The aim of a player. guessed: later players are assumed to play for few points."""

    aim: Aim
    guessed: bool = False

    @property
    def wins(self) -> bool:
        """True if the aim is to win, not few points."""
        return self.aim.greatest


FEW_POINTS = Purpose(Aim("score"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of each of `moves` to a player: the points that it leaves, or a chance to win (0..1).

    played_out: the values are from playouts, not from the odds.
    """

    purpose: Purpose
    moves: tuple[Move, ...]
    values: tuple[float, ...]
    played_out: bool

    @property
    def best(self) -> Move:
        """The first of the best moves."""
        _, places = best_of(list(self.values), greatest=self.purpose.aim.greatest)
        return self.moves[places[0]]

    def value(self, move: Move) -> float:
        return self.values[self.moves.index(move)]


@dataclass(frozen=True)
class Judge:
    """Values the moves of the player at turn, in bounded time: exactly if that is quick, else by a look-ahead.

    Two calculations may take long. The odds of many boards: then moves are valued by playouts. And the play of later
    players, who know the scores before them: then they are assumed to play for few points (`Rivals`).

    Every method raises one of NO_ODDS if it cannot.
    folder: where the tables of big games are kept.
    Concurrency: any thread.
    """

    folder: Path | None = None

    def win(self, game: Game) -> Purpose:
        """Return the purpose to win the round, given the scores of the players before."""
        rules = rules_to_win(game)
        state, seats = round_state_of(game), seats_of(rules, folder=self.folder)
        try:
            is_quick = seats.effort(state) <= MOST_EFFORT_AT_ONCE
        except TooManyBoards:
            is_quick = False
        if is_quick:
            if state.to_come:
                _check_memory(boards_of(rules, rules.start()), BYTES_A_BOARD_BY_SEAT)
            return Purpose(seats.aim(state))
        return Purpose(Rivals.of(rules, self.folder).aim(state), guessed=True)

    def moves(self, game: Game, throw: Throw, moves: Sequence[Move], purpose: Purpose, seed: int) -> Judgement:
        """Return the values of these legal moves for a throw. seed: for playouts."""
        odds = self._odds(game)
        played_out = not _is_quick(game) and not game.rules.ends_turn(throw)
        if played_out:
            values = Playouts.of(game.rules, game.board, seed).values(moves, purpose.aim)
        else:
            values = odds.values(game.board, throw, moves, purpose.aim)
        return Judgement(purpose, tuple(moves), tuple(values), played_out)

    def dice(self, game: Game, purpose: Purpose) -> dict[int, float] | None:
        """Return the value of a throw by number of dice, or None if that would take long."""
        odds = self._odds(game)
        if not _is_quick(game):
            return None
        allowed = sorted(game.dice_allowed, reverse=True)
        return {dice: odds.with_dice(game.board, dice, purpose.aim) for dice in allowed}

    def _odds(self, game: Game) -> Odds:
        _check_memory(min(boards_of(game.rules, game.board), MOST_BOARDS_AT_ONCE), BYTES_A_BOARD)
        return odds_of(game.rules, folder=self.folder)


def _is_quick(game: Game) -> bool:
    return boards_of(game.rules, game.board) <= MOST_BOARDS_AT_ONCE


def _check_memory(boards: int, bytes_a_board: int) -> None:
    """Raise `MemoryError` before a small computer attempts a calculation that would end the daemon."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if boards * bytes_a_board > _SHARE_OF_MEMORY * memory:
        raise MemoryError


@dataclass(frozen=True, slots=True)
class Decision:
    """The tiles that a house player shuts, and the reason, which is shown at the table and kept in the journal."""

    tiles: tuple[str, ...]
    why: Motive


class House:
    """Chooses for every house player at a table.

    It keeps no state of a game, and its random choices depend only on the game: a game that is resumed after a power
    cut continues as it would have without one.

    folder: where the tables of big games are kept.
    Lifetime: any. Concurrency: any thread; the first choice of a game may take a second or two, on a small computer
    more, so call it in a `BackgroundThread`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._judge = Judge(folder)

    def choose(self, game: Game) -> Decision:
        """Return the move of the player at turn. Raises `ValueError` unless the game is in `Choosing`."""
        if not isinstance(game.phase, Choosing):
            raise ValueError(f"nothing is to be chosen in {game.phase}")
        throw = game.phase.throw
        move, motive = self._choose_move(game, throw)
        return Decision(_names(move), motive)

    def choose_dice(self, game: Game) -> int:
        """Return the number of dice that the player at turn wants for the next throw."""
        allowed, noise = sorted(game.dice_allowed, reverse=True), _noise(game)
        if len(allowed) == 1:
            return allowed[0]
        if math.isinf(noise):
            return _chance_of(game).choice(allowed)
        try:
            purpose = self._purpose(game)
            worths = self._judge.dice(game, purpose)
        except NO_ODDS:
            worths = None
        if worths is None:
            return heuristic_dice(allowed)
        values = [worths[dice] for dice in allowed]
        if noise:
            return allowed[_draw(game, values, noise)]
        _, places = best_of(values, greatest=purpose.aim.greatest)
        return allowed[places[0]]

    def _choose_move(self, game: Game, throw: Throw) -> tuple[Move, Motive]:
        moves, noise = game.rules.legal_moves(game.board, throw), _noise(game)
        if len(moves) == 1:
            return moves[0], Motive("only")
        if math.isinf(noise):
            return _chance_of(game).choice(moves), Motive("whim")
        try:
            judgement = self._judge.moves(game, throw, moves, self._purpose(game), _chance_of(game).getrandbits(32))
        except NO_ODDS:
            return heuristic_move(moves), Motive("thumb")
        move = moves[_draw(game, judgement.values, noise)] if noise else judgement.best
        purpose = judgement.purpose
        # Rounded: the last digits of sums differ between processors, and a game that is kept is not to.
        worth, best_worth = (round(judgement.value(each), _DIGITS) for each in (move, judgement.best))
        best = () if worth == best_worth else _names(judgement.best)
        return move, Motive("odds", worth, best, best_worth, purpose.wins, judgement.played_out, purpose.guessed)

    def _purpose(self, game: Game) -> Purpose:
        strength = game.player.strength or DEFAULT_STRENGTH
        if not STRENGTHS[strength].plays_to_win or not wins_matter(game):
            return FEW_POINTS
        try:
            return self._judge.win(game)
        except NO_ODDS:
            return FEW_POINTS


def _noise(game: Game) -> float:
    """Return the noise of the player at turn, in perceived points; 0 for a player who makes no errors."""
    return noise_in_points(STRENGTHS[game.player.strength or DEFAULT_STRENGTH].noise, game.rules)


def _draw(game: Game, points: Sequence[float], noise: float) -> int:
    """Return the place of a choice, drawn at random by the points that each leaves."""
    costs = perceived(points, game.rules)
    weights = weights_of(costs - costs.min(), noise)
    return _chance_of(game).choices(range(len(points)), weights.tolist())[0]


def _names(move: Move) -> tuple[str, ...]:
    return tuple(map(str, move))


def _chance_of(game: Game) -> random.Random:
    """Return a random generator that is the same for every look at this moment of this game."""
    dice = game.phase.throw if isinstance(game.phase, Choosing) else ""
    return random.Random(f"{game.throws}/{game.turn}/{game.board}/{game.match.round}/{dice}")


_DIGITS = 9  # values that agree to this many decimals are equal


@dataclass(frozen=True, slots=True)
class RaceAim:
    """A combination that a player tries for, and the dice of the throw to keep for it: all six once it is reached."""

    combination: str
    keep: Dice


class Racer:
    """A house player in a race of Fleet! or Flash!: names and tries for combinations, and chooses the dice to keep.

    Strong players keep the dice that lead to the combination in the fewest throws, by the exact odds; the others keep,
    by rule of thumb, as many useful dice as possible. `controller.referee.jobs.race` decides when they throw.
    It has no state: the same race and dice lead to the same choice. Concurrency: any thread.
    """

    def __init__(self, rules: FleetRules) -> None:
        self._rules = rules

    def name(self, race: Race, seat: int) -> str:
        """Return the combination that a seat names: the first remaining one of the sheet that is possible.

        Against rivals of whom nothing is known the expected chip of a round is 1 plus the sum of the chances to be
        before each of them, so that the order makes no difference over a whole card.
        """
        from controller.odds.fleet.advice import FleetOdds

        left = race.left(seat)
        odds = FleetOdds(self._rules)
        return next((each for each in left if isfinite(odds.before(self._rules.combination(each)).value)), left[0])

    def aim(self, race: Race, seat: int, kept: Dice, throw: Dice) -> RaceAim:
        """Return the aim of a seat after a throw. kept: the dice that are frozen."""
        named = race.named[seat]
        wanted = (named,) if named is not None else race.left(seat)
        strength = race.players[seat].strength
        by_odds = strength is None or STRENGTHS[strength].races_by_odds
        found = [self._keep(self._rules.combination(name), kept, throw, by_odds=by_odds) for name in wanted]
        value, aim = min(found, key=lambda each: each[0])
        return aim if isfinite(value) else RaceAim(aim.combination, Dice())

    def _keep(self, combination: Combination, kept: Dice, throw: Dice, *, by_odds: bool) -> tuple[float, RaceAim]:
        """Return the expected number of further throws, and the aim with the dice kept for it."""
        from controller.odds.fleet.advice import FleetOdds

        if self._rules.has(kept + throw, combination):
            return 0.0, RaceAim(combination.name, throw)
        parts = [part for part in throw.parts if len(kept + part) < SET_SIZE]
        rules = self._rules
        if not by_odds:
            # A player who keeps dice by rule of thumb never thinks of taking one back.
            rules = replace(rules, options=replace(rules.options, keeping="frozen"))
        values = FleetOdds(rules).values(combination, parts, kept)
        pairs = list(zip(parts, values, strict=True))
        if by_odds:
            part, value = min(pairs, key=lambda pair: (round(pair[1], _DIGITS), -len(pair[0]), pair[0]))
        else:
            part, value = min(pairs, key=lambda pair: (not isfinite(pair[1]), -len(pair[0]), pair[0]))
        return float(value), RaceAim(combination.name, part)


def can_be_made(race: Race) -> bool:
    """Return whether some dice make a combination that a player still races for."""
    from controller.odds.fleet.advice import FleetOdds

    odds = FleetOdds(race.rules)
    named = [race.named[seat] for seat in race.racing]
    wanted = [(name,) if name else race.left(seat) for seat, name in zip(race.racing, named, strict=True)]
    found = {race.rules.combination(name) for names in wanted for name in names}
    return any(isfinite(odds.before(each).value) for each in found)
