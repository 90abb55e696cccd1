"""Stories that are played at terminals, and kept under tests/transcripts as they stand on their screens.

`python -m tests.support.transcripts` writes them anew: read what has changed, as somebody who was never at this table.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.box.faults import apply_faults
from controller.game.core.players import Player
from controller.rules.options import Value
from controller.runtime.clock import run_jumping
from hardware.tiles import Position
from tests.support.evening import ANN_AND_HOUSE, Evening, Stage, Terminal
from vision.reading import Reason, refused

FOLDER = Path(__file__).parent.parent / "transcripts"
WIDTHS = (80, 60)
ANN, BEN = Player("Ann"), Player("Ben")
_ANN_BEGINS: Mapping[str, Value] = {"first": "chosen"}

# What breaks, and what somebody does about it; each in a game of its own, after the throw of 5 and 3.
_FAULTS: Mapping[str, str] = {
    "jam:front-8": "tile 8 in front is stuck",
    "half-way:front-8": "tile 8 in front gets half way and no farther",
    "contradiction:front-8": "the sensors of tile 8 in front contradict each other",
    "lid:closed": "the lid falls shut",
    "silent:0x40": "the plug of a board that moves tiles comes loose",
    "bus:hung": "one board blocks the wires that all boards share",
    "sag:supply": "the power supply is too weak",
}


async def first_game(evening: Evening) -> str:
    """Somebody plays for the first time, against the house, and looks what the program says to this and that."""
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal):
        await terminal.type("hello", "?", "??", "8")
        await stage.play_until("choosing", terminal)
        await terminal.type("h", "99", "f1 f2", "")
        await terminal.type("1", "u")
        await stage.play_on(terminal)
        await terminal.type("q")
    return terminal.text


async def tournament(evening: Evening) -> str:
    """A match of two rounds with the house, for points."""
    terminal = evening.terminal()
    options: Mapping[str, Value] = {"match": "points", "rounds": 2}
    async with evening.power() as stage, stage.seat(terminal, ANN_AND_HOUSE, "pub", options):
        await stage.play_on(terminal)
        await terminal.type("q")
    return terminal.text


async def faults(evening: Evening) -> str:
    """Each kind of fault, and how the game goes on."""
    told = []
    for fault, words in _FAULTS.items():
        terminal = evening.terminal()
        async with evening.power() as stage, stage.seat(terminal, [ANN], options={}):
            await terminal.type("d 5 3")
            terminal.note(words)
            apply_faults(stage.world, [fault])
            await terminal.rest(4)
            await terminal.type("f8", rest_s=20)
            await terminal.type("i")
            await terminal.type("", rest_s=6)
            terminal.note("what was broken is mended")
            stage.world.lift()
            await _go_on(stage, terminal)
            await terminal.type("give up", "give up yes", "q")
        told.append(terminal.text)
    return "\n".join(told)


async def _go_on(stage: Stage, terminal: Terminal) -> None:
    await terminal.rest(8)
    for _ in range(3):
        if stage.snapshot.phase in ("halted", "parked", "differing"):
            await terminal.type("", rest_s=10)


async def dice(evening: Evening) -> str:
    """Dice that the camera does not read, or reads wrong."""
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal, [ANN, BEN], options=_ANN_BEGINS):
        stage.eyes.refusals = [
            refused(Reason.UNSURE, "I am not sure of one die: say what you threw.", likely=((3, 5), (3, 6))),
            refused(Reason.COCKED, "One die is leaning on something or lying on another. Throw again."),
        ]
        await terminal.type("", "", "c", "d 6 5", "d 7 1", "d 6")
        await terminal.type("1", "d 2 2", "u", "c")
        await terminal.type("q")
    return terminal.text


async def cut(evening: Evening) -> str:
    """The power goes while a tile is on its way; meanwhile somebody moves another one."""
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal, [ANN, BEN], options=_ANN_BEGINS):
        await terminal.type("d 5 3")
        await terminal.type("f8", rest_s=0.2)
    terminal.note("the power goes; front-2 is tipped by hand; power is back")
    again = terminal.again()
    async with evening.power() as stage:
        stage.tip("front-2", Position.SHUT)
    async with evening.power() as stage, stage.seat(again, [ANN, BEN]):
        await again.type("s", "", rest_s=10)
        await again.type("d 6 4", "1", rest_s=8)
    terminal.note("the power goes once more; front-5 is tipped by hand")
    once_more = terminal.again()
    async with evening.power() as stage:
        stage.tip("front-5", Position.SHUT)
    async with evening.power() as stage, stage.seat(once_more, [ANN, BEN]):
        await once_more.type("k", rest_s=8)
        await once_more.type("q")
    return terminal.text


async def hands(evening: Evening) -> str:
    """Tiles are tipped by hand: the right ones, which is a move, and wrong ones."""
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal, [ANN, BEN], options=_ANN_BEGINS):
        terminal.note("Ann tips front-9 before she has thrown")
        stage.tip("front-9", Position.SHUT)
        await terminal.rest(5)
        await terminal.type("", rest_s=6)
        await terminal.type("d 5 3")
        terminal.note("Ann tips front-9, which is no part of any move")
        stage.tip("front-9", Position.SHUT)
        await terminal.rest(10)
        terminal.note("Ann tips front-3, and after a while front-5")
        stage.tip("front-3", Position.SHUT)
        await terminal.rest(3)
        stage.tip("front-5", Position.SHUT)
        await terminal.rest(10)
        await terminal.type("q")
    return terminal.text


async def two_terminals(evening: Evening) -> str:
    """Ann and Ben sit at one terminal each, and each tries what is the other's to do."""
    ann, ben = evening.terminal(), evening.terminal()
    async with (
        evening.power() as stage,
        stage.seat(ann, [ANN, BEN], options=_ANN_BEGINS, names=["Ann"]),
        stage.seat(ben, names=["Ben"]),
    ):
        await ben.type("", "d 6 6")
        await ann.type("d 5 3")
        await ben.type("1", "u")
        await ann.type("f8", rest_s=8)
        await ann.type("u", rest_s=8)
        await ann.type("f1 f7", rest_s=8)
        await ben.type("sit Ann", "p", "stand")
        await ann.type("", rest_s=6)
        await ann.type("q")
        await ben.type("q")
    return f"At Ann's terminal:\n\n{ann.text}\nAt Ben's terminal:\n\n{ben.text}"


async def race(evening: Evening) -> str:
    """Ann and Ben race at one terminal: they name, throw and keep, shout too early, and show dice of their own."""
    terminal = evening.terminal()
    async with evening.power() as stage, stage.seat(terminal, [ANN, BEN], "fleet", {"timer": 5}):
        await terminal.type("?", "??", "n straight", "ann all", "ann straight", "")
        await terminal.type("2", rest_s=1)
        await terminal.type("", rest_s=6)
        await terminal.type("", "", "", "ann h", "a k 2", "s", "k 2 9", "c 2 2 3 3 4 4", "a s", rest_s=1)
        await terminal.type("ben k 22 44", "b t", "b t", "w", rest_s=1)
        await terminal.type("b s", rest_s=12)
        terminal.note("in the second round they throw dice of their own")
        await terminal.type("ann 1", "ben 1", rest_s=1)
        await terminal.type("", rest_s=6)
        await terminal.type("b s", "c 2 2 2 b b", "c 222bb2", rest_s=2)
        await terminal.type("u", rest_s=3)
        await terminal.type("b", "p", "", "give up yes", "q")
    return terminal.text


async def race_unannounced(evening: Evening) -> str:
    """Ann and the house race for whatever comes; another terminal has Ben's seat."""
    ann, ben = evening.terminal(), evening.terminal()
    house = Player("House", house=True, strength="careless")
    options: Mapping[str, Value] = {"challenge": "unannounced", "hints": "never"}
    async with (
        evening.power() as stage,
        stage.seat(ann, [ANN, BEN, house], "flash", options, names=["Ann"]),
        stage.seat(ben, names=["Ben"]),
    ):
        await ben.type("", rest_s=6)
        await ann.type("", "h", "s", "s 7", rest_s=1)
        await ben.type("ann s even", "t", rest_s=1.3)
        await ben.type("s even", rest_s=1.8)
        await ben.type("end round", rest_s=1.3)
        await ann.type("q")
        await ben.type("q")
    return f"At Ann's terminal:\n\n{ann.text}\nAt Ben's terminal:\n\n{ben.text}"


STORIES: Mapping[str, Callable[[Evening], Awaitable[str]]] = {
    "first-game": first_game,
    "tournament": tournament,
    "faults": faults,
    "dice": dice,
    "cut": cut,
    "hands": hands,
    "two-terminals": two_terminals,
    "race": race,
    "race-unannounced": race_unannounced,
}


def file_of(name: str, width: int) -> Path:
    """Where a story is kept, as it stands on so many characters."""
    return FOLDER / f"{name}-{width}.txt"


async def tell(name: str, width: int, folder: Path) -> str:
    """Play a story."""
    box = "classic-9" if name == "tournament" else "two-level-9"
    return await STORIES[name](Evening(folder, width, box))


if __name__ == "__main__":
    for story in STORIES:
        for columns in WIDTHS:
            with TemporaryDirectory() as home:
                file_of(story, columns).write_text(run_jumping(tell(story, columns, Path(home))), "utf-8")
            print(file_of(story, columns).name)
