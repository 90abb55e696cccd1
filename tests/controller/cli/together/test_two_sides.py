"""Two ends over a channel that loses, doubles and reorders: they come to the same sequence, or name a difference."""

import random
from collections.abc import Sequence as Many
from dataclasses import dataclass, field, replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cli.together.messages import MOST_BYTES, Actions, Differ, Message, Status, decode, encode
from controller.cli.together.sequence import Action, Reader, Sequence, Start, command_of
from controller.cli.together.side import Side
from controller.cli.together.together import start_of
from controller.errors import BadPlayers, NotNow, NotYours, ShutboxError
from controller.game.core.commands import Abandon, Command, ConfirmTiles, Undo
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent, GameStarted
from controller.game.core.phases import Moving
from controller.game.core.players import Door
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.shutbox.state import Choosing, Game, TurnLost
from controller.game.table.caller import check_side
from controller.game.table.engines import any_rules_of, decide, evolve
from controller.rules.errors import RulesError

PLAYERS = ("Ann", "Bea")
GAMES: Many[tuple[str, dict[str, object]]] = (
    ("pub", {"tiles": 5}),
    ("even-stevens", {}),
    ("pub", {"tiles": 4, "match": "points", "rounds": 2}),
    ("pub", {"tiles": 6, "first": "chosen", "undo_limit": 1}),
)


@dataclass
class End:
    """A box with its journal, as far as the game goes: what was applied, how often, and the side of the match."""

    number: int
    game_name: str
    options: dict[str, object]
    journal: list[GameEvent] = field(default_factory=list)
    game: Game | None = None
    applied: list[int] = field(default_factory=list)
    _reader: Reader = field(default_factory=Reader)

    def __post_init__(self) -> None:
        self.command = start_of("match", list(PLAYERS), [PLAYERS[self.number]], self.game_name, self.options)
        chosen = any_rules_of(self.game_name, self.options).chosen
        self._started = GameStarted(self.game_name, chosen, self.command.players)
        self.restart()

    def restart(self) -> None:
        """A new process, which knows nothing but the journal."""
        here = [PLAYERS[self.number]]
        self.side = Side("match", f"end{self.number}", Start.of(self._started), here)

    def begin(self) -> None:
        if not self.journal:
            self._keep((self._started,))

    def mine(self) -> Sequence | None:
        if self._reader.events > len(self.journal):
            self._reader = Reader()
        for event in self.journal[self._reader.events :]:
            self._reader.read(event)
        assert not self._reader.differs
        return self._reader.sequence

    def do(self, command: Command, door: Door) -> bool:
        try:
            check_side(self.game, command, door)
            self._keep(decide(self.game, command))
        except (RulesError, ShutboxError):
            return False
        return True

    def _keep(self, events: Many[GameEvent]) -> None:
        self.journal += events
        game: AnyGame | None = self.game
        for event in events:
            game = evolve(game, event)
        assert isinstance(game, Game)
        self.game = game

    def arrive(self) -> None:
        if self.game is not None and isinstance(self.game.phase, Moving):
            assert self.do(ConfirmTiles(), "box")

    def play(self, chance: random.Random) -> None:
        """Somebody at this box does something, whether they may or not."""
        game = self.game
        if game is None or game.is_over:
            return
        commands: list[Command] = [Undo(), AcceptLoss()]
        if chance.random() < 0.005:
            commands = [Abandon()]
        elif isinstance(game.phase, Choosing):
            moves = game.rules.legal_moves(game.board, game.phase.throw)
            commands = [Choose(tuple(tile.name for tile in chance.choice(moves)))]
        elif not isinstance(game.phase, TurnLost):
            dice = tuple(chance.randint(1, 6) for _ in range(max(game.dice_allowed)))
            commands += [TakeThrow(dice, "camera")] * 4
        if chance.random() < 0.1:
            commands = [CorrectThrow((chance.randint(1, 6), chance.randint(1, 6)))]
        self.do(chance.choice(commands), "terminal")

    def mirror(self) -> None:
        mine = self.mine()
        due = self.side.due(mine)
        if mine is not None and due is not None and self.do(command_of(due[1]), "remote"):
            self.applied.append(due[0])

    def hear(self, message: Message) -> list[Message]:
        answers = self.side.hear(message, self.mine())
        if self.side.theirs is not None and not self.side.differs:
            self.begin()
        return answers


def passed(chance: random.Random, message: Message) -> Message:
    """The message as it comes through the wire: always within its size."""
    payload = encode(message)
    assert len(payload) <= MOST_BYTES
    read = decode(payload)
    assert read == message
    return read


def run(ends: Many[End], chance: random.Random, steps: int, *, loss: float) -> None:
    air: list[tuple[int, Message]] = []
    for _ in range(steps):
        end = chance.choice(ends)
        deed = chance.random()
        if deed < 0.35:
            end.play(chance)
        elif deed < 0.5:
            end.arrive()
        elif deed < 0.6:
            end.mirror()
        elif deed < 0.7:
            air.append((1 - end.number, end.side.status(end.mine())))
        elif deed < 0.71:
            end.restart()
        elif air:
            at = chance.randrange(len(air))
            to, message = air[at] if chance.random() < 0.2 else air.pop(at)
            if chance.random() >= loss:
                air += [(1 - to, each) for each in ends[to].hear(passed(chance, message))]
        del air[:-30]


def agree(ends: Many[End], rounds: int = 400) -> None:
    """Nobody plays any more, and nothing is lost: both come to the same, or name why not."""
    for _ in range(rounds):
        for end in ends:
            for _ in range(4):
                end.arrive()
            for answer in ends[1 - end.number].hear(end.side.status(end.mine())):
                for back in end.hear(answer):
                    ends[1 - end.number].hear(back)
            if end.side.differs:
                for word in end.side.last_words(end.mine()):
                    ends[1 - end.number].hear(word)
            end.mirror()


@given(st.randoms(use_true_random=False), st.sampled_from(GAMES), st.floats(0, 0.9))
@settings(max_examples=60, deadline=None)
def test_over_any_channel_both_ends_come_to_the_same_sequence_each_action_once(
    chance: random.Random, game: tuple[str, dict[str, object]], loss: float
) -> None:
    ends = [End(number, *game) for number in (0, 1)]
    run(ends, chance, 200, loss=loss)
    agree(ends, 40)
    first, second = (end.mine() for end in ends)
    gave_up = [end for end in ends if any(event.kind == "game_abandoned" for event in end.journal)]
    if gave_up and any(end.side.differs for end in ends):
        assert all(end.side.differs for end in ends)
        return
    assert not any(end.side.differs for end in ends)
    assert first is not None
    assert second is not None
    assert first.actions == second.actions
    assert first.chain == second.chain
    for end in ends:
        assert len(set(end.applied)) == len(end.applied)


def begun(count: int, seed: int = 1) -> list[End]:
    """Two ends that have the same actions, this many at least."""
    for number in range(seed, seed + 200):
        ends = [End(each, "pub", {}) for each in (0, 1)]
        chance = random.Random(number)
        for end in ends:
            end.begin()
        for _ in range(300):
            for end in ends:
                end.play(chance)
            agree(ends, 2)
            mine = ends[0].mine()
            assert mine is not None
            if mine.is_over:
                break
            if mine.n >= count:
                return ends
    raise AssertionError("no such game")


def exchange(ends: Many[End]) -> None:
    for _ in range(3):
        agree(ends, 1)


def test_a_journal_that_lost_what_was_thrown_here_is_named_at_both_boxes_and_nothing_is_put_in_its_place() -> None:
    ends = begun(9)
    whole = ends[0].mine()
    assert whole is not None
    at = max(index for index, action in enumerate(whole.actions) if action.seat == 0)
    keep = Reader()
    for kept, event in enumerate(ends[0].journal):
        if keep.sequence is not None and keep.sequence.n == at and kept:
            break
        keep.read(event)
        last = kept
    ends[0].journal = ends[0].journal[: last + 1]
    ends[0].game = None
    ends[0].game = reduce(evolve, ends[0].journal, None)  # type: ignore[assignment]
    before = [list(end.journal) for end in ends]
    for end in ends:
        end.restart()
    exchange(ends)
    assert ends[0].side.differs.startswith(f"action {at + 1} of Ann: this box has nothing, the other box has")
    assert ends[1].side.differs.startswith(f"action {at + 1} of Ann: this box has {whole.actions[at]}, the other")
    assert [end.journal[: len(kept)] for end, kept in zip(ends, before, strict=True)] == before
    assert len(ends[0].journal) == len(before[0])


def test_one_gives_up_while_the_other_throws_and_both_name_it() -> None:
    ends = begun(2)
    turn = ends[0].game.turn if ends[0].game is not None else 0
    for end in ends:
        end.arrive()
    thrower, other = ends[turn], ends[1 - turn]
    assert thrower.game is not None
    if isinstance(thrower.game.phase, Choosing):
        move = thrower.game.rules.legal_moves(thrower.game.board, thrower.game.phase.throw)[0]
        did: Command = Choose(tuple(tile.name for tile in move))
    elif isinstance(thrower.game.phase, TurnLost):
        did = AcceptLoss()
    else:
        did = TakeThrow((1,) * max(thrower.game.dice_allowed))
    assert thrower.do(did, "terminal")
    assert other.do(Abandon(), "terminal")
    exchange(ends)
    assert "give up" in thrower.side.differs
    assert "give up" in other.side.differs
    assert "this box has give up" in other.side.differs
    assert "the other box has give up" in thrower.side.differs


def test_starts_that_differ_are_named_before_anything_begins() -> None:
    ends = [End(0, "pub", {"tiles": 9}), End(1, "pub", {"tiles": 10})]
    exchange(ends)
    assert ends[0].side.differs == "the start of the match: option tiles: this box has 9, the other box has 10"
    assert not ends[0].journal
    assert not ends[1].journal


def test_the_same_player_at_both_boxes_is_named() -> None:
    end = End(0, "pub", {})
    end.hear(replace(End(0, "pub", {}).side.status(None), sender="another"))
    assert end.side.differs == "the start of the match: Ann plays at both boxes; Bea plays at neither box"


def test_actions_of_another_match_another_place_or_another_past_do_nothing() -> None:
    ends = begun(6)
    mine = ends[0].mine()
    assert mine is not None
    side, other = ends[0].side, ends[1].side
    lies: list[Message] = [
        *(replace(each, match="other") for each in other.hear(side.status(None), mine)),
        Status("other", "x", ("Bea",), side.start, ((0, "0" * 16),)),
        Differ("match", "x", 3, "0" * 16, Action("throw", 1, (6, 6))),
        replace(side._actions(mine, 0), sender="x", before="0" * 16),
        replace(side._actions(mine, 2), sender="x", first=mine.n + 3),
        replace(side._actions(mine, 0), sender="x"),
    ]
    for lie in lies:
        ends[0].hear(lie)
    assert not side.differs
    assert side.due(mine) is None


def test_an_action_for_a_player_of_this_box_is_not_mirrored() -> None:
    ends = begun(4)
    mine = ends[0].mine()
    assert mine is not None
    seat = mine.seat_for("throw")
    own = ends[seat or 0]
    own.arrive()
    forged = replace(own.side._actions(mine, 0), sender="x", first=mine.n, before=mine.chain[-1])
    own.hear(replace(forged, actions=(Action("throw", seat, (1, 1)),)))
    assert own.side.due(own.mine()) is None
    assert own.side.differs


@pytest.mark.parametrize("payload", [b"", b"{}", b"\xff", b"[" * 4000, b'{"kind":"status"}', b"9" * 5000, None, 3.5])
def test_what_is_no_message_is_none(payload: object) -> None:
    assert decode(payload) is None


def test_only_the_remote_door_acts_for_a_player_at_the_other_box() -> None:
    end = End(0, "pub", {"first": "chosen"})
    end.begin()
    end.arrive()
    assert end.game is not None
    here, there = end.game, replace(end.game, turn=1)
    doors: tuple[Door, ...] = ("terminal", "page", "script", "panel", "hands", "camera", "house", "box")
    for command in (TakeThrow((1, 2)), Choose(("front-3",)), AcceptLoss()):
        for door in doors:
            check_side(here, command, door)
            with pytest.raises(NotYours, match="Bea plays at the other box"):
                check_side(there, command, door)
        check_side(there, command, "remote")
        with pytest.raises(NotYours, match="Ann plays at this box"):
            check_side(here, command, "remote")
    check_side(there, Abandon(), "terminal")


@pytest.mark.parametrize(
    ("players", "here", "game"),
    [(["Ann", "Bea"], ["Ann", "Bea"], "pub"), (["Ann", "Bea"], ["Cy"], "pub"), (["Ann", "Bea"], ["Ann"], "fleet")],
)
def test_a_match_needs_players_at_both_boxes_and_a_game_of_turns(
    players: list[str], here: list[str], game: str
) -> None:
    with pytest.raises(BadPlayers):
        start_of("match", players, here, game, {})


def test_a_match_is_not_left_before_its_last_tiles_have_arrived() -> None:
    end = End(0, "pub", {"tiles": 4, "first": "chosen"})
    end.begin()
    end.arrive()
    assert end.do(TakeThrow((4, 6)), "terminal")
    assert end.do(Choose(("front-1", "front-2", "front-3", "front-4")), "terminal")
    mine = end.mine()
    assert mine is not None
    assert mine.is_over
    end.side.hear(replace(end.side.status(mine), sender="other", here=(PLAYERS[1],)), mine)
    assert not end.side.is_agreed(mine)
    end.arrive()
    assert end.side.is_agreed(end.mine())


def test_what_was_offered_before_something_else_happened_here_is_not_done() -> None:
    end = End(1, "pub", {"first": "chosen"})
    end.begin()
    end.arrive()
    mine = end.mine()
    assert mine is not None
    throw = Action("throw", 0, (1, 2))
    more = (throw, Action("choose", 0, tiles=("front-3",)))
    assert end.side.hear(Actions("match", "x", 0, mine.chain[0], more), mine) == []
    assert end.side.due(mine) == (0, throw)
    assert end.do(Abandon(), "terminal")
    assert end.side.due(end.mine()) is None


def test_nothing_of_a_turn_that_is_over_is_taken_back() -> None:
    end = End(0, "pub", {"first": "chosen", "tiles": 3})
    end.begin()
    end.arrive()
    assert end.do(TakeThrow((1, 2)), "terminal")
    assert end.do(Choose(("front-3",)), "terminal")
    assert end.game is not None
    decide(end.game, Undo())
    end.arrive()
    assert end.do(TakeThrow((5, 6)), "terminal")
    assert end.do(AcceptLoss(), "terminal")
    end.arrive()
    assert end.game.turn == 1
    for command in (Undo(), CorrectThrow((1, 2))):
        with pytest.raises(NotNow, match="the other box of this match may have gone on"):
            decide(end.game, command)


def test_a_turn_that_ends_by_itself_is_not_given_up_before_its_tiles_have_arrived() -> None:
    seats = start_of("match", list(PLAYERS), ["Ann"], "pub", {"tiles": 4, "first": "chosen"})
    game = evolve(None, GameStarted("pub", any_rules_of("pub", seats.options).chosen, seats.players))
    # 3 shuts 1 and 2, 7 the other two: the box is shut, and the game over once the sensors say so.
    for command in (
        TakeThrow((1, 2)),
        Choose(("front-1", "front-2")),
        TakeThrow((3, 4)),
        Choose(("front-3", "front-4")),
    ):
        if isinstance(game.phase, Moving):
            game = settle(game)
        for event in decide(game, command):
            game = evolve(game, event)
    assert isinstance(game.phase, Moving)
    with pytest.raises(NotNow, match="once the tiles are in place"):
        decide(game, Abandon())


def settle(game: AnyGame) -> AnyGame:
    for event in decide(game, ConfirmTiles()):
        game = evolve(game, event)
    return game
