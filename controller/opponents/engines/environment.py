"""One turn of a game of tiles as an environment of Gymnasium (the extra `gym`), for programs that learn to play.

Observation: `tiles`, one bit a tile of the box in the order of their names (1: it stands), and `dice`, how many dice
show each face, all 0 while the number of dice is to be chosen. Action: one bit a tile, those to shut, and a last one,
which means something only then: throw the lesser number of dice. The reward is 0, and at the end of the turn minus its
score. Tiles that cannot be shut end the turn, as they cost an engine its seat. `info["moves"]` has every legal action.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, MultiBinary, MultiDiscrete
from numpy.typing import NDArray

from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw

Observation = dict[str, NDArray[Any]]
Bits = NDArray[np.int8]


class TurnEnvironment(gymnasium.Env[Observation, Bits]):
    """One player's turn, from the start of a game until nothing can be shut.

    Lifetime: any. Concurrency: one thread.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  as Gymnasium has it

    def __init__(self, game: str = "pub", render_mode: str | None = None, **options: Any) -> None:
        """game, options: as `shutbox games` has them. Raises `InvalidOption`."""
        self._rules: Ruleset = rules_of(game, options)
        self._names = list(self._rules.layout.by_name)
        self.render_mode = render_mode
        most = max(self._rules.dice_counts)
        self.observation_space = Dict(
            {"tiles": MultiBinary(len(self._names)), "dice": MultiDiscrete([most + 1] * self._rules.sides)}
        )
        self.action_space = MultiBinary(len(self._names) + 1)
        self._board: Board = self._rules.start()
        self._throw: Throw | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Set up all tiles, and throw if the number of dice is no question."""
        super().reset(seed=seed)
        self._board, self._throw = self._rules.start(), None
        self._throw_if_clear()
        return self._observation, self._info

    def step(self, action: Bits) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Shut tiles, or choose the number of dice; then the next throw follows."""
        if self._throw is None:
            allowed = sorted(self._rules.dice_allowed(self._board))
            self._throw_dice(allowed[0] if action[-1] else allowed[-1])
            return self._told(is_over=self._is_stuck)
        wanted = {self._names[at] for at in np.flatnonzero(action[:-1])}
        move = next((each for each in self._moves if {tile.name for tile in each} == wanted), None)
        if move is None:
            return self._told(is_over=True)
        ends = self._rules.ends_turn(self._throw)
        self._board = self._board.without(move)
        self._throw = None
        if ends or self._board.is_shut:
            return self._told(is_over=True)
        self._throw_if_clear()
        return self._told(is_over=self._is_stuck)

    def render(self) -> str:
        """Return the board and the throw as text."""
        return f"{self._board} : {self._throw or ''}"

    def _throw_if_clear(self) -> None:
        allowed = self._rules.dice_allowed(self._board)
        if len(allowed) == 1:
            self._throw_dice(next(iter(allowed)))

    def _throw_dice(self, count: int) -> None:
        self._throw = Throw(tuple(int(face) for face in self.np_random.integers(1, self._rules.sides + 1, count)))

    def _told(self, *, is_over: bool) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        reward = -float(self._rules.score(self._board)) if is_over else 0.0
        return self._observation, reward, is_over, False, self._info

    @property
    def _moves(self) -> tuple[Any, ...]:
        return self._rules.legal_moves(self._board, self._throw) if self._throw is not None else ()

    @property
    def _is_stuck(self) -> bool:
        return self._throw is not None and not self._moves

    @property
    def _observation(self) -> Observation:
        layout = self._rules.layout
        tiles = np.array([self._board.stands(layout.by_name[name]) for name in self._names], dtype=np.int8)
        dice = np.zeros(self._rules.sides, dtype=np.int64)
        for face in self._throw.dice if self._throw is not None else ():
            dice[face - 1] += 1
        return {"tiles": tiles, "dice": dice}

    @property
    def _info(self) -> dict[str, Any]:
        """Return the legal actions, one a row: shape (moves, tiles + 1)."""
        if self._throw is None:
            rows = np.zeros((2, len(self._names) + 1), dtype=np.int8)
            rows[1, -1] = 1
            return {"moves": rows}
        rows = np.zeros((len(self._moves), len(self._names) + 1), dtype=np.int8)
        for at, move in enumerate(self._moves):
            rows[at, [self._names.index(tile.name) for tile in move]] = 1
        return {"moves": rows}
