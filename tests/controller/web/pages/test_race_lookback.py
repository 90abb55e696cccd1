"""A race that was played: in the list of games, and round by round on a page of its own."""

from pathlib import Path

from controller.game.core.commands import Abandon, Command, ConfirmTiles, StartGame, Undo
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameEvent
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, Claim, CountDown, NameCombination, Shout
from controller.game.table.engines import decide, digest_of, evolve
from controller.journal.store import Entry, Journal
from controller.web.pages.lookback.race import claims_of
from tests.support.api import ApiRig, open_api

TWOS, PAIRS = (2, 2, 2, 2, "joker", 2), (3, 3, 4, 4, 5, 5)
ROUND = (
    NameCombination("all-twos", "Ann"),
    NameCombination("three-pairs", "Ben"),
    CallGo(),
    CountDown(),
)


def events_of(*commands: Command) -> list[GameEvent]:
    """A race of two, each after what he has named."""
    return happen(StartGame((Player("Ann"), Player("Ben")), "fleet", {"first": "chosen"}), *ROUND, *commands)


def happen(start: StartGame, *commands: Command) -> list[GameEvent]:
    game: AnyGame | None = None
    found: list[GameEvent] = []
    for command in (start, ConfirmTiles(), *commands):
        for event in decide(game, command):
            found.append(event)
            game = evolve(game, event)
    return found


def test_claims_are_told_in_their_order_with_those_that_were_refused() -> None:
    claims = claims_of(events_of(Shout(player="Ann"), Claim(PAIRS, "Ann"), Shout(player="Ben"), Claim(PAIRS, "Ben")))
    assert [(claim.seats, claim.points) for claim in claims] == [((0,), None), ((1,), 2), ((0,), 1)]


def test_a_chip_that_was_put_back_is_told_no_more_nor_that_of_the_last_one() -> None:
    claims = claims_of(events_of(Shout(player="Ann"), Claim(TWOS, "Ann"), ConfirmTiles(), Undo(), ConfirmTiles()))
    assert claims == ()


def test_what_was_refused_stays_so_when_the_chip_before_it_is_put_back() -> None:
    start = StartGame((Player("Ann"), Player("Ben"), Player("Cleo")), "fleet", {"challenge": "in_order"})
    shouts = (Shout(player="Ann"), Shout(player="Ben"), Claim(TWOS, "Ann"), ConfirmTiles(), Claim(PAIRS, "Ben"))
    both = claims_of(happen(start, CallGo(), CountDown(), *shouts))
    assert [(claim.seats, claim.points is None) for claim in both] == [((0,), False), ((1,), True)]
    left = claims_of(happen(start, CallGo(), CountDown(), *shouts, Undo(), ConfirmTiles()))
    assert [(claim.seats, claim.points is None) for claim in left] == [((1,), True)]


def keep(api: ApiRig, events: list[GameEvent]) -> None:
    """Put a race into the journal, as its first game."""
    game: AnyGame | None = None
    entries = []
    for number, event in enumerate(events, 1):
        game = evolve(game, event)
        entries.append(Entry(number, "2026-11-01T20:00:00+00:00", event, digest_of(game)))
    with Journal(api.home.journal) as journal:
        journal.append(journal.next_game_id(), "two-level-9", entries)


async def test_a_race_has_its_page_and_its_line_in_the_list(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        keep(api, events_of(Shout(player="Ann"), Claim(TWOS, "Ann"), Abandon()))
        listed = (await api.away.get("/games")).text
        page = await api.away.get("/games/1")
        player = await api.away.get("/players/Ann")
        luck = await api.away.get("/games/1/luck")
    assert 'href="/games/1"' in listed
    assert "Given up." in listed
    assert page.status_code == 200
    for words in ("Round 1", "All Twos", "+2", "the last player", "Dice: 2, 2, 2, 2, 2 and boat"):
        assert words in page.text, words
    assert player.status_code in (200, 404)
    assert luck.status_code == 404
