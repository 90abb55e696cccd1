"""A game as text: its tags, a line a turn, and how it ended. docs/reference/stn.md is the description of the form.

Written from the events of a journal, or of any other game that was played by `decide` and `evolve`. It is read back by
playing it anew, so that a record that is accepted is a game that can be played.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.errors import RecordError, ShutboxError
from controller.game.core.commands import Abandon
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameResumed, GameStarted
from controller.game.core.phases import Ended
from controller.game.core.players import BY_THE_BOX, STRENGTHS, Origin, Player, Source, check_players
from controller.game.fleet.events import RaceEnded
from controller.game.fleet.state import Race
from controller.game.shutbox.state import Game
from controller.game.stn.race_lines import RaceLines, RaceReader
from controller.game.stn.tags import tags_of_rules
from controller.game.stn.tile_lines import TileLines, TileReader
from controller.game.table.engines import any_rules_of, decide, engine_of, evolve, known_games
from controller.game.table.snapshot import scores_of
from controller.game.table.variants import read_marks
from controller.rules.errors import RulesError
from controller.rules.options import Value
from controller.rules.tiles import NO_MARKS

VERSION = 1
# What is read at all. The longest tournament has some thousand lines, and a line some hundred throws.
MOST_LINES, LONGEST_LINE = 2_000_000, 8_192
_TAG = re.compile(r"\[([A-Za-z]+) (.*)\]")
_GIVEN_UP = "x"
# In the order in which they are written.
_TAGS = ("STN", "Game", "Players", "Options", "Others", "Marks", "Sides", "Box", "Date", "Dice", "Journal")
_ENDS = ("End", "Scores", "Winners")
_NEEDED = ("STN", "Game", "Players", "Options", "Others", "Dice", "End", "Scores", "Winners")

Told = Sequence[tuple[GameEvent, Origin]]


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was read from a record.

    game: at its end, or as far as it was played. told: its events, those of the table left out, and where each came
    from as far as the record says so. tokens: its throws with what became of them, each with its seat (from 0); none of
    a race. box, date, journal: as the tags have them; empty if left out. line: of the file on which it began, from 1.
    """

    game: AnyGame
    told: Told
    tokens: Sequence[tuple[int, str]] = ()
    box: str = ""
    date: str = ""
    journal: str = ""
    line: int = 1

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """The events without where they came from."""
        return tuple(event for event, _ in self.told)


def journal_digest(digests: Iterable[str]) -> str:
    """Return the fingerprint of a game in its journal: of the digests that stand beside its events."""
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


def write_record(told: Iterable[tuple[GameEvent, Origin]], *, box: str = "", date: str = "", journal: str = "") -> str:
    """Return a game as text. told: its events from `GameStarted` on, and where each came from.

    box, date, journal: the tags of these names. Raises `RecordError` for a game that today's rules do not lead through.
    """
    kept = list(_without_second_thoughts(told))
    started = kept[0][0] if kept else None
    if not isinstance(started, GameStarted):
        raise RecordError("a game that has not begun has no record")
    source = _usual_source(kept)
    game: AnyGame | None = None
    lines = RaceLines(source) if isinstance(evolve(None, started), Race) else TileLines(source)
    for event, origin in kept:
        lines.tell(event, origin)
        game = evolve(game, event)
    assert game is not None  # noqa: S101  there is an event
    if isinstance(lines, RaceLines):
        lines.close()
    tags = _tags_of(started, game, source) | {"Box": box, "Date": date, "Journal": journal}
    body = [*lines.lines, *([_GIVEN_UP] if _is_given_up(game) else [])]
    head = [f"[{name} {_json(tags[name])}]" for name in (*_TAGS, *_ENDS) if tags.get(name) not in ("", None)]
    text = "\n".join([*head, "", *body, ""])
    read = read_record(text)
    if facts_of(read.game) != facts_of(game):
        raise RecordError(f"a game of {started.game} that an earlier version played by other rules has no record")
    return text


def read_records(text: str) -> Iterator[Record]:
    """Yield the games of a file, each after the other. Raises `RecordError` with the line and what is wrong there."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise RecordError(f"a file of records has {MOST_LINES} lines at most, not {len(lines)}")
    starts = [at for at, line in enumerate(lines) if line.startswith("[STN ")]
    if any(line.strip() for line in lines[: starts[0] if starts else None]) or not starts:
        raise RecordError("line 1: a record begins with [STN 1]")
    for first, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield _read(lines[first:after], first + 1)


def read_record(text: str) -> Record:
    """Return the one game of a text. Raises `RecordError`."""
    found = list(read_records(text))
    if len(found) != 1:
        raise RecordError(f"there are {len(found)} games in it; say which")
    return found[0]


def facts_of(game: AnyGame) -> Mapping[str, Any]:
    """Return what a record keeps of a game: all but what happened to its tiles on the way."""
    at_rest = replace(game, phase=game.resting, believed=frozenset())
    return engine_of(game).facts(at_rest)


def _read(lines: Sequence[str], first: int) -> Record:
    tags: dict[str, Any] = {}
    reader: TileReader | RaceReader | None = None
    given_up = False
    for number, line in enumerate(lines, first):
        try:
            _check_line(line)
            if line.startswith("["):
                if reader is not None:
                    raise ValueError("tags stand before the first turn")
                _add_tag(tags, line)
            elif line:
                reader = reader or _reader_of(tags)
                if given_up:
                    raise ValueError("nothing follows a game that was given up")
                given_up = line == _GIVEN_UP
                _give_up(reader) if given_up else reader.read(line)
        except (ValueError, RulesError, ShutboxError) as error:
            raise RecordError(f"line {number}: {error}") from error
    try:
        reader = reader or _reader_of(tags)
        game, told = _ended(reader, tags)
        _check_end(game, tags)
    except (ValueError, RulesError, ShutboxError) as error:
        raise RecordError(f"line {first}, the record that begins here: {error}") from error
    tokens = reader.tokens if isinstance(reader, TileReader) else ()
    return Record(game, told, tokens, tags.get("Box", ""), tags.get("Date", ""), tags.get("Journal", ""), first)


def _check_line(line: str) -> None:
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a line has {LONGEST_LINE} characters at most, not {len(line)}")
    if not line.isprintable():
        raise ValueError("it holds a character that cannot be seen")


def _add_tag(tags: dict[str, Any], line: str) -> None:
    found = _TAG.fullmatch(line)
    if found is None:
        raise ValueError('a tag is a name and a value in JSON: [Players ["Ann", "Bea"]]')
    name, words = found.groups()
    if name not in (*_TAGS, *_ENDS):
        raise ValueError(f"there is no tag {name[:20]}; there are {', '.join((*_TAGS, *_ENDS))}")
    if name in tags:
        raise ValueError(f"there are two tags {name}")
    try:
        tags[name] = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the value of {name} is no JSON") from error
    if not _is_seen(tags[name]):
        raise ValueError(f"the value of {name} holds a character that cannot be seen")
    if name == "STN" and (type(tags[name]) is not int or tags[name] != VERSION):
        raise ValueError(f"records of version {VERSION} are read here, not {words[:20]}")


def _is_seen(value: object) -> bool:
    """True if every text in a value of JSON can be seen; what JSON can write otherwise is no character at all."""
    if isinstance(value, dict):
        return all(_is_seen(each) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return all(map(_is_seen, value))
    return not isinstance(value, str) or value.isprintable()


def _reader_of(tags: Mapping[str, Any]) -> TileReader | RaceReader:
    for name in _NEEDED:
        if name not in tags:
            raise ValueError(f"the tag {name} is missing")
    for name in ("Box", "Date", "Journal"):
        if not isinstance(tags.get(name, ""), str):
            raise ValueError(f"the tag {name} is a text")
    if tags["Dice"] not in ("camera", "typed"):
        raise ValueError('the tag Dice is "camera" or "typed"')
    started = _started(tags)
    game = evolve(None, started)
    source: Source = tags["Dice"]
    reader = RaceReader(game, source) if isinstance(game, Race) else None
    if reader is None:
        assert isinstance(game, Game)  # noqa: S101  there are these two families
        if tags.get("Sides", game.rules.sides) != game.rules.sides:
            raise ValueError(f"a die of this game has {game.rules.sides} sides")
        return _opened(TileReader(game, source), started)
    return _opened(reader, started)


def _opened(reader: "TileReader | RaceReader", started: GameStarted) -> "TileReader | RaceReader":
    reader.told.append((started, BY_THE_BOX))
    return reader


def _started(tags: Mapping[str, Any]) -> GameStarted:
    name, players = tags["Game"], tags["Players"]
    if not isinstance(name, str) or name not in known_games():
        raise ValueError(f"there is no game {str(name)[:40]!r}; `shutbox games` lists them")
    if not isinstance(players, list) or not all(isinstance(each, str) for each in players):
        raise ValueError("the tag Players is a list of names")
    options: dict[str, Value] = {}
    for tag in ("Options", "Others"):
        given = tags[tag]
        if not isinstance(given, dict) or not all(isinstance(each, str | int | bool) for each in given.values()):
            raise ValueError(f"the tag {tag} has options by their names")
        if both := options.keys() & given.keys():
            raise ValueError(f"the option {min(both)} is given twice")
        options |= given
    seated = tuple(_player(word) for word in players)
    check_players(seated)
    marks = read_marks(tags["Marks"]) if "Marks" in tags else NO_MARKS
    chosen = any_rules_of(name, options, marks).chosen
    return GameStarted(name, chosen, seated, marks)


def _player(word: str) -> Player:
    name, colon, strength = word.partition(":")
    if not colon:
        return Player(name)
    if strength not in ("", *STRENGTHS):
        raise ValueError(f"the house plays {', '.join(STRENGTHS)}, not {strength!r}")
    found = next((each for each in STRENGTHS if each == strength), None)
    return Player(name, house=True, strength=found)


def _give_up(reader: TileReader | RaceReader) -> None:
    for event in decide(reader.game, Abandon()):
        after: Any = evolve(reader.game, event)
        reader.game = after
        reader.told.append((event, BY_THE_BOX))


def _ended(reader: TileReader | RaceReader, tags: Mapping[str, Any]) -> tuple[AnyGame, Told]:
    """Return the game as it ended: what a race's last round decided is told by its tags, as it has no line."""
    game: AnyGame = reader.game
    if isinstance(game, Race) and tags["End"] == "won" and not game.is_over:
        points = game.totals
        event = GameEnded(tuple(seat for seat, made in enumerate(points) if made == max(points)))
        if game.round != game.rounds or not isinstance(reader.told[-1][0], RaceEnded):
            raise ValueError("the race is not over")
        return evolve(game, event), [*reader.told, (event, BY_THE_BOX)]
    return game, reader.told


def _check_end(game: AnyGame, tags: Mapping[str, Any]) -> None:
    for name, found in _end_tags(game).items():
        if tags[name] != found:
            raise ValueError(f"{name} is {_json(found)} by its turns, and {_json(tags[name])[:200]} by its tag")


def _tags_of(started: GameStarted, game: AnyGame, source: Source) -> dict[str, Any]:
    sides = (game.rules.sides,) if isinstance(game, Game) else ()
    rules = tags_of_rules(started.game, started.options, started.marks, *sides)
    players = [_word(player) for player in started.players]
    return {"STN": VERSION, "Players": players, "Dice": source} | rules | _end_tags(game)


def _end_tags(game: AnyGame) -> dict[str, Any]:
    end = game.phase if isinstance(game.phase, Ended) else None
    names = [player.name for player in game.players]
    return {
        "End": "unfinished" if end is None else "given_up" if end.given_up else "won",
        "Scores": dict(zip(names, scores_of(game), strict=True)),
        "Winners": [names[seat] for seat in end.winners] if end is not None else [],
    }


def _word(player: Player) -> str:
    return f"{player.name}:{player.strength or ''}" if player.house else player.name


def _is_given_up(game: AnyGame) -> bool:
    return isinstance(game.phase, Ended) and game.phase.given_up


def _usual_source(told: Told) -> Source:
    """Return what most throws were read by."""
    sources = [source for event, _ in told if (source := getattr(event, "source", None)) is not None]
    return "camera" if sources.count("camera") > len(sources) / 2 else "typed"


def _without_second_thoughts(told: Iterable[tuple[GameEvent, Origin]]) -> Iterator[tuple[GameEvent, Origin]]:
    """The events without what was given up and then gone on with."""
    held: tuple[GameEvent, Origin] | None = None
    for each in told:
        if held is not None and not isinstance(each[0], GameResumed):
            yield held
        if held is not None:
            held = None
            if isinstance(each[0], GameResumed):
                continue
        if isinstance(each[0], GameAbandoned):
            held = each
        else:
            yield each
    if held is not None:
        yield held


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
