"""The hunt for a request that the API answers as it must not, or that changes something though it is refused."""

from collections import Counter
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from controller.errors import TooManyTries, WrongCode, WrongPin
from controller.runtime.home import Home
from tests.support.served_box import Door, Run, ServedBox, hold_served_box

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# A home of its own for so many cases: files that are compared after each of them must stay small.
CASES_A_BOX = 500
# So often the tokens are made anew, since among the requests are those that give them back, and the game goes on.
_CASES_A_TURN = 25


# Who asks is the door's to say, and where a request ends the client's.
_NOT_THE_CASES = ("authorization", "content-length", "transfer-encoding")
# A backup is sent as it is: bytes, whatever they are called.
schemathesis.serializer.alias("application/gzip", "application/octet-stream")
# A wrong try is counted, durably, before it is refused.
_COUNTED = {each.code for each in (WrongPin, WrongCode, TooManyTries)}


class ChangedByRefusal(AssertionError):
    """A request was refused, and something is another than before."""


@dataclass(slots=True)
class Bag:
    """What the hunt has tried: how often each answer came to whom."""

    answers: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    @property
    def cases(self) -> int:
        """How many requests were made."""
        return self.answers.total()

    def statuses(self) -> dict[int, int]:
        """How often each status came."""
        counted: Counter[int] = Counter()
        for (_, _, status), times in self.answers.items():
            counted[status] += times
        return dict(sorted(counted.items()))

    def only_refused(self) -> list[str]:
        """The operations that were asked for, and always refused: of these the hunt has seen half."""
        done = {operation for operation, _, status in self.answers if status < HTTPStatus.BAD_REQUEST}
        return sorted({operation for operation, _, _ in self.answers} - done)


def hunt(cases: int, first_seed: int) -> Bag:
    """Make so many requests, some hundreds at a box; raises what is wrong with an answer, with how to repeat it."""
    bag = Bag()
    for number, done in enumerate(range(0, cases, CASES_A_BOX)):
        with TemporaryDirectory() as folder:
            try:
                hunt_at_one_box(Path(folder), min(CASES_A_BOX, cases - done), first_seed + number, bag)
            except Exception as error:
                error.add_note(f"again: .venv/bin/python -m tests.api --seed {first_seed + number}")
                raise
    return bag


def hunt_at_one_box(folder: Path, cases: int, chance: int, bag: Bag, only: str = "") -> None:
    """Make so many requests at one box, by its own description; or of `only` one operation, such as GET /api/moves."""
    with hold_served_box(Home(folder, folder)) as (box, run):
        description = run(_describe(box))
        hunter = _Hunter(box, run, bag)

        # Each case finds the box as the last one left it: a smaller one would meet another box.
        @seed(chance)
        @settings(
            max_examples=cases,
            phases=[Phase.generate],
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(_requests(description, only), st.integers(0, 100))
        def try_one(case: Case, chosen: int) -> None:
            hunter.try_one(case, chosen)

        try_one()


async def _describe(box: ServedBox) -> dict[str, Any]:
    described: dict[str, Any] = (await (await box.doors())[0].ask("GET", "/api/openapi.json")).json()
    return described


def _requests(description: dict[str, Any], only: str) -> st.SearchStrategy[Case]:
    """Requests as the description wants them, and as it does not."""
    operations = [found.ok() for found in schemathesis.openapi.from_dict(description).get_all_operations()]
    return st.one_of([_requests_of(each) for each in operations if only in ("", each.label)])


def _requests_of(operation: schemathesis.APIOperation) -> st.SearchStrategy[Case]:
    right = operation.as_strategy(GenerationMode.POSITIVE)
    takes_anything = operation.body or any(operation.iter_parameters())
    return st.one_of(right, operation.as_strategy(GenerationMode.NEGATIVE)) if takes_anything else right


class _Hunter:
    """Makes one request after the other at a box, and looks at it before and after."""

    def __init__(self, box: ServedBox, run: Run, bag: Bag) -> None:
        self._box = box
        self._run = run
        self._bag = bag
        self._tried = 0
        self._doors: Sequence[Door] = ()
        self._before = box.state()

    def try_one(self, case: Case, chosen: int) -> None:
        if self._tried % _CASES_A_TURN == 0:
            self._run(self._begin_turn())
        self._tried += 1
        door = self._doors[chosen % len(self._doors)]
        answer = self._run(_ask(door, case))
        self._bag.answers[case.operation.label, door.name, answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)
        self._compare(door, case, answer)

    def _compare(self, door: Door, case: Case, answer: httpx.Response) -> None:
        if answer.is_success and case.method != "GET":
            self._run(self._box.rest())
        after = self._box.state()
        is_counted = not answer.is_success and answer.json()["code"] in _COUNTED
        if not is_counted and not answer.is_success and after != self._before:
            told = f"{door.name}: {case.as_curl_command()}: {answer.status_code} {answer.text[:200]}"
            raise ChangedByRefusal(f"{told}: {self._before} became {after}")
        self._before = after

    async def _begin_turn(self) -> None:
        self._doors = await self._box.doors()
        await _play_on(self._doors[0])
        await self._box.rest()
        self._before = self._box.state()


async def _ask(door: Door, case: Case) -> httpx.Response:
    sent = case.as_transport_kwargs(base_url="")
    body = {"json": sent["json"]} if "json" in sent else {"content": sent.get("data")}
    headers = {name: value for name, value in sent["headers"].items() if name.lower() not in _NOT_THE_CASES}
    return await door.ask(case.method, sent["url"], headers, params=sent["params"], **body)


async def _play_on(door: Door) -> None:
    """Have the game go on a step, or begin: chance alone would hardly get beyond the first throw."""
    now = (await door.ask("GET", "/api/state")).json()
    if now["job"] is not None and now["job"]["kind"] == "outage":
        await door.ask("POST", "/api/commands", json={"do": "park"})  # it may last until somebody ends it
    can = {action["kind"] for action in now["actions"]}
    due: dict[str, dict[str, Any]] = {
        "choose": {"tiles": now["moves"] and now["moves"][0]},
        "roll": {},
        "accept": {},
        "go_on": {},
        "try_again": {},
        "start": {"players": [{"name": "Ann"}, {"name": "Bob"}]},
    }
    do = next((do for do in due if do in can), None)
    if do is not None:
        await door.ask("POST", "/api/commands", json={"do": do, **due[do]})
