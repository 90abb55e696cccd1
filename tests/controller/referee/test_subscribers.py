"""Who hears what the referee has recorded."""

from pathlib import Path

from controller.game.core.commands import StartGame
from controller.game.core.events import GameStarted
from controller.game.core.message import Messages, compose
from controller.game.core.players import Player
from controller.game.shutbox.commands import TakeThrow
from controller.game.shutbox.events import DiceThrown
from controller.game.shutbox.state import Game
from controller.referee.referee import Referee
from controller.referee.subscribers import Action, Words
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from tests.support.tables import open_table_rig, until


def begins(number: int) -> Messages:
    return (compose("round.begun", player="Ann", round=number),)


def worn(number: int) -> Messages:
    return (compose("wear.more", count=number),)


async def test_a_subscriber_hears_of_each_action_once_it_is_durable_and_its_words_are_said(tmp_path: Path) -> None:
    heard: list[Action] = []

    async with open_table_rig(tmp_path) as table:

        def hear(action: Action) -> Words:
            heard.append(action)
            assert table.journal.entries(action.game_id)[-1].event == action.events[-1]
            return Words(news=begins(len(heard)), notice=worn(1 + len(heard)))

        words = (hear, lambda _: Words(news=(compose("turn.undone", player="Bob"),)))
        referee = Referee(table.table, table.journal, pace=Pace(), wall_clock=lambda: "", subscribers=words)
        async with run_in_background(referee.run()):
            started = await referee.ask(StartGame((Player("Ann"),)))
            assert (started.news, started.notice) == (
                "Ann begins round 1. Bob takes that back.",
                "2 more tiles need a look.",
            )
            await until(referee, "awaiting_throw")
            thrown = await referee.ask(TakeThrow((5, 3)))
            assert (thrown.news, thrown.notice) == (
                "Ann begins round 3. Bob takes that back.",
                "4 more tiles need a look.",
            )

    first, _, last = heard
    assert isinstance(first.events[0], GameStarted)
    assert isinstance(first.after, Game)
    assert (first.before, first.after.throws) == (None, 0)
    assert last.events == (DiceThrown((3, 5), "typed"),)
    assert isinstance(last.before, Game)
    assert isinstance(last.after, Game)
    assert (last.before.throws, last.after.throws) == (0, 1)
