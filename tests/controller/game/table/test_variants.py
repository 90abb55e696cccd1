"""What players write themselves: variants and marks in files, who plays, and what one player alone has scored."""

from pathlib import Path

import pytest

from controller.errors import BadPlayers, VariantError
from controller.game.core.commands import StartGame
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameStarted
from controller.game.core.players import STRENGTHS, Player, default_players, read_players
from controller.game.shutbox.events import RoundEnded, TurnEnded
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.table.engines import decide, digest_of
from controller.game.table.variants import GameChoice, load_marks, load_variant
from controller.journal.records import Record, record_news, records_of
from controller.journal.store import Entry, Journal
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import NO_MARKS, Marks
from tests.support.said import text_of

GOOD = """\
game = "pub"
[options]
one_die = "never"
one_die_forced = true
stake = 5
match = "tournament"
[marks]
faces = ["a", "b", "c", "d", "e", "f"]
tiles = { front-1 = "sun", "front-2" = "moon" }
values = { sun = 10 }
"""
FACES = ("a", "b", "c", "d", "e", "f")


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


# Variants and marks.


def test_a_variant_is_a_game_with_options_and_marks(tmp_path: Path) -> None:
    choice = load_variant(written(tmp_path, GOOD))

    marks = Marks({"front-1": "sun", "front-2": "moon"}, {"sun": 10}, FACES)
    options = {"one_die": "never", "one_die_forced": True, "stake": 5, "match": "tournament"}
    assert choice == GameChoice("pub", options, marks)
    assert str(rules_of(choice.game, choice.options, choice.marks).start()) == "sun moon 3 4 5 6 7 8 9"


def test_a_variant_may_be_a_game_alone(tmp_path: Path) -> None:
    assert load_variant(written(tmp_path, 'game = "golf"')) == GameChoice("golf", {}, NO_MARKS)


def test_marks_may_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    text = 'faces = ["a", "b", "c", "d", "e", "f"]\n[tiles]\nfront-1 = "sun"\n[values]\nsun = 3\n'

    assert load_marks(written(tmp_path, text)) == Marks({"front-1": "sun"}, {"sun": 3}, FACES)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('game = "chess"', 1, "no game 'chess'; the games are two-level, double-shutter, pub"),
        ("game = 3", 1, "game: must be a text, not 3"),
        ("[options]\nstake = 1", 1, "game is missing"),
        ('game = "pub"\ncolour = 1', 2, "colour: unknown key; allowed are game, options, marks"),
        ('game = "pub\n', 1, "not TOML"),
        ('game = "pub"\n[options]\nstake = 1\nstake = 2\n', 4, "not TOML"),
        ('game = "pub"\noptions = 3', 2, "options: must be a table, not 3"),
        ('game = "pub"\n[options]\n\nstake = 101', 4, "stake=101 is not possible; allowed are 0 to 100"),
        ('game = "pub"\noptions = { stake = 101 }', 2, "stake=101 is not possible; allowed are 0 to 100"),
        ('game = "pub"\n[options]\nstake = 1.5', 3, "stake=1.5 is not possible; allowed are 0 to 100"),
        ('game = "pub"\n[options]\nstake = true', 3, "stake=true is not possible; allowed are 0 to 100"),
        ('game = "pub"\n[options]\nstake = [1]', 3, "stake=[1] is not possible; allowed are 0 to 100"),
        ('game = "pub"\n[options]\nties = "fight"', 3, "allowed are split, play_off, carry_over, earlier_wins"),
        (
            'game = "pub"\n[options]\nrows = 2',
            3,
            "no option 'rows' in this game; did you mean rounds?",
        ),
        ('game = "two-level"\n[options]\ncarry_board = true\nalternate = true', 2, "leave out carry_board"),
        ('game = "two-level"\n[options]\nrows = 3\nscore = "double_front"', 4, "say another score or rows=2"),
        ('game = "pub"\n[marks]\nkind = 1', 3, "marks.kind: unknown key; allowed are tiles, values, faces"),
        ('game = "pub"\n[marks]\nfaces = [1, 2]', 3, "marks.faces.0: must be a text, not 1"),
        ('game = "pub"\n[marks]\nfaces = ["a"]', 2, "a die of this game has 6 faces, not 1"),
        ('game = "pub"\n[marks]\nfaces = ["a", "a", "b", "c", "d", "e"]', 2, "must differ, 'a' is there twice"),
        ('game = "2012"\n[marks]\nfaces = ["a", "b"]', 2, "a die of this game has 20 faces, not 2"),
        ('game = "pub"\n[marks.tiles]\nfront-1 = 3', 3, "marks.tiles.front-1: must be a text, not 3"),
        ('game = "pub"\n[marks]\ntiles = { front-99 = "sun" }', 2, "no tile 'front-99' in this game; it has front-1"),
        ('game = "pub"\n[marks]\ntiles = { front-1 = "2" }', 2, "must differ, '2' is there twice"),
        ('game = "pub"\n[marks]\ntiles = { front-1 = "a b" }', 2, "no blanks, commas or slashes"),
        ('game = "pub"\n[marks]\ntiles = { front-1 = "." }', 2, "cannot be read back"),
        ('game = "pub"\n[marks]\nvalues = { sun = 1 }', 2, "no tile bears 'sun'"),
        ('game = "pub"\n[marks]\ntiles = { front-1 = "s" }\nvalues = { s = 100 }', 2, "s is worth 1 to 99, not 100"),
        ('game = "pub"\n[marks]\nvalues = { s = "x" }', 3, "marks.values.s: must be a whole number, not 'x'"),
    ],
)
def test_a_variant_that_cannot_be_is_refused_with_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(VariantError) as refusal:
        load_variant(path)

    told = str(refusal.value)
    assert told.startswith(f"{path}:{line}: ")
    assert says in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("x = 1", 1, "x: unknown key; allowed are tiles, values, faces"),
        ('faces = ["a"]\n[values]\nsun = "a"', 3, "values.sun: must be a whole number, not 'a'"),
        ("[tiles]\nfront-1 = \n", 2, "not TOML"),
    ],
)
def test_marks_that_cannot_be_are_refused_with_their_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    with pytest.raises(VariantError) as refusal:
        load_marks(written(tmp_path, text))

    assert str(refusal.value).startswith(f"{tmp_path / 'mine.toml'}:{line}: ")
    assert says in str(refusal.value)


def test_a_variant_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\xff\xd8\xff")
    for path, says in ((picture, "not a text file"), (tmp_path, "not a file"), (tmp_path / "no", "No such file")):
        with pytest.raises(VariantError, match=says):
            load_variant(path)


# Who plays.


def test_a_strength_behind_a_name_makes_a_house_player() -> None:
    players = read_players(["Ann", "House", " Bea : casual "], ["House", "Nobody"], "skilled")

    assert players == (Player("Ann"), Player("House", True, "skilled"), Player("Bea", True, "casual"))


def test_a_strength_of_his_own_goes_before_that_of_the_house() -> None:
    assert read_players(["House:perfect"], ["House"], "careless") == (Player("House", True, "perfect"),)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_house_plays_as_well_as_it_is_told(strength: str) -> None:
    assert {player.strength for player in default_players("3", strength)} == {strength}


def test_a_demonstration_is_played_by_so_many_or_by_these() -> None:
    names = [player.name for player in default_players(" 6 ", "steady")]
    assert names == ["Ann", "House", "Bea", "Carl", "Dora", "Emil"]
    zoe, yan = default_players("Zoe, Yan:perfect", "casual")
    assert (zoe, yan) == (Player("Zoe", True, "casual"), Player("Yan", True, "perfect"))


@pytest.mark.parametrize(
    ("words", "strength", "says"),
    [
        ("0", "steady", "--players 0: 1 to 6, or names by commas"),
        ("7", "steady", "--players 7: 1 to 6, or names by commas"),
        ("2", "lazy", "--strength: the house plays careless, casual, steady, skilled, perfect, not 'lazy'"),
        ("Ann:lazy", "steady", "player 'Ann:lazy': the house plays careless, casual"),
        ("Ann:", "steady", "player 'Ann:': the house plays careless, casual"),
    ],
)
def test_players_that_cannot_be_are_refused_with_what_can(words: str, strength: str, says: str) -> None:
    with pytest.raises(BadPlayers) as refusal:
        default_players(words, strength)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("words", [["Ann", "Ann:casual"], [":casual"], [""], [], ["x" * 25], list("abcdefghijklm")])
def test_players_who_cannot_sit_down_together_are_refused(words: list[str]) -> None:
    with pytest.raises(BadPlayers, match="1 to 12 different names of 1 to 24 characters"):
        read_players(words, (), "steady")


# What one player alone has scored.


def keep(journal: Journal, start: StartGame, *events: GameEvent) -> GameStarted:
    """A game in the journal: how it began, and these events after that."""
    [started] = decide(None, start)
    game, game_id = evolve(None, started), journal.next_game_id()
    for number, event in enumerate((started, *events), 1):
        game = evolve(game, event) if number > 1 else game
        journal.append(game_id, "box", [Entry(number, "2026-01-01T00:00:00", event, digest_of(game))])
    assert isinstance(started, GameStarted)
    return started


def alone(
    journal: Journal, *points: int, name: str = "Ann", marks: Marks = NO_MARKS, **options: object
) -> list[GameStarted]:
    """A game of one player for each of these scores."""
    start = StartGame((Player(name),), "golf", options, marks)
    return [keep(journal, start, TurnEnded(0, each), RoundEnded((0,)), GameEnded((0,))) for each in points]


def test_every_player_alone_has_a_record_of_the_scores_in_their_order(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert records_of(journal) == []
        alone(journal, 20, 0)
        alone(journal, 7, name="Bob")
        alone(journal, 10)

        ann, bob = records_of(journal)

    assert ann == Record("Ann", "golf", {}, (20, 0, 10))
    assert (ann.best, ann.mean, ann.shut) == (0, 10.0, 1)
    assert bob == Record("Bob", "golf", {}, (7,))


def test_other_rules_of_a_turn_are_another_record_and_what_a_table_agrees_on_is_not(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        alone(journal, 20)
        alone(journal, 10, first="rotate", ties="play_off", stake=3, shut="play_on", rounds=7, match_limit=9)
        alone(journal, 30, tiles=12)

        assert records_of(journal) == [
            Record("Ann", "golf", {}, (20, 10)),
            Record("Ann", "golf", {"tiles": 12}, (30,)),
        ]


def test_a_record_names_only_what_all_its_games_have_in_common(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        alone(journal, 20, stake=3, tiles=10)
        alone(journal, 10, tiles=10)

        assert records_of(journal) == [Record("Ann", "golf", {"tiles": 10}, (20, 10))]


def test_tiles_that_are_worth_something_else_are_another_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        alone(journal, 20)
        alone(journal, 90, marks=Marks({"front-9": "sun"}, {"sun": 90}))

        assert [record.scores for record in records_of(journal)] == [(20,), (90,)]


def test_only_finished_single_games_of_one_player_count(tmp_path: Path) -> None:
    two = StartGame((Player("Ann"), Player("Bob")), "golf", {"first": "chosen"})
    with Journal(tmp_path / "journal.sqlite3") as journal:
        keep(journal, StartGame((Player("Ann"),), "golf"), GameAbandoned())
        keep(journal, two, TurnEnded(0, 5))
        keep(journal, StartGame((Player("Ann"),), "golf", {"match": "tournament"}), TurnEnded(0, 5))

        assert records_of(journal) == []


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ((20,), "The first score of Ann on record in Golf: 20."),
        ((20, 15), "A new best: 15, after 20 in one game."),
        ((20, 15, 9), "A new best: 9, after 15 in 2 games."),
        ((20, 15, 15), "The best of 3 games is 15, the average 16.7."),
        ((15, 20), "The best of 2 games is 15, the average 17.5."),
    ],
)
def test_the_last_score_is_told_beside_those_before_it(tmp_path: Path, scores: tuple[int, ...], sentence: str) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        alone(journal, 1, name="Bob")
        alone(journal, *scores)
        assert text_of(record_news(journal, journal.game_ids()[-1])) == sentence


def test_a_match_of_several_rounds_has_no_record(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        alone(journal, 20)
        keep(journal, StartGame((Player("Ann"),), "golf", {"match": "tournament"}), TurnEnded(0, 5))

        assert text_of(record_news(journal, journal.game_ids()[-1])) == ""


def test_there_is_no_record_before_the_first_game_is_finished(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        keep(journal, StartGame((Player("Ann"),), "golf"))

        assert text_of(record_news(journal, journal.game_ids()[-1])) == ""
