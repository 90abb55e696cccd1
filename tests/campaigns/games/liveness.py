"""Campaign `liveness`: a daemon amid troubles of every kind at once; once they are over, its game must come to an end.

Everything of a daemon but its sockets runs in one process on the jumping clock: table, journal, referee, panel, API and
pages. The troubles of a trial are drawn before it begins, so that a file of them repeats it.
"""

import asyncio
import errno
import json
import os
import random
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn

import httpx
from fastapi import FastAPI
from starlette.types import Message

from controller.access.access import open_access
from controller.box.choose import ChosenBox
from controller.box.compatibility import default_box_for
from controller.box.faults import apply_faults
from controller.box.simulated import open_table_on
from controller.box.table import Table
from controller.cli.daemon import Kept, keep_table
from controller.errors import BadFault
from controller.game.core.commands import ClientCommand
from controller.game.table.wire import COMMAND
from controller.journal.database import unwritable_error
from controller.journal.keys import CommandKey, key_of
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.clock import JumpingLoop, run_jumping
from controller.runtime.home import Home
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from controller.runtime.threads import run_in_background
from controller.settings import Pace, Settings
from controller.web.app import make_app
from controller.web.security.principal import LocalApp
from hardware.box import Box
from hardware.sim.faults import FAULTS
from hardware.sim.world import World
from tests.campaigns.campaign import Campaign, Results, count_kinds, print_report
from tests.campaigns.games.auditing_journal import AuditingJournal
from tests.campaigns.games.people import People, draw_game
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.pool import silence

_MOST_S = 120.0  # from the last trouble to the end of a game, as in `lifting`: three times the longest undisturbed one
_STORM_S = (5.0, 40.0)  # so long the troubles last
_TROUBLE_S = 0.8  # seconds from one to the next, on average
_LASTS_S = 6.0  # ... and how long one lasts, on average
_SLOWEST_S = 2.0  # people take so long at most for an answer
_LOOK_AGAIN_S = 5.0  # people who see nothing come of what they did try anew
_TURNS = 40  # turns of the event loop at most until a client has gone
_IN_PLACE = 4  # trials: see `Campaign.in_place`
# The calibration was read, and the header's lines were claimed, at the start; nobody changes a servo for another kind.
_NOT_AMID_A_GAME = ("calibration", "busy", "header", "holds")
_OFF = "oe:high"  # as when the guard has cut the pulses
_DISK = {"full": errno.ENOSPC, "broken": errno.EIO}
_PATHS = ("/", "/start", "/play", "/wall", "/games", "/none", "/api/state", "/api/moves", "/api/settings", "/metrics")
_BODIES = ("", "{", "[]", '{"do": "abandon"}', '{"do": "park", "key": "12345678"}', '{"names": ["Ann"]}')
_METHODS, _WRITES = ("GET", "GET", "POST", "PUT", "DELETE"), ("/api/commands", "/api/seats", "/api/settings/box")
_FAILED = 500


@dataclass(frozen=True, slots=True)
class Trouble:
    """One trouble. what: the fault or the request. lasts_s: until it is mended; 0 for what is over at once."""

    at_s: float
    kind: str
    what: str = ""
    lasts_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Trial:
    """The chance of game and people, how long the troubles last, and each of them in order of time."""

    seed: int
    storm_s: float
    troubles: tuple[Trouble, ...]

    def save(self, file: Path) -> None:
        """Write it to a file that `load` reads."""
        file.write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")

    @classmethod
    def load(cls, file: Path) -> "Trial":
        """Read a trial. Raises `OSError`, and `ValueError`, `KeyError` or `TypeError` for another file."""
        read = json.loads(file.read_text("utf-8"))
        return cls(read["seed"], read["storm_s"], tuple(Trouble(**each) for each in read["troubles"]))


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial ended: the seconds from its last trouble to the end of the game (None: it did not end), how many
    commands were acknowledged, and what went wrong in words.
    """

    trial: Trial
    after_s: float | None
    acknowledged: int
    problems: tuple[str, ...]


def draw_trial(seed: int) -> Trial:
    """Draw a trial from its seed."""
    chance = random.Random(f"{seed}/liveness")
    box, storm_s = _box_of(seed), chance.uniform(*_STORM_S)
    troubles = []
    at_s = chance.expovariate(1 / _TROUBLE_S)
    while at_s < storm_s:
        troubles.append(replace(_draw_trouble(chance, box), at_s=round(at_s, 3)))
        at_s += chance.expovariate(1 / _TROUBLE_S)
    return Trial(seed, round(storm_s, 3), tuple(troubles))


def _draw_trouble(chance: random.Random, box: Box) -> Trouble:
    lasts_s = round(chance.expovariate(1 / _LASTS_S), 3)
    match chance.choice(("disk", "box", "box", "guard", "clock", "chip", "watcher", "client", "stranger", "stranger")):
        case "disk":
            return Trouble(0, "disk", chance.choice(sorted(_DISK)), lasts_s)
        case "box":
            parts = {name: [*kind.parts(box)] for name, kind in FAULTS.items() if name not in _NOT_AMID_A_GAME}
            name = chance.choice([name for name, found in parts.items() if found and name != "oe"])
            return Trouble(0, "box", f"{name}:{chance.choice(parts[name])}", lasts_s)
        case "guard":
            return Trouble(0, "box", _OFF, lasts_s)
        case "clock":
            return Trouble(0, "clock", f"{chance.choice((0.05, 0.5, 5.0, 60.0))}")
        case "chip":
            return Trouble(0, "chip", str(chance.randrange(len(box.servo_boards) + len(box.expanders))))
        case "stranger":
            method = chance.choice(_METHODS)
            path = chance.choice(_PATHS if method == "GET" else _WRITES)
            return Trouble(0, "stranger", f"{method} {path} {chance.choice(_BODIES)}")
        case kind:
            return Trouble(0, kind, str(chance.randrange(_TURNS)))


def _box_of(seed: int) -> Box:
    start = draw_game(random.Random(seed))
    return default_box_for(rules_of(start.game, start.options, start.marks))


class _FailingJournal(AuditingJournal):
    """A journal whose disk refuses every write while `fails` is an error number."""

    fails: int | None = None

    @contextmanager
    def _commit(self) -> Iterator[None]:
        if self.fails is not None:
            raise unwritable_error(self.path, OSError(self.fails, os.strerror(self.fails)))
        with super()._commit():
            yield


def play_trial(trial: Trial) -> Outcome:
    """Play a trial on a jumping loop."""
    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(_Storm(trial, Home(Path(folder), Path(folder))).run())


@dataclass(slots=True)
class _Served:
    """The parts of a daemon that a trial reaches into: `here` asks at its own socket, `away` from the network."""

    journal: _FailingJournal
    referee: Referee
    app: FastAPI
    here: httpx.AsyncClient
    away: httpx.AsyncClient


class _Storm:
    """One trial.

    People throw, choose and mend all the time; the connection may break while they ask, and then they ask again with
    the same key.
    """

    def __init__(self, trial: Trial, home: Home) -> None:
        self._trial = trial
        self._home = home
        self._chance = random.Random(trial.seed)
        self._start = draw_game(self._chance)
        self._box = _box_of(trial.seed)
        self._vanish_after: list[int] = []
        self._acknowledged: list[CommandKey] = []
        self._problems: list[str] = []
        self._faults: Counter[str] = Counter()
        self._disk: Counter[int] = Counter()

    async def run(self) -> Outcome:
        """Play it; whatever else than the end of a game comes of it is a problem."""
        world, after_s = World(self._box, asyncio.get_running_loop().time, self._trial.seed), None
        try:
            async with self._serve(world) as served:
                people = People(self._chance, world)
                async with run_in_background(self._make_troubles(served, world)):
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self._trial.storm_s):
                            await self._play(served, people)
                self._faults.clear()
                served.journal.fails = None
                world.lift()
                world.open_lid()
                after_s = await self._play_to_the_end(served, people)
                self._check_kept(served.journal)
        except Exception as error:  # whatever it is, it is what the campaign looks for
            self._problems.append(f"{type(error).__name__}: {error}")
        return Outcome(self._trial, after_s, len(self._acknowledged), tuple(self._problems))

    @asynccontextmanager
    async def _serve(self, world: World) -> AsyncIterator[_Served]:
        """Run the daemon at its table, and its API."""

        @asynccontextmanager
        async def open_table() -> AsyncIterator[Table]:
            async with open_table_on(world, self._box) as table:
                yield with_typed_dice(table, world)

        def no_rigs() -> NoReturn:
            raise AssertionError("nobody calibrates amid a trial")

        settings, meters = Settings(pace=Pace(house_thinks_s=0.2)), Meters()
        with ExitStack() as last:
            journal = last.enter_context(_FailingJournal(self._home.journal, world, self._problems))
            access = last.enter_context(open_access(self._home.access))
            stand = BoxSlot(ChosenBox(self._box, open_table, no_rigs, simulated=True))
            async with keep_table(stand, Kept(journal, self._home, settings, access, meters)) as referee:
                app = make_app(referee, home=self._home, access=access, meters=meters, stand=stand)
                here, away = httpx.ASGITransport(app=LocalApp(app)), httpx.ASGITransport(app=app)
                async with (
                    httpx.AsyncClient(transport=here, base_url="http://box") as at_box,
                    httpx.AsyncClient(transport=away, base_url="http://box") as outside,
                ):
                    yield _Served(journal, referee, app, at_box, outside)

    async def _play(self, served: _Served, people: People) -> None:
        """Do what people do, for ever; a game that is over is followed by another."""
        async with served.referee.watch() as snapshots:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_AGAIN_S):
                        await snapshots.get()
                await asyncio.sleep(self._chance.uniform(0.0, _SLOWEST_S))
                now = served.referee.snapshot
                command = self._start if now.phase in ("idle", "ended") else people.act(now)
                if isinstance(command, ClientCommand):
                    await self._ask(served, replace(command, key=f"{self._chance.getrandbits(64):016x}"))

    async def _ask(self, served: _Served, command: ClientCommand) -> None:
        """Send a command; if the connection breaks, send it again."""
        body = COMMAND.dump_json(command, exclude_none=True)  # type: ignore[arg-type]
        headers = {"Content-Type": "application/json"}
        while self._vanish_after:
            asking = asyncio.ensure_future(served.here.post("/api/commands", content=body, headers=headers))
            for _ in range(self._vanish_after.pop()):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
        answer = await served.here.post("/api/commands", content=body, headers=headers)
        if answer.is_success:
            key = key_of(command, "")
            assert key is not None
            self._acknowledged.append(key)
        elif answer.status_code >= _FAILED or answer.json()["code"] == "C-322":
            self._problems.append(f"{command} is answered with {answer.status_code}: {answer.text[:200]}")

    async def _play_to_the_end(self, served: _Served, people: People) -> float | None:
        """Play on once the troubles are over, and return the seconds until a game has ended; None: it has not."""
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        try:
            async with (
                asyncio.timeout(_MOST_S),
                run_in_background(self._play(served, people)),
                served.referee.watch() as snapshots,
            ):
                is_on = False
                while True:
                    now = await snapshots.get()
                    is_on = is_on or now.phase not in ("idle", "ended")
                    if is_on and now.phase == "ended":
                        break
        except TimeoutError:
            now = served.referee.snapshot
            told = f"{now.phase}: {now.say} {now.notice}"
            self._problems.append(f"{_MOST_S:.0f} s after the last trouble still {told}")
            return None
        return loop.time() - began_s

    def _check_kept(self, journal: _FailingJournal) -> None:
        recent = [key for key in self._acknowledged[-1:] if journal.keys.use_of(key) != "done"]
        self._problems += [f"the last acknowledged command is not in the journal: {key}" for key in recent]

    async def _make_troubles(self, served: _Served, world: World) -> None:
        async with asyncio.TaskGroup() as tasks:
            now_s = 0.0
            for trouble in self._trial.troubles:
                await asyncio.sleep(max(0.0, trouble.at_s - now_s))
                now_s = max(now_s, trouble.at_s)
                tasks.create_task(self._make(trouble, served, world))

    async def _make(self, trouble: Trouble, served: _Served, world: World) -> None:
        match trouble.kind:
            case "disk":
                served.journal.fails = _DISK[trouble.what]
                await asyncio.sleep(trouble.lasts_s)
                served.journal.fails = None
            case "box":
                with suppress(BadFault):
                    apply_faults(world, [trouble.what])
                    await asyncio.sleep(trouble.lasts_s)
                    if trouble.what in world.faults:
                        world.lift(trouble.what)
            case "clock":
                loop = asyncio.get_running_loop()
                assert isinstance(loop, JumpingLoop)
                loop.hold_up(float(trouble.what))
            case "chip":
                world.forget((*world.box.servo_boards, *world.box.expanders)[int(trouble.what)])
            case "client":
                self._vanish_after.append(int(trouble.what))
            case "watcher":
                await _watch_and_vanish(served.app, int(trouble.what))
            case "stranger":
                method, path, body = trouble.what.split(" ", 2)
                headers = {"Content-Type": "application/json"} if body else {}
                answer = await served.away.request(method, path, content=body, headers=headers)
                if answer.status_code >= _FAILED and answer.headers.get("Retry-After") is None:
                    self._problems.append(f"a stranger's {trouble.what} is answered with {answer.status_code}")


async def _watch_and_vanish(app: FastAPI, turns: int) -> None:
    """Open the stream of snapshots, and go after so many turns of the loop without a word."""
    connected = False

    async def receive() -> Message:
        nonlocal connected
        if not connected:
            connected = True
            return {"type": "websocket.connect"}
        for _ in range(turns):
            await asyncio.sleep(0)
        return {"type": "websocket.disconnect", "code": 1006}

    async def send(_message: Message) -> None:
        await asyncio.sleep(0)

    scope = {
        "type": "websocket", "path": "/api/snapshots", "raw_path": b"/api/snapshots", "query_string": b"",
        "headers": [(b"host", b"box")], "scheme": "ws", "server": ("box", 80), "client": ("192.0.2.1", 50_000),
        "subprotocols": [], "root_path": "", "extensions": {}, "asgi": {"version": "3.0"},
    }  # fmt: skip
    await app(scope, receive, send)


@dataclass(frozen=True, slots=True)
class LivenessReport:
    """What came of all trials; `files` are those that repeat the failed ones."""

    outcomes: Sequence[Outcome]
    files: Sequence[Path] = field(default_factory=tuple)

    @property
    def _problems(self) -> list[str]:
        return [f"seed {each.trial.seed}: {problem}" for each in self.outcomes for problem in each.problems]

    @property
    def passed(self) -> bool:
        """True if every game came to an end in time."""
        return not self._problems

    @property
    def _longest_s(self) -> float:
        return max((each.after_s for each in self.outcomes if each.after_s is not None), default=0.0)

    @property
    def _troubles(self) -> Counter[str]:
        return Counter(trouble.kind for each in self.outcomes for trouble in each.trial.troubles)

    def as_json(self) -> Mapping[str, Any]:
        """The figures and the problems."""
        return {
            "runs": len(self.outcomes),
            "troubles": dict(self._troubles),
            "acknowledged": sum(each.acknowledged for each in self.outcomes),
            "longest_s": round(self._longest_s, 1),
            "problems": self._problems,
            "files": [str(each) for each in self.files],
        }

    def show(self) -> None:
        """Print them."""
        answers.print(f"{len(self.outcomes)} games amid troubles: {count_kinds(self._troubles)}.")
        answers.print(f"Commands acknowledged: {sum(each.acknowledged for each in self.outcomes)}.")
        answers.print(f"Longest from the last trouble to the end: {self._longest_s:.1f} s (limit {_MOST_S:.0f}).")
        for line in self._problems or ["No problems."]:
            answers.print(line, markup=False)
        for file in self.files:
            answers.print(f"python -m tests.campaigns liveness --repeat {file}", markup=False)


def bench_liveness(runs: int, seed: int, repeat: Path | None, *, as_json: bool) -> Exit:
    """Play `runs` trials from `seed` on, or the one in a file; NO if a game did not go on. A failed one is written to
    `liveness-SEED.json` in the present folder.
    """
    trials = [draw_trial(each) for each in range(seed, seed + runs)] if repeat is None else [Trial.load(repeat)]
    results: Results[Outcome] = Campaign("games", trials, play_trial, in_place=_IN_PLACE, begin=silence).run()
    files = []
    if repeat is None:
        for failed in (each.trial for each in results.outcomes if each.problems):
            files.append(Path(f"liveness-{failed.seed}.json"))
            failed.save(files[-1])
    return print_report(LivenessReport(results.outcomes, files), results, as_json=as_json)
