"""The games as they were started here last, so that nobody has to choose the same options and players again."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from controller.errors import JournalError
from controller.game import GameStarted, Player, read_players
from controller.journal import Journal
from controller.settings import Home, load_settings
from controller.web.lookups import open_games

_GAMES_BACK = 50
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Presets:
    """What is chosen unless people choose otherwise.

    starts: the last start of each game, by its name, the newest first. players: those of the last game; before the
    first one those of the settings. names: of the people who have played here, whoever played last first.
    """

    starts: Mapping[str, GameStarted]
    players: tuple[Player, ...]
    names: tuple[str, ...]


def read_presets(home: Home) -> Presets:
    """The presets, out of the last fifty games of the journal."""
    starts = _read_starts(home)
    by_game: dict[str, GameStarted] = {}
    for start in starts:
        by_game.setdefault(start.game, start)
    people = dict.fromkeys(player.name for start in starts for player in start.players if not player.house)
    return Presets(by_game, starts[0].players if starts else _usual_players(home), tuple(people)[:_MOST_NAMES])


def _usual_players(home: Home) -> tuple[Player, ...]:
    settings = load_settings(home.settings)
    return read_players(settings.players, settings.house_players, settings.house_strength)


def _read_starts(home: Home) -> Sequence[GameStarted]:
    """The starts of the last games, the newest first."""
    if not home.journal.exists():
        return []
    with open_games(home) as journal:
        found = [_start_of(journal, game_id) for game_id in reversed(journal.game_ids()[-_GAMES_BACK:])]
    return [start for start in found if start is not None]


def _start_of(journal: Journal, game_id: int) -> GameStarted | None:
    with suppress(JournalError):
        for entry in journal.entries(game_id):
            if isinstance(entry.event, GameStarted):
                return entry.event
    return None
