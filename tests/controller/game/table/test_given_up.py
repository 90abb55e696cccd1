"""A game that was given up is played on as if nobody had, for as long as no other one has begun."""

import random
from dataclasses import replace

import pytest

from controller.errors import NotNow
from controller.game.core.commands import Abandon, GoOn, Undo
from controller.game.core.engine import AnyGame
from controller.game.core.phases import Ended, Moving
from controller.game.core.players import Player
from controller.game.table.engines import actions_of, decide, digest_of, evolve
from controller.game.table.wire import EVENT
from tests.controller.game.shutbox.test_actions import CHOOSING, MOMENTS, MOMENTS_OF_RACES
from tests.controller.game.shutbox.test_random_matches import next_command, start_of
from tests.support.stories import play

UNDER_WAY = {
    moment: game for moment, game in {**MOMENTS, **MOMENTS_OF_RACES}.items() if game is not None and not game.is_over
}


def taken_back(game: AnyGame) -> AnyGame:
    """The game after it was given up and that was taken back, by events that went through the journal."""
    after = game
    for command in (Abandon(), Undo()):
        for event in decide(after, command):
            after = evolve(after, EVENT.validate_json(EVENT.dump_json(event)))
    return after


def expect_to_go_on(game: AnyGame) -> None:
    after = taken_back(game)
    # As after a pause: everything is as it was, and the tiles are looked at.
    paused = replace(game, phase=Moving(game.resting))
    assert (after, digest_of(after)) == (paused, digest_of(paused))


@pytest.mark.parametrize("moment", UNDER_WAY)
def test_a_game_that_was_given_up_goes_on_where_it_stood(moment: str) -> None:
    expect_to_go_on(UNDER_WAY[moment])


def test_matches_by_chance_go_on_wherever_they_were_given_up() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        game = play(None, start_of(chance))
        for _ in range(chance.randrange(40)):
            if game.is_over:
                break
            game = play(game, next_command(chance, game))
        if not game.is_over:
            expect_to_go_on(game)


def test_people_who_may_give_up_may_take_it_back_and_what_was_won_stays() -> None:
    with_house = replace(CHOOSING, players=(Player("Ann"), Player("House", house=True)))
    over = play(with_house, Abandon())
    assert {each.kind: each.by for each in actions_of(over)} == {"start": (), "undo": ("Ann",)}
    won = replace(with_house, phase=Ended((0,)))
    for game in (won, None):
        with pytest.raises(NotNow):
            decide(game, Undo())
    with pytest.raises(NotNow, match="You can start a game or take it back"):
        decide(over, GoOn())
