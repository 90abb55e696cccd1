"""Examples of requests and answers for the description of the API, made of the values that the routes take and return.

Each route has its example beside it, as a function that makes it; a test checks all of them against the description.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import TypeAdapter

from controller.game.core.commands import ConfirmTiles, StartGame
from controller.game.core.players import Player
from controller.game.core.sight import BaizeView, SnapshotContext
from controller.game.shutbox.commands import TakeThrow
from controller.game.shutbox.evolve import replay_box_game
from controller.game.table.engines import decide
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.messages.words import fill_in

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

BOARD = "1 2 3 4 5 6 7 8 9"
GAME_ID, EVENT = 12, 3


@dataclass(frozen=True, slots=True)
class Example:
    """An example of one route: the parameters in its address and headers, its request, and its answer.

    about: the subject of the request, if the route takes several kinds.
    more: requests of the other kinds with their answers, by subject.
    """

    parameters: Mapping[str, object] = field(default_factory=dict)
    request: Any = None
    answer: Any = None
    about: str = ""
    more: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    def put_into(self, operation: dict[str, Any]) -> None:
        """Add the example to the description of its operation."""
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in self.parameters:
                parameter["example"] = self.parameters[parameter["name"]]
        if self.more:
            pairs = {self.about: (self.request, self.answer), **self.more}
            requests, answers = (
                {name: {"value": _as_json(pair[part])} for name, pair in pairs.items()} for part in (0, 1)
            )
            operation["requestBody"]["content"]["application/json"]["examples"] = requests
            operation["responses"]["200"]["content"]["application/json"]["examples"] = answers
            return
        if self.request is not None:
            operation["requestBody"]["content"]["application/json"]["example"] = _as_json(self.request)
        if self.answer is not None:
            operation["responses"]["200"]["content"]["application/json"]["example"] = _as_json(self.answer)


_MAKERS: dict[Callable[..., Any], Callable[[], Example]] = {}


def example(make: Callable[[], Example]) -> Callable[[Endpoint], Endpoint]:
    """Give a route its example. It is made only when the API is described, which most daemons never do."""

    def keep(endpoint: Endpoint) -> Endpoint:
        _MAKERS[endpoint] = make
        return endpoint

    return keep


def example_of(endpoint: Callable[..., Any]) -> Example | None:
    """Return the example of the route with this function; None for a route that takes and returns nothing."""
    make = _MAKERS.get(endpoint)
    return None if make is None else make()


def example_state() -> Snapshot:
    """Return a snapshot in which Ann and Bob play the pub game, and Ann has thrown a five and a three."""
    events = list(decide(None, StartGame((Player("Ann"), Player("Bob")), game="pub", options={"first": "chosen"})))
    for command in (ConfirmTiles(), TakeThrow((5, 3), "camera")):
        events += decide(replay_box_game(events), command)
    context = SnapshotContext(
        number=9,
        event=EVENT,
        box="two-level-9",
        game_id=GAME_ID,
        daemon="8f3a" * 8,
        baize=BaizeView(280.0, 200.0, 16.0),
    )
    return fill_in(snapshot_of(replay_box_game(events), context))


def refusal_examples() -> Mapping[str, Mapping[str, object]]:
    """Return an example of a refusal for each of its statuses."""
    state = _as_json(example_state())
    return {
        "400": {"error": "message: is JSON that nobody can read: too deep, or a number too long", "code": "C-201"},
        "401": {"error": "nobody sits here with that token; take your seat again", "code": "C-320"},
        "403": {"error": "this is for players; take a seat first", "code": "C-318"},
        "404": {"error": "there is no game 99; GET /api/history lists them", "code": "C-380"},
        "405": {"error": "PUT is not for /api/state; GET /api/openapi.json tells what is", "code": "C-362"},
        "409": {"error": "the dice are being read; wait, or say what they show", "code": "C-301", "state": state},
        "413": {"error": "a body has 64 kB at most", "code": "C-366"},
        "415": {"error": "a body must be JSON: Content-Type: application/json", "code": "C-365"},
        "421": {"error": "this box has another name; its address is always one of its names", "code": "C-363"},
        "422": {"error": "count: must be at most 6", "code": "C-201"},
        "429": {"error": "too many wrong ones; wait two minutes", "code": "C-374"},
        "431": {"error": "the headers are more than 16 kB", "code": "C-201"},
        "500": {"error": "the program of the box failed; its log says why", "code": "C-369"},
        "503": {"error": "others have asked so much that this has to wait; ask again in a moment", "code": "C-381"},
    }


def _as_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    return TypeAdapter(type(value)).dump_python(value, mode="json")
