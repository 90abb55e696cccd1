"""The pages that look back: the games in a list, one of them throw by throw, a player, and the dice."""

import random
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.game.core.commands import Command, ConfirmTiles, ReportFault, StartGame, Undo
from controller.game.core.events import GameEvent, GameStarted
from controller.game.core.phases import Moving
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, EndTurn, TakeThrow
from controller.game.shutbox.events import MoveChosen
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.evolve import replay_box_game as replay
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.engines import decide, digest_of
from controller.journal.store import Entry, Journal
from controller.messages.words import words_in
from controller.opponents.lookback import look_back, story_of
from controller.opponents.statistics import PlayerStatistics
from controller.web.pages.lookback.figures import HEIGHT, curve_of
from controller.web.pages.lookback.lists import game_figures, say_verdict
from controller.web.pages.lookback.replay_view import replay_view_of
from controller.web.pages.lookback.turns import turns_of
from controller.web.pages.phrases import say_change, say_number, say_score, say_when
from controller.web.played import DiceView
from hardware.errors import Fault
from tests.support.api import ApiRig, open_api
from tests.support.tables import until

WORDS = words_in("en")
ANN_AND_BOB = (Player("Ann"), Player("Bob"))
JAM = ReportFault(Fault("H-301", "front-9", "SHUT", "OPEN", "Free the tile."))
SMALL = {"tiles": 5, "first": "chosen"}

AGREED = "it was agreed that nobody sees the odds in this game"


def play(*commands: Command, seed: int = 1, **start: object) -> list[GameEvent]:
    """A game of the pub, played by chance to its end; with `commands`, these are given after the start instead."""
    chance, events = random.Random(seed), list[GameEvent]()
    game: Game | None = None
    usual = StartGame(ANN_AND_BOB, "pub", SMALL)
    waiting: list[Command] = [replace(usual, **start), *commands]  # type: ignore[arg-type]
    while waiting:
        for event in decide(game, waiting.pop(0)):
            game = evolve(game, event)
            events.append(event)
        if not waiting and not commands:
            assert game is not None
            waiting = list(next_commands(game, chance))
    return events


def next_commands(game: Game, chance: random.Random) -> Iterable[Command]:
    match game.phase:
        case Moving():
            yield ConfirmTiles()
        case AwaitingThrow():
            yield TakeThrow(tuple(chance.randint(1, 6) for _ in range(max(game.dice_allowed))))
        case Choosing(throw):
            moves = game.rules.legal_moves(game.board, throw)
            yield Choose(tuple(tile.name for tile in chance.choice(moves)))
        case TurnLost():
            yield AcceptLoss()


def keep(api: ApiRig, events: Iterable[GameEvent], at: str = "2026-11-01T20:00:00+00:00") -> int:
    """Put a game into the journal; its number."""
    game, entries = None, []
    for number, event in enumerate(events, 1):
        game = evolve(game, event)
        entries.append(Entry(number, at, event, digest_of(game)))
    with Journal(api.home.journal) as journal:
        game_id = journal.next_game_id()
        journal.append(game_id, "two-level-9", entries)
    return game_id


@pytest.mark.parametrize("seed", range(12))
def test_turns_are_those_of_the_odds_and_every_throw_is_in_one(seed: int) -> None:
    events = play(seed=seed)
    turns, back = turns_of(events), look_back(events)
    assert [(turn.player, turn.round) for turn in turns] == [(each.player, each.round) for each in back.points]
    steps = [step for turn in turns for step in turn.steps]
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    chosen = [event.tiles for event in events if isinstance(event, MoveChosen)]
    assert [tuple(tile.name for tile in step.move) for step in steps if step.move] == chosen
    for turn in turns:
        assert turn.score == turn.steps[-1].game.rules.score(turn.steps[-1].game.board)


def test_what_was_taken_back_is_left_out() -> None:
    events = play(
        ConfirmTiles(),
        TakeThrow((2, 3)),
        Choose(("front-5",)),
        ConfirmTiles(),
        Undo(),
        ConfirmTiles(),
    )
    [turn] = turns_of(events)
    [step] = turn.steps
    assert step.move == ()
    assert step.game.board == step.game.rules.start()


def test_where_players_throw_once_each_a_round_is_one_turn() -> None:
    events = play(game="lucky-7", options={"first": "chosen"})
    [turn] = turns_of(events)
    assert turn.player is None
    assert [step.player for step in turn.steps][:2] in ([0], [0, 1])
    game = replay(events)
    assert game is not None
    view = replay_view_of(game, (turn,), story_of(1, game, look_back(events)), 1, "en")
    assert (view.headline, view.curve) == ("Round 1", None)
    assert view.lines[0].did.startswith("Ann: ")


@pytest.mark.parametrize("seed", range(6))
def test_the_curve_goes_from_what_was_expected_to_the_score_inside_its_frame(seed: int) -> None:
    events = play(seed=seed)
    game = replay(events)
    assert game is not None
    for turn in story_of(1, game, look_back(events)).turns:
        curve = curve_of(turn)
        (zero_y, _), *_, (top_y, top) = curve.grid
        scale = top / (zero_y - top_y)
        assert (zero_y - curve.points[-1].y_after) * scale == pytest.approx(turn.result, abs=scale / 5)
        assert curve.path.startswith(f"M{curve.start_x:g} ")
        assert (zero_y - float(curve.path.split("L")[0].split()[1])) * scale == pytest.approx(turn.expected, abs=scale)
        for point, choice in zip(curve.points, turn.choices, strict=True):
            assert point.cost == pytest.approx(choice.dice_error + choice.error)
            assert 0 <= point.y_after <= point.y <= HEIGHT
            assert curve.left < point.x < curve.width
        ys = [y for y, _ in curve.grid]
        assert ys == sorted(ys, reverse=True)
        assert len(ys) <= 7


def test_lines_add_up_to_the_score() -> None:
    events = play(seed=3)
    game = replay(events)
    assert game is not None
    story, turns = story_of(1, game, look_back(events)), turns_of(events)
    views = [replay_view_of(game, turns, story, turn.steps[-1].number, "en") for turn in turns]
    assert any(line.costs for view in views for line in view.lines[:-1])
    for view, told, turn in zip(views, story.turns, turns, strict=True):
        assert view.lines[0].before == say_number(told.expected, WORDS)
        assert view.lines[-1].after == say_number(float(turn.score or 0), WORDS)
        assert [line.before for line in view.lines[1:]] == [line.after for line in view.lines[:-1]]
        assert all(line.best.startswith("best: ") == line.costs for line in view.lines)


@pytest.mark.parametrize(
    ("luck", "errors", "said"),
    [
        (-2.5, 1.25, "Ann ended on 0: lucky dice saved 2.5 points, and better choices would have saved 1.2."),
        (2.5, 1.25, "Ann ended on 0: unlucky dice cost 2.5 points, and better choices would have saved 1.2."),
        (-2.5, 0.0, "Ann ended on 0: lucky dice saved 2.5 points, and no choice could have been better."),
        (2.5, 0.01, "Ann ended on 0: unlucky dice cost 2.5 points, and no choice could have been better."),
    ],
)
def test_a_turn_is_told_by_luck_and_choices(luck: float, errors: float, said: str) -> None:
    events = play(ConfirmTiles(), TakeThrow((1, 2)), options={"tiles": 2, "first": "chosen"})
    game = replay(events)
    assert game is not None
    [turn] = turns_of(events)
    story = story_of(1, game, look_back(events))
    told = replace(story.turns[0], luck=luck, errors=errors, result=0.0)
    view = replay_view_of(game, (replace(turn, score=0),), replace(story, turns=(told,)), 1, "en")
    assert view.headline == said


def test_what_a_fault_cost_is_not_the_dice_s_doing() -> None:
    halted = (TakeThrow((5, 4)), Choose(("front-9",)), JAM, EndTurn())
    events = play(ConfirmTiles(), *halted, options={"first": "chosen"})
    game = replay(events)
    assert game is not None
    view = replay_view_of(game, turns_of(events), story_of(1, game, look_back(events)), 1, "en")
    assert "lucky dice saved 3." in view.headline
    assert "By faults and moved tiles: +28." in view.headline


@pytest.mark.parametrize(
    ("game", "commands", "said"),
    [
        ("unlucky-7", (TakeThrow((3, 4)), AcceptLoss()), "threw 4 and 3. A 7 ends the turn, on 45."),
        ("pub", (TakeThrow((3, 4)), JAM, EndTurn()), "threw 4 and 3. The turn ends on 45."),
    ],
)
def test_what_ended_a_turn_is_said(game: str, commands: tuple[Command, ...], said: str) -> None:
    events = play(ConfirmTiles(), *commands, game=game, options={"first": "chosen"})
    over = replay(events)
    assert over is not None
    assert said in replay_view_of(over, turns_of(events), None, 1, "en").say


def test_a_game_is_shown_before_its_odds_are_known() -> None:
    events = play(seed=3)
    game = replay(events)
    assert game is not None
    view = replay_view_of(game, turns_of(events), None, 1, "en")
    assert view.curve is None
    assert view.shares == ()
    assert view.headline.startswith("Ann ended on ")
    assert not view.lines[0].luck


def _of_nobody(entry: Entry) -> Entry:
    """The entry; the beginning of a game as if nobody played it."""
    return replace(entry, event=replace(entry.event, players=())) if isinstance(entry.event, GameStarted) else entry


async def test_games_are_listed_with_who_played_and_how_it_came_out(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        with Journal(api.home.journal) as journal:
            before = len(journal.game_ids())
        nobody = (await api.away.get("/games")).text
        won = play(seed=2)
        game_id = keep(api, won)
        keep(api, play(seed=2)[:6])
        with Journal(api.home.journal) as journal:
            broken = journal.next_game_id()
            journal.append(broken, "two-level-9", journal.entries(game_id)[1:])
            played = journal.entries(game_id)
            journal.append(journal.next_game_id(), "two-level-9", [*map(_of_nobody, played)])
        page = (await api.away.get("/games")).text
        unreadable = await api.away.get(f"/games/{broken}")
    assert f"Game {broken} cannot be read any more." in unreadable.text
    game = replay(won)
    assert game is not None
    assert before == 0
    assert "Nobody has played a game yet." in nobody
    for score in game.scores:
        assert f"<b>{say_score(score)}</b>" in page
    outcomes = re.findall(r'data-kind="(\w+)"', page)
    assert outcomes == ["unreadable", "unreadable", "left", "won"]
    assert f'href="/games/{game_id}"' in page
    assert f'href="/games/{broken}"' not in page


async def test_twenty_games_a_page(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        events = play(seed=2)
        ids = [keep(api, events) for _ in range(21)]
        first = (await api.away.get("/games")).text
        rest = (await api.away.get(f"/games?before={ids[1]}")).text
    assert re.findall(r'href="/games/(\d+)"', first) == [str(each) for each in ids[:0:-1]]
    assert f'href="/games?before={ids[1]}"' in first
    assert re.findall(r'href="/games/(\d+)"', rest) == [str(ids[0])]
    assert "before=" not in rest


async def test_a_game_is_replayed_by_links_alone(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        events = play(seed=3)
        game_id = keep(api, events)
        address, seen = f"/games/{game_id}", []
        for _ in range(100):
            page = (await api.away.get(address)).text
            seen.append(re.findall(r'id="say"[^>]*>([^<]+)<', page)[0])
            following = re.search(r'rel="next" href="([^"]+)"', page)
            if following is None:
                break
            address = f"/games/{game_id}{following[1]}"
        past = (await api.away.get(f"/games/{game_id}?move=9999")).text
    steps = [step for turn in turns_of(events) for step in turn.steps]
    assert len(seen) == len(steps)
    assert all(("and shut" in said) == bool(step.move) for said, step in zip(seen, steps, strict=True))
    assert seen[-1] in past
    assert 'class="curve' in past
    assert "Start + luck + choices = score" in past


async def test_odds_that_take_long_come_with_a_later_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.web.pages.lookback.replay._PATIENCE_S", 0)
    async with open_api(tmp_path, played=False) as api:
        game_id = keep(api, play(seed=3))
        first = (await api.away.get(f"/games/{game_id}")).text
        for _ in range(1000):
            later = (await api.away.get(f"/games/{game_id}")).text
            if "data-waits" not in later:
                break
    assert "data-waits" in first
    assert "The odds are being worked out." in first
    assert 'class="curve' in later


@pytest.mark.parametrize("hints", ["single", "always"])
async def test_a_match_that_is_on_shows_its_moves_and_no_odds_unless_that_was_agreed(
    tmp_path: Path, hints: str
) -> None:
    async with open_api(tmp_path, played=False) as api:
        options = {**SMALL, "match": "points", "hints": hints}
        game_id = keep(api, play(ConfirmTiles(), TakeThrow((2, 3)), Choose(("front-5",)), options=options))
        page = (await api.away.get(f"/games/{game_id}")).text
        luck = await api.away.get(f"/games/{game_id}/luck")
        told = await api.away.get(f"/api/history/{game_id}/luck")
    assert re.search(r'id="say"[^>]*>Ann threw [^<]+ and shut [^<]+<', page)
    is_told = hints == "always"
    assert ('class="curve' in page) is is_told
    assert ("Nobody sees the odds in this game, as agreed." in page) is not is_told
    assert [luck.status_code, told.status_code] == [200 if is_told else 409] * 2
    assert is_told or (told.json()["code"], told.json()["error"]) == (
        "C-301",
        "it was agreed that nobody sees the odds in this game",
    )


async def test_at_its_end_a_game_says_what_was_luck_once_that_is_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.web.pages.lookback.replay._PATIENCE_S", 0)
    async with open_api(tmp_path, played=False) as api:
        game_id = keep(api, play(seed=3))
        first = later = await api.away.get(f"/games/{game_id}/luck")
        for _ in range(1000):
            if later.status_code == 200:
                break
            later = await api.away.get(f"/games/{game_id}/luck")
    assert (first.status_code, first.text) == (204, "")
    assert re.search(r"<li>\w+ ended on \d+: (un)?lucky dice (saved|cost) [\d.]+ points, ", later.text)


async def test_a_game_is_one_picture_to_pass_on(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        game_id = keep(api, play(seed=3))
        page = (await api.away.get(f"/games/{game_id}")).text
        answer = await api.away.get(f"/games/{game_id}/picture")
        none = await api.away.get("/games/99/picture")
    picture = ElementTree.fromstring(answer.content)  # noqa: S314  our own
    texts = ["".join(each.itertext()) for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert f'href="/games/{game_id}/picture"' in page
    assert f'href="/api/history/{game_id}/record"' in page
    assert any(text.startswith("Ann") for text in texts)
    assert any(re.match(r"Bob: \d·\d ", text) for text in texts)
    assert any(text.startswith("Luck so far") for text in texts)
    assert none.status_code == 404


async def test_a_picture_tells_no_odds_that_nobody_is_told(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        options = {**SMALL, "match": "points", "hints": "single"}
        game_id = keep(api, play(ConfirmTiles(), TakeThrow((2, 3)), Choose(("front-5",)), options=options))
        picture = (await api.away.get(f"/games/{game_id}/picture")).text
    assert "Luck so far" not in picture


async def test_who_looked_at_a_game_just_before_its_end_is_told_its_last_turn_too(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        await api.referee.ask(StartGame(ANN_AND_BOB, "pub", {**SMALL, "tiles": 3}))
        address = f"/games/{api.referee.snapshot.game_id}/luck"
        for _ in ANN_AND_BOB:
            await until(api.referee, "awaiting_throw")
            await api.referee.ask(TakeThrow((6, 6)))
            await until(api.referee, "turn_lost")
            before = (await api.away.get(address)).text
            await api.referee.ask(AcceptLoss())
        after = (await api.away.get(address)).text
    assert api.referee.snapshot.phase == "ended"
    assert ("Ann ended on" in before, "Bob ended on" in before) == (True, False)
    assert ("Ann ended on" in after, "Bob ended on" in after) == (True, True)


async def test_a_game_without_odds_is_replayed_and_says_why(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        game_id = keep(api, play(game="two-level", options={"alternate": True, "columns": 3, "first": "chosen"}))
        page = (await api.away.get(f"/games/{game_id}")).text
    assert "There is no curve for this game" in page
    assert 'id="say"' in page


async def test_what_is_not_there_is_a_page_with_the_way_back(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        for path in ("/games/999", "/players/Nobody"):
            answer = await api.away.get(path, headers={"accept": "text/html"})
            assert answer.status_code == 404
            assert answer.headers["content-type"].startswith("text/html")
            assert 'href="/games"' in answer.text


@pytest.mark.parametrize(
    ("luck", "errors", "said"),
    [
        (-7.2, 0.04, "saved 7.2 points a turn, and no choice could have been better."),
        (7.2, 0.0, "cost 7.2 points a turn, and no choice could have been better."),
        (-7.2, 0.5, "saved 7.2 points a turn, and better choices would have saved 0.5 more."),
        (7.2, 0.5, "cost 7.2 points a turn, and better choices would have saved 0.5."),
    ],
)
def test_a_player_without_an_error_is_told_so(luck: float, errors: float, said: str) -> None:
    found = PlayerStatistics("Ann", "pub", 1, 1, 1, 8.0, 8, luck, errors)
    assert game_figures(found, WORDS).say == f"On average the dice {said}"


@pytest.mark.parametrize(("game", "turns"), [("pub", "3 turns"), ("fleet", None)])
def test_nothing_is_said_of_turns_in_a_race(game: str, turns: str | None) -> None:
    assert game_figures(PlayerStatistics("Ann", game, 3, 1, 3, 8.0, 8, None, None), WORDS).turns == turns


async def test_a_player_has_luck_and_skill_apart_and_his_name_is_no_markup(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        for seed in range(3):
            keep(api, play(seed=seed, players=(Player("<b>"), Player("Bob"))))
        keep(api, play(seed=9, players=(Player("Ann"),)))
        keep(api, play(seed=9, players=(Player("Ann/Bob"),)))
        page = (await api.away.get("/players/%3Cb%3E")).text
        alone = (await api.away.get("/players/Ann")).text
        slashed = await api.away.get("/players/Ann/Bob")
    assert "&lt;b&gt;" in page
    assert "3 games, " in page
    assert re.search(r"On average the dice (saved|cost) \d+\.\d points a turn", page)
    assert page.count('<svg class="bar"') == 2
    assert "Played alone" in alone
    assert (slashed.status_code, "Ann/Bob" in slashed.text) == (200, True)


async def test_the_dice_are_judged_in_a_sentence(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        none = (await api.away.get("/dice")).text
    assert "Nobody has thrown any dice yet." in none
    async with open_api(tmp_path, played=False) as api:
        keep(api, play(seed=3))
        some = (await api.away.get("/dice")).text
    assert "Nothing is odd about these dice so far" in some


@pytest.mark.parametrize(
    ("counts", "fair", "p", "said"),
    [
        ((10,) * 6, True, 1.0, "A verdict needs 500 dice or more"),
        ((83,) * 6, True, 1.0, "A verdict needs 500 dice or more"),
        ((100,) * 6, True, 1.0, "These dice look fair: fair ones look just like this."),
        ((120, 80, 100, 100, 100, 100), True, 0.993, "These dice look fair: fair ones look just like this."),
        ((120, 80, 100, 100, 100, 100), True, 0.604, "at least as odd on up to 61 evenings of 100"),
        ((120, 80, 100, 100, 100, 100), True, 0.0105, "at least as odd on up to 2 evenings of 100"),
        ((5, 5, 5, 5, 5, 35), False, 0.001, "the 6 comes too often"),
        ((10, 10, 10, 10, 10, 1), False, 0.001, "the 6 comes too seldom"),
    ],
)
def test_the_verdict_says_how_odd_the_throws_are(counts: tuple[int, ...], fair: bool, p: float, said: str) -> None:
    face = None if p >= 1 else 6
    assert said in say_verdict(DiceView(6, sum(counts), counts, fair, p, face), WORDS)


def test_times_are_said_as_people_say_them() -> None:
    now = datetime(2026, 11, 24, 15, 0, tzinfo=UTC)  # a Tuesday
    told = {days: say_when((now - timedelta(days=days, hours=2)).isoformat(), now, WORDS) for days in (0, 1, 2, 6, 7)}
    assert told == {
        0: "today, 13:00",
        1: "yesterday, 13:00",
        2: "Sunday, 13:00",
        6: "Wednesday, 13:00",
        7: "17 November 2026, 13:00",
    }
    assert say_when("2026-11-41T13:00:00", now, WORDS) == "", "a flaw of the disk has changed it"


def test_figures_have_the_signs_of_their_language() -> None:
    assert [say_change(value, WORDS) for value in (9.62, -0.4, 0.04, -0.04)] == ["+9.6", "\u22120.4", "0", "0"]
    assert say_number(-1.25, words_in("de"), 2) == "\u22121,25"
    assert WORDS.all_of(["9"]) == "9"
    assert WORDS.all_of(["9", "1", "the 3 behind"]) == "9, 1 and the 3 behind"
