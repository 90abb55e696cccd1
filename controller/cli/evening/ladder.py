"""The ladder: everybody's rating by Glicko-2, over all evenings of a home.

Each evening is one rating period. Nothing is kept: the ladder is worked out of the evenings' files whenever it is
asked for. Source: M. E. Glickman, "Example of the Glicko-2 system" (2012, revised 2022), whose constants the library
has: 1500, 350, 0.06, tau 0.5.
"""

from collections.abc import Iterable
from importlib.util import find_spec

from controller.errors import EveningError
from controller.game.evening.evening import Evening
from controller.game.evening.table import WIN, points_of
from controller.game.evening.view import Rating


def check_parts() -> None:
    """Raise `EveningError` unless the libraries are here that an evening needs and a box does not."""
    if missing := [name for name in ("glicko2", "networkx") if find_spec(name) is None]:
        raise EveningError(f"evenings need {' and '.join(missing)}: install the extra `evening`")


def ladder_of(evenings: Iterable[Evening]) -> tuple[Rating, ...]:
    """Return the ladder after these evenings, the oldest first; the highest rating comes first.

    A match that was won because the other player had gone counts for nobody.
    """
    import glicko2

    players: dict[str, glicko2.Player] = {}
    matches: dict[str, int] = {}
    for evening in evenings:
        met: dict[str, list[tuple[str, float]]] = {}
        for match in evening.matches:
            result = evening.result(match)
            if result is not None and result.how != "walkover":
                for name, other in (match.players, match.players[::-1]):
                    met.setdefault(name, []).append((other, points_of(result, name) / WIN))
        for name in met:
            players.setdefault(name, glicko2.Player())
        before = {name: (player.rating, player.rd) for name, player in players.items()}
        for name, player in players.items():
            if name not in met:
                player.did_not_compete()
                continue
            matches[name] = matches.get(name, 0) + len(met[name])
            ratings = [before[other][0] for other, _ in met[name]]
            deviations = [before[other][1] for other, _ in met[name]]
            player.update_player(ratings, deviations, [share for _, share in met[name]])
    found = [Rating(name, round(each.rating, 1), round(each.rd, 1), matches[name]) for name, each in players.items()]
    return tuple(sorted(found, key=lambda rating: (-rating.rating, rating.name)))
