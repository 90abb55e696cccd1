import json
import random
import shutil
import subprocess
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import RecordError
from controller.game.core.commands import Abandon, ConfirmTiles, StartGame, Undo
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameStarted
from controller.game.core.players import BY_THE_BOX, Origin, Player
from controller.game.fleet.commands import CallGo, CountDown, Shout, WithdrawShout
from controller.game.fleet.events import ChipReturned, ChipTaken
from controller.game.fleet.state import Race
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.shutbox.events import DiceThrown, FirstRolled, ThrowCorrected, TurnEnded
from controller.game.shutbox.state import Game
from controller.game.stn.position import position_of, position_text, read_position
from controller.game.stn.record import Record, facts_of, read_record, read_records, write_record
from controller.game.table.engines import decide, evolve
from controller.journal.stn import import_records, load_records, record_from
from controller.journal.store import Journal
from controller.rules.shutbox.games import GAMES
from tests.campaigns.records.games import KINDS, Told, told_by_chance
from tests.campaigns.records.records import Outcome, RecordReport, try_record
from tests.support.races import RaceByHand

SECOND_READER = Path(__file__).with_name("second_reader.mjs")
SMALL = """[STN 1]
[Game "pub"]
[Players ["Ann","Bob"]]
[Options {"first":"chosen"}]
[Others {}]
[Dice "typed"]
[End "unfinished"]
[Scores {"Ann":8,"Bob":null}]
[Winners []]

1 44:134 24:6 56:29 16:7 14:5 36!#8
2 35>36:9h
"""


def played(*commands: Any, game: str = "pub", **options: Any) -> tuple[Told, AnyGame]:
    """A game of two by these commands, tiles in place after each."""
    told: Told = []
    now: AnyGame | None = None
    start = StartGame((Player("Ann"), Player("Bob")), game, {"first": "chosen"} | options)
    for command in (start, *commands):
        for each in (command, ConfirmTiles()):
            if isinstance(each, ConfirmTiles) and (now is None or type(now.phase).__name__ != "Moving"):
                continue
            for event in decide(now, each):
                now = evolve(now, event)
                told.append((event, BY_THE_BOX))
    assert now is not None
    return told, now


def body(told: Told) -> list[str]:
    return write_record(told).partition("\n\n")[2].splitlines()


def test_a_turn_is_a_line_with_its_throws_and_its_score() -> None:
    told, _ = played(TakeThrow((4, 4)), Choose(("front-8",)), TakeThrow((6, 5)), Choose(("front-2", "front-9")))
    assert body(told) == ["1 44:8 56:29"]


def test_what_was_corrected_taken_back_and_let_stand_is_told() -> None:
    told, _ = played(
        TakeThrow((4, 4), "camera"),
        CorrectThrow((4, 5)),
        Choose(("front-9",)),
        Undo(),
        Choose(("front-4", "front-5")),
        TakeThrow((4, 5), "camera"),
        Choose(("front-9",)),
        TakeThrow((4, 5), "camera"),
        Choose(("front-1", "front-8")),
        TakeThrow((4, 5), "camera"),
        Choose(("front-2", "front-7")),
        TakeThrow((5, 5), "camera"),
        AcceptLoss(),
        TakeThrow((1, 2)),
    )
    assert body(told) == ["1 44>45:9~:45 45:9 45:18 45:27 55!#9", "2 12'"]


def test_by_hand_is_told_of_a_choice() -> None:
    told, _ = played(TakeThrow((4, 4)), Choose(("front-8",)))
    by_hand = [(event, Origin("hands", 0) if event.kind == "move_chosen" else origin) for event, origin in told]
    assert body(by_hand) == ["1 44:8h"]
    again = {event.kind: origin.door for event, origin in read_record(write_record(by_hand)).told}
    assert again["move_chosen"] == "hands"


def test_a_game_that_was_given_up_and_gone_on_with_was_not_given_up() -> None:
    told, _ = played(TakeThrow((4, 4)), Abandon(), Undo(), Choose(("front-8",)), Abandon())
    assert body(told) == ["1 44:8", "x"]


@pytest.mark.parametrize("seed", range(3 * len(KINDS)))
def test_a_game_of_every_kind_is_read_as_it_was_played(seed: int) -> None:
    assert try_record(seed).problems == ()


def test_the_report_of_the_campaign_tells_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = RecordReport([Outcome("pub", 7, "any", problems=("another game is read than was played",))])
    assert not wrong.passed
    wrong.show()
    assert "seed 7, pub: another game" in capsys.readouterr().out
    assert wrong.as_json()["problems"][0]["seed"] == 7


def test_a_record_is_read() -> None:
    record = read_record(SMALL)
    thrown = [event for event in record.events if isinstance(event, DiceThrown | ThrowCorrected)]
    assert [each.dice for each in thrown][-2:] == [(3, 5), (3, 6)]
    assert [each.score for each in record.events if isinstance(each, TurnEnded)] == [8]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[STN 1]", "[STN 2]", "line 1: records of version 1"),
        ("[STN 1]", "STN 1", "line 1: a record begins with"),
        ("[STN 1]", "[STN true]", "line 1: records of version 1"),
        ("[Others {}]", "[Others {}]\n[Colour 1]", "line 6: there is no tag Colour"),
        ("[Others {}]", '[Others {"first":"chosen"}]', "the option first is given twice"),
        ("[Others {}]", '[Others {}]\n[Box "\\ud800"]', "line 6: the value of Box holds a character"),
        ("[Others {}]", '[Others {}]\n[Box "a\\u0007"]', "line 6: the value of Box holds a character"),
        ("44:134", "44:1341", "tells no tiles of this game"),
        ('"pub"', '"chess"', "there is no game 'chess'"),
        ('["Ann","Bob"]', '["Ann","Ann"]', "1 to 12 different names"),
        ('["Ann","Bob"]', '"Ann"', "a list of names"),
        ('"first":"chosen"', '"first":"last"', "first=last is not possible"),
        ("[Others {}]", "[Others []]", "Others has options by their names"),
        ("[Others {}]\n", "", "the tag Others is missing"),
        ("[Others {}]", "[Others {}]\n[Others {}]", "line 6: there are two tags Others"),
        ('[Dice "typed"]', '[Dice "heard"]', "Dice is"),
        ("44:134", "44:135", "line 11: "),
        ("44:134", "44:13O", "tells no tiles of this game"),
        ("44:134", "47:1", "cannot be thrown"),
        ("44:134", "443:134", "2 dice"),
        ("44:134", "44:1-3", "no throw with what became of it"),
        ("36!#8", "36!#9", "ends with #8, and the record says #9"),
        ("36!#8", "36!", "ends with #8, and the record says nothing"),
        ("36!#8", "36!/", "ends with #8, and the record says /"),
        ("14:5 36!#8", "14:5#18", "line 11: the turn ends with nothing yet"),
        ("2 35>36", "1 35>36", "it is the turn of seat 2, not of 1"),
        ("2 35>36", "2 ?3", "this throw is of a turn"),
        ("35>36:9h", "35>35", "already in play"),
        ("35>36:9h", "35=b9", "tells no tiles"),
        ("35>36:9h", "35~~~", "nothing to take back"),
        ('"Bob":null', '"Bob":0', "Scores is"),
        ("[Winners []]", '[Winners ["Ann"]]', "Winners is [] by its turns"),
        ('"unfinished"', '"won"', 'End is "unfinished" by its turns'),
        ("2 35", "x\n2 35", "nothing follows a game that was given up"),
        ("2 35", "2  35", "a line is a seat"),
        ("2 35", "2 \x0035", "a character that cannot be seen"),
        ("2 35", "[Box 3]\n2 35", "tags stand before the first turn"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line_that_says_where(old: str, new: str, problem: str) -> None:
    spoiled = SMALL.replace(old, new, 1)
    assert spoiled != SMALL
    with pytest.raises(RecordError) as refused:
        read_record(spoiled)
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, SMALL.replace("44:134", text, 1), SMALL.replace('{"first":"chosen"}', text, 1)):
        with suppress(RecordError):
            read_record(whole)


def test_several_games_stand_in_one_file(tmp_path: Path) -> None:
    file = tmp_path / "evening.stn"
    file.write_text(f"{SMALL}\n{SMALL}")
    assert [record.line for record in load_records(file)] == [1, 14]
    with pytest.raises(RecordError, match="2 games"):
        read_record(file.read_text())
    file.write_bytes(b"[STN 1]\n\xff")
    with pytest.raises(RecordError, match="no text in UTF-8 from byte 8"):
        load_records(file)


def test_a_game_goes_into_a_journal_and_comes_out_the_same(tmp_path: Path) -> None:
    text = SMALL.replace("[Dice", '[Box "classic-9"]\n[Date "2026-11-28T19:30:00+01:00"]\n[Dice')
    path = tmp_path / "guests.sqlite3"
    (record,) = read_records(text)
    assert import_records([record], path) == [1]
    with Journal(path, read_only=True) as journal:
        again = read_record(record_from(journal, 1))
    assert (again.box, again.date) == ("classic-9", "2026-11-28T19:30:00+01:00")
    assert facts_of(again.game) == facts_of(record.game)
    with pytest.raises(RecordError, match="there already, as game 1"):
        import_records([record], path)


def test_nothing_is_imported_where_one_of_them_is_there_already(tmp_path: Path) -> None:
    path = tmp_path / "guests.sqlite3"
    other = read_record(SMALL.replace("2 35>36:9h", "2 35"))
    import_records([read_record(SMALL)], path)
    with pytest.raises(RecordError):
        import_records([other, read_record(SMALL)], path)
    with Journal(path, read_only=True) as journal:
        assert journal.game_ids() == [1]


def summary(record: Record) -> dict[str, Any]:
    """What the second reader finds of a game, by its events."""
    throws: list[list[Any]] = []
    first, chips = [], []
    for event in record.events:
        match event:
            case DiceThrown(dice):
                throws.append(list(dice))
            case ThrowCorrected(_, dice):
                throws[-1] = list(dice)
            case FirstRolled(player, dice):
                first.append([player, list(dice)])
            case ChipTaken(players):
                chips.append(list(players))
            case ChipReturned(players):
                while chips.pop() != list(players):
                    pass
    return {"throws": throws, "first": first, "chips": chips}


def test_a_second_reader_in_another_language_reads_the_same(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    texts = []
    for seed in range(66):
        chance = random.Random(f"{seed}/second reader")
        mode = ("published", "any", "troubled")[seed % 3]
        texts.append(write_record(told_by_chance(chance, KINDS[seed % len(KINDS)], mode)))  # type: ignore[arg-type]
    file = tmp_path / "corpus.stn"
    file.write_text("\n".join(texts))
    answer = subprocess.run([node, SECOND_READER, file], capture_output=True, text=True, check=False)
    assert answer.stderr == ""
    theirs = [json.loads(line) for line in answer.stdout.splitlines()]
    records = load_records(file)
    assert len(theirs) == len(records) == len(texts)
    for found, record in zip(theirs, records, strict=True):
        ours = summary(record)
        assert [each["dice"] for each in found["throws"]] == ours["throws"]
        assert found["chips"] == ours["chips"]
        if isinstance(record.events[0], GameStarted) and record.events[0].game not in ("fleet", "flash"):
            assert found["first"] == ours["first"]
            told = [event for event in record.events if isinstance(event, TurnEnded)]
            assert {score for _, score in found["turns"]} <= {str(each.score) for each in told}


def test_a_round_that_is_longer_than_a_line_goes_on_in_the_next() -> None:
    table = RaceByHand(2, challenge="in_order")
    table.do(CallGo(), CountDown())
    for number in range(1500):
        table.do(Shout(player="Ann", at_ms=10**9 + number), WithdrawShout("Ann"))
    text = write_record([(event, BY_THE_BOX) for event in table.events])
    assert max(map(len, text.splitlines())) < 8192
    assert read_record(text).game == table.race


RACE = """[STN 1]
[Game "fleet"]
[Players ["Ann","Bob"]]
[Options {"challenge":"in_order"}]
[Others {}]
[Dice "typed"]
[End "unfinished"]
[Scores {"Ann":2,"Bob":0}]
[Winners []]

1. ready go 1!100 1:222222>2
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1:222222>2", "1:222223>2", "222223 is no all-twos"),
        ("1:222222>2", "1x222222=all-twos", "222222 is all-twos, and the claim was refused"),
        ("1:222222>2", "1:222222>2 2!200 2:222222>2", "the chip of front-2 is not to be had"),
        ("1:222222>2", "1:222222>2 1!200", "seat 1 does not race for a chip any more"),
        ("1:222222>2", "1:222222=straight>2", "is no straight"),
        ("1:222222>2", "1:222222=fours>2", "seat 1 has no fours left"),
        ("1:222222>2", "2h222222=all-twos", "seat 2 has not shouted"),
        ("1!100", "1!100 1!200", "seat 1 has shouted already"),
        ("1!100", "2^ 1!100", "there is no such shout"),
        ("ready go", "go", "that does not happen while the race is ready"),
        ("1. ready", "2. ready", "this is round 1"),
        ("ready go", "ready go t3", "no such time runs"),
        ("1:222222>2", "1~2", "that is not the chip that was handed out last"),
        ("1:222222>2", "3!200", "there is no seat 3"),
        ("1:222222>2", "dance", "'dance' tells of nothing that happens in a race"),
        ('"unfinished"', '"won"', "the race is not over"),
    ],
)
def test_what_does_not_happen_in_a_race_is_refused(old: str, new: str, problem: str) -> None:
    assert read_record(RACE).game.round == 1
    with pytest.raises(RecordError) as refused:
        read_record(RACE.replace(old, new, 1))
    assert problem in str(refused.value)


def test_the_button_is_pressed_once_until_somebody_says_whose_shout_that_was() -> None:
    table = RaceByHand(2, challenge="in_order")
    table.do(CallGo(), CountDown())
    text = write_record([(event, BY_THE_BOX) for event in table.events])
    assert isinstance(read_record(f"{text}1. !100\n").game, Race)
    with pytest.raises(RecordError, match="the button was pressed already"):
        read_record(f"{text}1. !100 !200\n")


def test_a_second_reader_is_of_one_hundred_and_fifty_lines() -> None:
    assert len(SECOND_READER.read_text().splitlines()) <= 150


def test_a_game_that_earlier_rules_led_elsewhere_is_no_record() -> None:
    told, _ = played(TakeThrow((4, 4)), Choose(("front-8",)), TakeThrow((6, 5)), Choose(("front-2", "front-9")))
    spoiled = [
        (TurnEnded(0, 3), origin) if event.kind == "tiles_confirmed" else (event, origin) for event, origin in told
    ]
    with pytest.raises(RecordError):
        write_record(spoiled)


def test_the_facts_of_a_record_are_those_of_its_game() -> None:
    told, game = played(TakeThrow((4, 4)), Choose(("front-8",)))
    start: AnyGame | None = None
    again = reduce(evolve, read_record(write_record(told)).events, start)
    assert again is not None
    assert facts_of(again) == facts_of(game)


def test_a_position_is_a_line_that_reads_back() -> None:
    _, game = played(TakeThrow((4, 4)), Choose(("front-8",)), TakeThrow((6, 5)), one_die="never")
    assert isinstance(game, Game)
    line = position_text(position_of(game))
    assert line == 'pub {"one_die":"never","first":"chosen"} 1 2 3 4 5 6 7 . 9 ; 1 -,- ; 56'
    assert read_position(line) == position_of(game)


@pytest.mark.parametrize("seed", range(40))
def test_a_position_of_any_game_reads_back(seed: int) -> None:
    told = told_by_chance(random.Random(f"{seed}/position"), list(GAMES)[seed % len(GAMES)], "published")
    game: AnyGame | None = None
    for event, _ in told:
        game = evolve(game, event)
        assert isinstance(game, Game)
        assert read_position(position_text(position_of(game))) == position_of(game)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "three parts"),
        ("pub {} 1 2 3 4 5 6 7 8 9 ; 3 -,- ; -", "no seat 3 among 2"),
        ("pub [] 1 2 3 4 5 6 7 8 9 ; 1 -,- ; -", "options are a JSON object"),
        ("pub {} 1 2 3 4 5 6 7 8 ; 1 -,- ; -", "is not 1 x 9 tiles"),
        ("pub {} 1 2 3 4 5 6 7 8 9 ; 1 -,- ; 78", "a die shows 1 to 6"),
        ("pub " + "[" * 9999 + " ; 1 - ; -", "position"),
    ],
)
def test_a_line_that_is_no_position_is_refused(line: str, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        read_position(line)
