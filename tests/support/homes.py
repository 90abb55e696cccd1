"""The home of a box on which people have played, that was set and calibrated; and what lies in a folder."""

import hashlib
import json
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from controller.game.core.commands import Command, ConfirmTiles, StartGame
from controller.game.core.phases import Moving
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, Claim, CountDown, Shout
from controller.game.fleet.state import Counting, Race, Racing, Ready
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.engines import decide, digest_of
from controller.game.table.engines import evolve as evolve_any
from controller.journal.store import Entry, HeldSeat, Journal
from controller.runtime.home import Home
from firmware.messages import SensorReport
from firmware.selftest.wear import WearFile
from hardware.calibration import save_section
from hardware.tiles import Position, TileId
from tests.support.calibrations import calibrated
from vision.custom_dice.body import Body
from vision.custom_dice.faces import DiceFace, DiceSet
from vision.custom_dice.fitting import GRID
from vision.custom_dice.shapes import Shape
from vision.custom_dice.storage import DiceFolder

if TYPE_CHECKING:
    from controller.game.core.engine import AnyGame

BOX = "two-level-9"
PLAYERS = (Player("Ann"), Player("Bob"))
SETTINGS = '# our box\nplayers = ["Ann", "Bob"]\n'
_PNG = b"\x89PNG\r\n\x1a\n"


def furnish(home: Home, chance: random.Random | None = None) -> None:
    """Play, set, calibrate, teach dice and move tiles in an empty home; what a backup must bring back."""
    chance = chance or random.Random(1)
    home.make()
    home.settings.write_text(SETTINGS)
    with Journal(home.journal) as journal:
        for _ in range(chance.randint(1, 2)):
            play_game(journal, chance)
        journal.keep_seats([HeldSeat("Ann", "digest-of-a-token", "terminal")])
    for day in range(1, chance.randint(2, 3)):
        camera = calibrated(datetime(2026, 11, day, tzinfo=UTC))
        picture = f"background-2026-11-0{day}T000000.png"
        (home.data / picture).write_bytes(_PNG + chance.randbytes(1000))
        save_section(home.data, BOX, "camera", camera.model_copy(update={"background": picture}))
        DiceFolder(home.data).save(dice_set("stars", chance), datetime(2026, 11, day, tzinfo=UTC))
    wear = WearFile(home.wear(BOX, mock=False), BOX)
    wear.note_moves([SensorReport(TileId.parse("front-7"), Position.SHUT, 0.0, took_s=0.2, tries=1)])
    wear.write()


def dice_set(name: str, chance: random.Random) -> DiceSet:
    """Dice of one face that nobody could read."""
    shots = np.frombuffer(chance.randbytes(GRID * GRID), np.uint8).reshape(1, GRID, GRID)
    body = Body("red", np.array([20.0, 30.0, 200.0]), np.array([1.0, 0.0, 0.0]), 80.0)
    face = DiceFace(1, "star", shots, 0.9, 1.0)
    return DiceSet(name, Shape(6, 16.0), 10.0, (body,), (face,), np.zeros((1, 1)), np.zeros((1, 1)), ())


def play_game(journal: Journal, chance: random.Random, *, throws: int = 1000) -> Game:
    """Play one game by chance, until it is over or so many throws were made."""
    game: Game | None = None
    entries: list[Entry] = []
    command: Command | None = StartGame(PLAYERS, game="two-level")
    while command is not None:
        for event in decide(game, command):
            game, number = evolve(game, event), len(entries) + 1
            at = f"2026-11-01T20:{number // 60 % 60:02}:{number % 60:02}+00:00"
            entries.append(Entry(number, at, event, digest_of(game)))
        assert game is not None
        command = _next_command(game, chance) if game.throws < throws else None
    journal.append(journal.next_game_id(), BOX, entries)
    assert game is not None
    return game


def play_race(journal: Journal, chance: random.Random) -> None:
    """Play one race, in which everybody who shouts has six jokers, or nothing at first."""
    game: AnyGame | None = None
    entries: list[Entry] = []
    command: Command | None = StartGame(PLAYERS, "flash", {"challenge": "in_order"})
    while command is not None:
        for event in decide(game, command):
            game, number = evolve_any(game, event), len(entries) + 1
            entries.append(Entry(number, "2026-11-01T21:00:00+00:00", event, digest_of(game)))
        command = _next_in_race(game, chance) if isinstance(game, Race) else None
    journal.append(journal.next_game_id(), BOX, entries)


def _next_in_race(race: Race, chance: random.Random) -> Command | None:
    match race.phase:
        case Moving():
            return ConfirmTiles()
        case Ready():
            return CallGo()
        case Counting():
            return CountDown()
        case Racing() if race.cries:
            return Claim(chance.choice((("bolt",) * 6, (2, 2, 3, 3, 5, 6))))
        case Racing():
            return Shout(player=race.players[chance.choice(race.racing)].name)
    return None


def _next_command(game: Game, chance: random.Random) -> Command | None:
    match game.phase:
        case Moving():
            return ConfirmTiles()
        case AwaitingThrow():
            dice = max(game.dice_allowed)
            return TakeThrow(tuple(chance.randint(1, 6) for _ in range(dice)), "camera")
        case Choosing(throw):
            return Choose(tuple(tile.name for tile in chance.choice(game.rules.legal_moves(game.board, throw))))
        case TurnLost():
            return AcceptLoss()
    return None


def sums_of(folder: Path) -> dict[str, str]:
    """Every file of a folder, with the sum of what is in it."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def files_of_journal(folder: Path) -> Mapping[Path, bytes]:
    """The games as the memory card has them, while no daemon runs."""
    return {path: path.read_bytes() for path in folder.glob("journal*")}


def go_back_to(folder: Path, files: Mapping[Path, bytes]) -> None:
    """Have the memory card hold what it held then, as one does that has said more than it did."""
    for path in folder.glob("journal*"):
        path.unlink()
    for path, data in files.items():
        path.write_bytes(data)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write these texts into files of a folder, by name."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def leave_swap(folder: Path, staged: Mapping[str, str], **moves: object) -> None:
    """Leave what a swap leaves when it is broken off, or somebody who would have others move files for them."""
    write_files(folder / ".swap" / "new", staged)
    (folder / ".swap").mkdir(exist_ok=True)
    (folder / ".swap" / "moves.json").write_text(json.dumps({"aside": "aside", "old": [], "new": []} | moves))
