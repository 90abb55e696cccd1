"""Races as pages show them: played on the pure machine, and looked at by one audience."""

from collections.abc import Mapping

from controller.game.core.commands import Command, ConfirmTiles, OptionValue, StartGame
from controller.game.core.engine import AnyGame
from controller.game.core.players import Player
from controller.game.core.sight import CameraState, OwnDice, SnapshotContext
from controller.game.table.caller import Caller
from controller.game.table.engines import decide, evolve
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.messages.words import words_in
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.view import TableView, table_for

ANN = Caller("page", seats=frozenset({"Ann"}), shares=False)
SHARED = Caller("page", shares=True)
ONLOOKER = Caller("page", "spectator", shares=False)


def race(*players: str | Player, game: OptionValue = "fleet", **options: OptionValue) -> AnyGame:
    """A race whose tiles stand."""
    seats = tuple(player if isinstance(player, Player) else Player(player) for player in players)
    return run(None, StartGame(seats, str(game), {"first": "chosen", **options}), ConfirmTiles())


def run(game: AnyGame | None, *commands: Command) -> AnyGame:
    """The race after these commands."""
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    assert game is not None
    return game


def look(game: AnyGame, own: Mapping[str, OwnDice] | None = None, countdown_s: int | None = None) -> Snapshot:
    """What a simulated box tells of it."""
    sight = CameraState(own_dice=own or {}, countdown_s=countdown_s)
    return snapshot_of(game, SnapshotContext(1, 1, "two-level-9", sight=sight, simulated=True, camera_reads=False))


def shown(snapshot: Snapshot, caller: Caller = ANN, view: View = "play") -> TableView:
    """The table as somebody is shown it, in English."""
    return table_for(snapshot, Audience(view, "en", caller), words_in("en"), TilePictures(None))
