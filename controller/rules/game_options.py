"""Options of the Shut the Box family as fields: the rules of a turn, and the players' agreements beyond it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of a turn. A field that a game does not offer keeps its value here.

    rows, columns: the layout of the tiles.
    start: which tiles stand at the start.
    domino_set: the number of dominoes that replace the numbered tiles (0: none).
    domino_match: how a throw matches dominoes.
    dice, sides: a full throw.
    each_die: a throw is matched by one tile that equals one die or the sum of the dice.
    one_die: when a single die may be thrown.
    one_die_limit: the limit T of `at_most`.
    one_die_total: which tiles count towards that total.
    one_die_forced: whether the single die may (False) or must (True) be thrown.
    many_dice: where fewer dice are permitted, whether any number of more than two dice may be thrown.
    first_set: the number that the first move must contain (0: any move).
    on_seven: what a 7 of two dice ends.
    reveal: when a revealed tile may be used.
    score: what an open tile costs.
    max_tiles: the most tiles that one throw may shut (0: no limit).
    carry_board: the next player continues with the board as it is.
    """

    rows: int = 1
    columns: int = 9
    start: Literal["all", "odd", "even", "from_4", "only_7"] = "all"
    domino_set: Literal[0, 15, 21, 28] = 0
    domino_match: Literal["pair", "one_total", "any_total"] = "pair"
    dice: int = 2
    sides: Literal[6, 20] = 6
    each_die: bool = False
    one_die: Literal["never", "only1", "high_covered", "at_most"] = "never"
    one_die_limit: int = 6
    one_die_total: Literal["standing", "showing"] = "standing"
    one_die_forced: bool = False
    many_dice: Literal["one_or_all", "any"] = "one_or_all"
    first_set: int = 0
    on_seven: Literal["plain", "turn", "round", "played"] = "plain"
    reveal: Literal["next_throw", "same_throw"] = "next_throw"
    score: Literal["showing", "standing", "double_front", "count", "digits"] = "showing"
    max_tiles: int = 0
    carry_board: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreements of the players beyond a turn: order, ties, match and money. `on_seven=round` is in `Options`.

    shut: whether shutting the box ends the round at once.
    ties: who wins a round when the lowest scores are equal.
    first, first_dice: who begins, and how many dice are thrown for it.
    race: whole turns, or one throw each in rotation until somebody shuts the box.
    alternate: one throw each on a common board.
    lost: what losing on the first throw means (2-to-go).
    stake: the coins that each player pays into the pool.
    double_stake: what the others pay for a shut.
    odd_coin: who gets the coins that cannot be divided evenly.
    match: the form of the match.
    match_limit: the total that ends a tournament or drops a player out (0: 100 and 45).
    rounds: the rounds of a match for points.
    match_end, match_shut, match_tie, all_drop: see `controller.game.shutbox.match`.
    undo: who may take a choice back until the next throw lies, or correct the throw read before it.
    undo_limit: how often each player may do so in a match (0: no limit).
    hints: whether the box tells odds and best moves; `single`: only in a game outside a match.
    """

    shut: Literal["immediate", "play_on"] = "immediate"
    ties: Literal["split", "play_off", "carry_over", "earlier_wins"] = "split"
    first: Literal["lowest", "highest", "chosen", "rotate", "winner"] = "lowest"
    first_dice: int = 1
    race: Literal["rotation", "turn"] = "turn"
    alternate: bool = False
    lost: Literal["round", "turn", "game"] = "round"
    stake: int = 0
    double_stake: Literal["none", "extra", "on_top"] = "none"
    odd_coin: Literal["earliest_seat", "latest_seat"] = "earliest_seat"
    match: Literal["single", "tournament", "drop-out", "points"] = "single"
    match_limit: int = 0
    rounds: int = 5
    match_end: Literal["after_round", "at_once"] = "after_round"
    match_shut: Literal["zero", "wins_match"] = "zero"
    match_tie: Literal["extra_round", "share"] = "extra_round"
    all_drop: Literal["lowest", "replay"] = "lowest"
    undo: Literal["chooser", "anybody", "nobody"] = "chooser"
    undo_limit: int = 0
    hints: Literal["single", "always", "never"] = "single"

    @property
    def allows_hints(self) -> bool:
        return self.hints == "always" or (self.hints == "single" and self.match == "single")

    @property
    def has_running_totals(self) -> bool:
        """True for a match in which scores add up over the rounds."""
        return self.match in ("tournament", "drop-out")

    @property
    def shut_wins(self) -> bool:
        """True if shutting the box ends the round at once, in favour of the player who did it."""
        if self.race == "rotation" or self.alternate:
            return True
        return self.match_shut == "wins_match" if self.has_running_totals else self.shut == "immediate"

    @property
    def shares_rounds(self) -> bool:
        """True if every player who ends a round with the lowest score wins it, or still may; else only one can."""
        return self.has_running_totals or self.ties != "earlier_wins"

    @property
    def stakes_for_shut(self) -> int:
        """The extra stakes that every other player pays for a shut that wins outright (S001: double the stake)."""
        return {"none": 0, "extra": 1, "on_top": 2}[self.double_stake]
