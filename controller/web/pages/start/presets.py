"""The last starts of games on this box, so that nobody has to choose the same options and players again."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from controller.errors import JournalError
from controller.game.core.events import GameStarted
from controller.game.core.players import Player, read_players
from controller.settings import Home, load_settings
from controller.web.lookups import open_games

_GAMES_BACK = 50
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Presets:
    """The default choices.

    starts: the last start of each game, by its name, the most recent first.
    players: those of the last game, or of the settings before the first game.
    names: of the people who have played here, the most recent first.
    """

    starts: Mapping[str, GameStarted]
    players: tuple[Player, ...]
    names: tuple[str, ...]


def read_presets(home: Home) -> Presets:
    """Read the presets from the last fifty games of the journal, and from the settings."""
    starts: list[GameStarted] = []
    if home.journal.exists():
        with open_games(home) as journal:
            for game_id in reversed(journal.game_ids()[-_GAMES_BACK:]):
                # An unreadable game has no start.
                with suppress(JournalError):
                    for entry in journal.entries(game_id):
                        if isinstance(entry.event, GameStarted):
                            starts.append(entry.event)
                            break
    by_game: dict[str, GameStarted] = {}
    for start in starts:
        by_game.setdefault(start.game, start)
    if starts:
        players = starts[0].players
    else:
        settings = load_settings(home.settings)
        players = read_players(settings.players, settings.house_players, settings.house_strength)
    people = dict.fromkeys(player.name for start in starts for player in start.players if not player.house)
    return Presets(by_game, players, tuple(people)[:_MOST_NAMES])
