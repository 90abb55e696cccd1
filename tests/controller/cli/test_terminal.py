"""A seat at a terminal, and what stands on its screen: at once, and when the box's program goes and comes back."""

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest
from rich.console import Console

from controller.cli.play.seat import NewGame, Seat
from controller.errors import SeatTaken
from controller.game.core.commands import StartGame
from controller.game.core.message import compose
from controller.game.core.players import Player
from controller.game.shutbox.commands import RollDice, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.game.table.wire import ClientCommand
from controller.messages.words import ENGLISH, Words, words_in
from controller.web.client import Client, DaemonGone, Refused
from tests.support.said import said
from tests.support.stories import offers

if TYPE_CHECKING:
    from controller.opponents.hints import OddsBook

GAME = NewGame(StartGame((Player("Ann"), Player("Bob"))))
DUE = compose("throw.awaited", player="Ann", thrower="Ann", by_house=False, counts=(2,), sides=6)
NO_GAME = compose("table.idle")
THROWING = Snapshot(
    1, "two-level-9", said(DUE), phase="awaiting_throw", event=3, dice_allowed=(2,),
    actions=offers("roll", "dice", "park"), messages=(DUE,),
)  # fmt: skip
IDLE = Snapshot(9, "two-level-9", said(NO_GAME), actions=offers("start"), messages=(NO_GAME,))


class FakeClient:
    """A daemon that says its snapshots, ends after each run of them, and knows no old seat after the first."""

    def __init__(self, *runs: Sequence[Snapshot]) -> None:
        self._runs = [*runs]
        self.sent: list[ClientCommand] = []
        self.sat = 0
        self.known = True

    async def sit(self, _names: Sequence[str], _door: str) -> None:
        if not self._runs:
            raise DaemonGone("gone")
        if not self.known:
            raise Refused("nobody sits here with that token")
        self.sat += 1

    async def leave(self) -> None:
        self.known = False

    def forget_seat(self) -> None:
        self.known = True

    @asynccontextmanager
    async def snapshots(self) -> AsyncIterator[AsyncIterator[Snapshot]]:
        async def told() -> AsyncIterator[Snapshot]:
            for snapshot in self._runs.pop(0):
                yield snapshot
                await asyncio.sleep(1)
            self.known = False

        yield told()

    async def send(self, command: ClientCommand) -> None:
        self.sent.append(command)
        await asyncio.sleep(2)


async def screen(
    client: FakeClient,
    *lines: tuple[float, str],
    waits: bool = True,
    game: NewGame = GAME,
    words: Words = ENGLISH,
    names: Sequence[str] = (),
) -> str:
    """What stands there in the end; each line is typed so many seconds after the one before."""
    console = Console(file=io.StringIO(), width=80)

    async def typed() -> AsyncIterator[str]:
        for pause_s, line in lines:
            await asyncio.sleep(pause_s)
            yield line

    seat = Seat(cast("Client", client), console, game, cast("OddsBook", None), names, waits=waits, words=words)
    await seat.sit(typed())
    return cast("io.StringIO", console.file).getvalue()


async def test_who_throws_sees_at_once_that_the_dice_are_read() -> None:
    client = FakeClient([THROWING] * 5)
    seen = await screen(client, (0.5, ""), (0.5, "d 5 3"))
    assert seen.index("Reading the dice ...") > seen.index("throw two dice")
    assert seen.count("Reading the dice ...") == 1
    assert [type(each) for each in client.sent] == [RollDice, TakeThrow]


async def test_a_seat_waits_for_a_daemon_that_is_started_again_and_draws_everything_anew() -> None:
    client = FakeClient([THROWING], [THROWING])
    seen = await screen(client, (5, "q"))
    gone, back = seen.index("this seat waits for it"), seen.index("It is back.")
    assert gone < back < seen.rindex("Ann: throw two dice")
    assert (seen.count("Ann: throw two dice"), client.sat) == (2, 2)


async def test_a_seat_at_a_daemon_that_ends_again_at_once_sits_down_once_more() -> None:
    client = FakeClient([THROWING], [], [THROWING])
    seen = await screen(client, (9, "q"))
    assert (seen.count("It is back."), client.sat) == (2, 3)
    assert seen.count("Ann: throw two dice") == 2


async def test_a_seat_that_another_has_taken_meanwhile_is_left_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    client = FakeClient([THROWING], [THROWING])
    monkeypatch.setattr(client, "forget_seat", lambda: None)  # it is refused without its token too
    with pytest.raises(Refused, match="nobody sits here"):
        await screen(client, (9, "q"))


async def test_a_seat_that_came_back_to_an_idle_table_begins_no_game() -> None:
    client = FakeClient([THROWING], [IDLE])
    assert "No game is on." in await screen(client, (8, "q"))
    assert (client.sent, client.sat) == ([], 2)


async def test_nobody_sits_down_under_a_name_that_does_not_play_in_the_game_he_begins() -> None:
    client = FakeClient([IDLE])
    with pytest.raises(SeatTaken, match="nobody can sit down as Zoe in this game; the seats are those of"):
        await screen(client, (9, "q"), names=("Zoe",))
    assert not client.sent


async def test_a_seat_with_a_daemon_of_its_own_does_not_wait() -> None:
    with pytest.raises(DaemonGone, match="the game is saved"):
        await screen(FakeClient([THROWING]), (9, "q"), waits=False)


async def test_a_mark_is_for_what_needs_help_alone() -> None:
    news = compose("game.resumed")
    help_ = compose("lid.closed")
    told = [
        Snapshot(
            1, "two-level-9", THROWING.say, phase="awaiting_throw", event=3, notice=said(each), messages=(DUE, each)
        )
        for each in (news, help_)
    ]
    seen = await screen(FakeClient(told), (1.5, "nonsense"), (1, "q"))
    assert "  The game was saved.\n" in seen
    assert "  ! The lid is closed. Open it, and the game goes on by itself." in seen
    assert (
        "  'nonsense' is not possible now.\n"
        "  throw on the baize: the camera looks by itself; Enter: it looks now; h: hint;\n"
        "  ?: help\n"
    ) in seen


async def test_who_asks_for_the_game_that_is_on_is_not_told_to_end_it() -> None:
    mine = replace(THROWING, game="two-level", players=("Ann", "Bob"), board="1 2 3 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1")
    asked = replace(GAME, is_asked_for=True)
    assert "give up" not in await screen(FakeClient([mine]), (1.5, "q"), game=asked)
    other = replace(mine, players=("Ann", "Cleo"))
    assert "A game of two-level is on (Ann and Cleo), and goes on here." in await screen(
        FakeClient([other]), (1.5, "q"), game=asked
    )


async def test_help_is_help() -> None:
    assert "take back the last choice" in await screen(FakeClient([THROWING]), (1.5, "help"), (1, "q"))
    assert "end this game for everybody" in await screen(FakeClient([THROWING]), (1.5, "??"), (1, "q"))


async def test_a_seat_speaks_the_language_that_is_set() -> None:
    kept = compose("game.resumed")
    told = replace(THROWING, notice=said(kept), messages=(DUE, kept), game_id=1)
    seen = await screen(FakeClient([told, told, told]), (1.5, "nonsense"), (1, "q"), words=words_in("de"))
    assert seen.splitlines() == [
        "  Das Spiel ist noch da.",
        "",
        "",
        "Ann: wirf zwei Würfel.",
        "  wirf auf den Filz: die Kamera schaut von selbst; Enter: sie schaut jetzt;",
        "  h: Tipp; ?: Hilfe",
        "  'nonsense' geht gerade nicht.",
        "  wirf auf den Filz: die Kamera schaut von selbst; Enter: sie schaut jetzt;",
        "  h: Tipp; ?: Hilfe",
    ]
