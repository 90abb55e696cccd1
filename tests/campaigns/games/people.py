"""The people around a box that breaks: they type throws, choose by words or by hand, and help the box after a fault."""

import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from controller.game.core.commands import Believe, Command, GoOn, PutRight, StartGame, TryAgain, Undo
from controller.game.core.players import Player, default_players
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, TakeThrow
from controller.game.table.snapshot import Snapshot
from hardware.errors import Fault
from hardware.sim.world import World
from hardware.tiles import Position, TileId

_GAMES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("two-level", {}),
    ("two-level", {"carry_board": True}),
    *((name, {}) for name in ("pub", "traditional", "even-stevens", "digital", "lucky-7", "unlucky-7")),
)
_MOST_PLAYERS = 3
_BY_HAND = 0.3  # of all moves are chosen by tipping their tiles


def draw_game(chance: random.Random) -> StartGame:
    """A game for a few players, each of whom may be the house."""
    players = default_players(str(chance.randint(1, _MOST_PLAYERS)), "steady")
    seats = tuple(Player(player.name, house=chance.random() < 0.5) for player in players)
    return StartGame(seats, *chance.choice(_GAMES))


class People:
    """What people do about a snapshot, drawn from `chance`.

    halts: the codes of the faults that they were asked about; in_a_row: how many of these came since the last throw.
    """

    def __init__(self, chance: random.Random, world: World) -> None:
        self._chance = chance
        self._world = world
        self.halts: list[str] = []
        self.in_a_row = 0

    def act(self, snapshot: Snapshot) -> Command | None:
        """Throw, choose, or help the box; None if nothing is asked of them, or they have done it by hand."""
        match snapshot.phase:
            case "awaiting_throw":
                self.in_a_row = 0
                return self._throw(snapshot)
            case "choosing" if not snapshot.house:
                return self._choose(snapshot)
            case "turn_lost" if not snapshot.house:
                return AcceptLoss()
            case "halted" if snapshot.fault is not None:
                return self._help(snapshot, snapshot.fault)
            case "differing":
                return CorrectGame() if snapshot.can("correct_game") and self._chance.random() < 0.5 else PutRight()
            case "parked":
                self._world.open_lid()
                return GoOn()
        return None

    def _throw(self, snapshot: Snapshot) -> Command:
        """Throw, and type what the dice show."""
        count = snapshot.dice_wanted or self._chance.choice(snapshot.dice_allowed)
        return TakeThrow(self._dice(count))

    def _dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._chance.randint(1, 6) for _ in range(count))

    def _help(self, snapshot: Snapshot, fault: Fault) -> Command:
        """Mend what is broken, put the tile right by hand and vouch for it, type the dice that no camera sees, end the
        turn, take the choice back, or just try again.
        """
        self.in_a_row += 1
        self.halts.append(fault.code)
        if self._world.faults and self._chance.random() < 0.5:
            self._world.lift(self._chance.choice(self._world.faults))
        choice = self._chance.random()
        if choice < 0.3 and fault.kind == "camera" and snapshot.can("dice"):
            return self._throw(snapshot)
        if choice < 0.3 and fault.kind == "camera" and snapshot.throw:
            return CorrectThrow(self._dice(len(snapshot.throw)))
        if choice < 0.3 and snapshot.can("believe") and self._put_right(fault.part, fault.expected):
            return Believe()
        if choice < 0.4 and snapshot.can("end_turn"):
            return EndTurn()
        if choice < 0.5 and snapshot.can("undo"):
            return Undo(vouched=True)
        return TryAgain()

    def _choose(self, snapshot: Snapshot) -> Command | None:
        """Choose a move by words, or by tipping its tiles."""
        move = self._chance.choice(snapshot.moves)
        if self._chance.random() < _BY_HAND:
            with suppress(ValueError):
                for tile in sorted(move, reverse=True):
                    self._world.hand_moves(TileId.parse(tile), Position.SHUT)
                return None
        return Choose(move)

    def _put_right(self, part: str, expected: str) -> bool:
        """Tip a tile by hand to where it should be, as somebody honest would; False if it does not get there."""
        try:
            tile, position = TileId.parse(part), Position(expected)
        except ValueError:
            return False
        if self._world.position(tile) is not position:
            with suppress(ValueError):
                self._world.hand_moves(tile, position)
        return self._world.position(tile) is position
