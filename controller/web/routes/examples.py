"""An example of each request and answer, for the description of the API. They are made of what the routes answer with,
so that none can be of a form that no route has; a test holds each against the description.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from pydantic import TypeAdapter

from controller.access import DeviceView, JoinCode, PairingView, PinView
from controller.box import FaultForm, GameEntry, GameOption, ServoOrder, SimulatedView
from controller.calibrate import JobState, Line
from controller.game import (
    COMMAND,
    SNAPSHOT,
    BaizeView,
    ConfirmTiles,
    Game,
    JobQuestion,
    JobView,
    Player,
    Question,
    RollDice,
    Snapshot,
    SnapshotContext,
    StartGame,
    TakeThrow,
    decide,
    evolve_box_game,
    snapshot_of,
)
from controller.game.table.questions import FleetQuestion
from controller.journal import GameRow, ThrowRow
from controller.maintenance import Section
from controller.referee import Ticket
from controller.settings import SettingRow
from controller.strategy import Choice, GameStory, PlayerStatistics, Share, TileStatistics, TurnStory
from controller.web.played import DiceView, PlayersPage, RecordView
from controller.web.routes.access import (
    HomeLink,
    Me,
    Paired,
    PairingBegun,
    PairingNumber,
    PairingRequest,
    Pin,
    PinEntry,
    Token,
)
from controller.web.routes.box import WantedGame
from controller.web.routes.history import HistoryPage, PlayedGame
from controller.web.routes.job import JobAnswer, JobHold
from controller.web.routes.odds import MovesAnswer, OddsAnswer
from controller.web.routes.pictures import PicturesPage, PictureView
from controller.web.routes.seats import SeatRequest
from controller.web.routes.settings import SettingRequest, SettingsPage
from controller.web.routes.simulated import SimulatedPage
from controller.web.routes.state import MovesPage
from controller.web.routes.statistics import RecordsPage
from controller.words import fill_in
from hardware.box import load_box
from hardware.tiles import TileId
from hardware.wiring import list_wiring, plan_of

_BOARD = "1 2 3 4 5 6 7 8 9"
_GAME_ID, _EVENT = 12, 3


@dataclass(frozen=True, slots=True)
class Example:
    """An example of one route: what stands in its address, what is sent, and what is answered, as JSON has them.

    more: further requests with their answers, by what they are about, where a route takes several kinds; `about` is
    what the first one is about.
    """

    parameters: Mapping[str, object] = field(default_factory=dict)
    request: Any = None
    answer: Any = None
    about: str = ""
    more: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    def put_into(self, operation: dict[str, Any]) -> None:
        """Put it into the description of its operation."""
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in self.parameters:
                parameter["example"] = self.parameters[parameter["name"]]
        if self.more:
            told = {self.about: (self.request, self.answer), **self.more}
            requests, answers = ({name: {"value": pair[part]} for name, pair in told.items()} for part in (0, 1))
            operation["requestBody"]["content"]["application/json"]["examples"] = requests
            operation["responses"]["200"]["content"]["application/json"]["examples"] = answers
            return
        if self.request is not None:
            operation["requestBody"]["content"]["application/json"]["example"] = self.request
        if self.answer is not None:
            operation["responses"]["200"]["content"]["application/json"]["example"] = self.answer


def _snapshot() -> Snapshot:
    """Ann and Bob play the game of the pubs; Ann has thrown a five and a three."""
    game: Game | None = None
    commands = (_START, ConfirmTiles(), TakeThrow((5, 3), "camera"))
    for command in commands:
        for event in decide(game, command):
            game = evolve_box_game(game, event)
    context = SnapshotContext(
        number=9,
        event=_EVENT,
        box="two-level-9",
        game_id=_GAME_ID,
        daemon="8f3a" * 8,
        baize=BaizeView(280.0, 200.0, 16.0),
    )
    return fill_in(snapshot_of(game, context))


def _plain(value: object) -> Any:
    """A value as JSON has it."""
    return TypeAdapter(type(value)).dump_python(value, mode="json", exclude_none=isinstance(value, OddsAnswer))


_START = StartGame((Player("Ann"), Player("Bob")), game="pub", options={"first": "chosen"})
_STATE = SNAPSHOT.dump_python(_snapshot(), mode="json")
_GAME_ROW = GameRow(
    game=_GAME_ID,
    box="two-level-9",
    began="2026-11-24T20:00:01+00:00",
    ended="2026-11-24T20:09:30+00:00",
    name="pub",
    options={"tiles": 9},
    players=("Ann", "Bob"),
    house=(),
    rounds=1,
    outcome="won",
    winners=("Ann",),
)
_ABOUT = {"game": _GAME_ID, "event": _EVENT, "at": "2026-11-24T20:00:09+00:00", "round": 1, "player": "Ann"}
_THROW = ThrowRow.model_validate({**_ABOUT, "purpose": "turn", "dice": (5, 3), "source": "camera"})
_TURN = TurnStory(
    "Ann", 1, 11.01, (Choice(_BOARD, (5, 3), ("front-8",), (("front-8",),), -1.97, 0.0, 0.0),), 9.0, 0.0, -2.01, 0.0
)
_GAME = GameEntry(
    "pub",
    "S001",
    "One row. When 7, 8 and 9 are shut, you may throw one die.",
    "two-level-9",
    {"tiles": GameOption(9, tuple(range(1, 13)), "tiles in the row")},
)
_ODDS = OddsAnswer("score", 9.0406746918, best=[["front-8"]])
_POSITION = Question(game="pub", board=_BOARD, throw=[5, 3]).model_dump(mode="json", exclude_defaults=True)
_RACE_POSITION = FleetQuestion(game="fleet", combination="all-twos", throw=[2, 2, 3, 5, 6, "boat"]).model_dump(
    mode="json", exclude_defaults=True
)
_RACE_ODDS = OddsAnswer("throws", 5.0210526316, best=[[2, 2, "joker"]])
_SETTING = SettingRow("evidence.keep", 0, 0, "how many throws have their picture kept; 0: none")
_PICTURE = PictureView("000041-20261124-200009-5-3", 41, "2026-11-24T20:00:09", "5-3")
_DEVICE = DeviceView(3, "Ann's phone", date(2026, 11, 1), date(2026, 11, 24))
_CODE = JoinCode("H7K2MP", "vQ3mTn8fXr2bLk5cWd9hZg")
_JAMMED = SimulatedView(
    "classic-9", {"front-1": "OPEN", "front-7": "BETWEEN"}, "open", (5, 3), ("camera:frozen", "jam:front-7")
)
_LID = FaultForm("lid", ("closed",), "The lid is down.")
_HELD = {"Job-Hold": "a-secret-of-my-own"}
_QUESTION = JobQuestion("Save 1 of 1 tiles?", ("yes", "no"))
_JOB = _plain(
    JobState(
        JobView("servos", "front-7 (1 of 1): good: open 994 us, shut 1979 us.", 1.0, _QUESTION),
        asked=2,
        lines=(Line("said", "front-7: looking for its ends ...", "dim"),),
        count=8,
        is_yours=True,
        draft={"tiles": {"front-7": {"open_us": 994, "shut_us": 1979, "verdict": "good"}}, "failed": {}},
    )
)

EXAMPLES: Mapping[tuple[str, str], Example] = {
    ("GET", "/api/state"): Example(answer=_STATE),
    ("GET", "/api/moves"): Example(
        {"offset": 0}, answer=_plain(MovesPage(_GAME_ID, _EVENT, 2, (("front-8",), ("front-3", "front-5"))))
    ),
    ("POST", "/api/commands"): Example(
        request=COMMAND.dump_python(
            RollDice(game_id=_GAME_ID, event=_EVENT, key="a-key-of-my-own"), mode="json", exclude_none=True
        ),
        answer=_STATE,
    ),
    ("POST", "/api/seats"): Example(
        request=_plain(SeatRequest(("Ann",), code="H7K2MP")),
        answer=_plain(Ticket("the-token-of-this-seat", "player", ("Ann",))),
    ),
    ("DELETE", "/api/seats"): Example(),
    ("GET", "/api/access/me"): Example(answer=_plain(Me("operator", False, (), _DEVICE, None))),
    ("DELETE", "/api/access/me"): Example(),
    ("POST", "/api/access/pin"): Example(
        request=_plain(PinEntry("274916", "Ann's phone")), answer=_plain(Token("the-token-of-this-device"))
    ),
    ("GET", "/api/access/pin"): Example(answer=_plain(PinView(is_set=True, wrong=0, wait_s=0))),
    ("PUT", "/api/access/pin"): Example(request=_plain(Pin("274916"))),
    ("DELETE", "/api/access/pin"): Example(),
    ("DELETE", "/api/access/pin/tries"): Example(),
    ("POST", "/api/access/pairings"): Example(
        request=_plain(PairingRequest("Ann's phone")),
        answer=_plain(PairingBegun("the-token-of-this-device", PairingView("Ann's phone", "0417", 60))),
    ),
    ("POST", "/api/access/pairings/confirmed"): Example(
        request=_plain(PairingNumber("0417")), answer=_plain(Paired("Ann's phone"))
    ),
    ("GET", "/api/access/devices"): Example(answer=[_plain(_DEVICE)]),
    ("DELETE", "/api/access/devices"): Example(),
    ("DELETE", "/api/access/devices/{number}"): Example({"number": 3}),
    ("GET", "/api/access/code"): Example(answer=_plain(_CODE)),
    ("DELETE", "/api/access/code"): Example(answer=_plain(_CODE)),
    ("GET", "/api/access/link"): Example(answer=_plain(HomeLink(_CODE.link))),
    ("POST", "/api/job"): Example(_HELD, request=_plain(ServoOrder((TileId(1, 7),))), answer=_JOB),
    ("GET", "/api/job"): Example({"since": 7, **_HELD}, answer=_JOB),
    ("DELETE", "/api/job"): Example(_HELD, answer=_JOB),
    ("POST", "/api/job/answer"): Example(_HELD, request=_plain(JobAnswer(2, "yes")), answer=_JOB),
    ("POST", "/api/job/hold"): Example(request=_plain(JobHold(_HELD["Job-Hold"])), answer=_JOB),
    ("GET", "/api/job/page"): Example({"alone": True}),
    ("GET", "/api/simulated"): Example(answer=_plain(SimulatedPage(_JAMMED, (_LID,)))),
    ("POST", "/api/simulated/deeds"): Example(request={"do": "break", "fault": "jam:front-7"}, answer=_plain(_JAMMED)),
    ("GET", "/api/games"): Example(answer=[_plain(_GAME)]),
    ("GET", "/api/games/{game}"): Example({"game": "pub"}, answer=_plain(_GAME)),
    ("GET", "/api/odds"): Example(answer=_plain(_ODDS)),
    ("POST", "/api/odds"): Example(
        request=_POSITION, answer=_plain(_ODDS), about="tiles", more={"race": (_RACE_POSITION, _plain(_RACE_ODDS))}
    ),
    ("POST", "/api/moves"): Example(
        request=_POSITION, answer=_plain(MovesAnswer([["front-8"], ["front-3", "front-5"]], turn_over=False))
    ),
    ("GET", "/api/history"): Example(
        {"before": 13, "limit": 20}, answer=_plain(HistoryPage(_GAME_ID, (_GAME_ROW,), (), None))
    ),
    ("GET", "/api/history/{game_id}"): Example(
        {"game_id": _GAME_ID, "offset": 0}, answer=_plain(PlayedGame(_GAME_ROW, 1, (_THROW,)))
    ),
    ("GET", "/api/history/{game_id}/luck"): Example(
        {"game_id": _GAME_ID},
        answer=_plain(GameStory(_GAME_ID, "pub", ("Ann",), (_TURN,), (), (Share("Ann", 11.01, -2.01, 0.0, 9.0),), "")),
    ),
    ("GET", "/api/statistics"): Example(
        {"player": "Ann"},
        answer=_plain(PlayersPage(12, (PlayerStatistics("Ann", "pub", 12, 7, 12, 9.5, 0, -0.4, 0.7),))),
    ),
    ("GET", "/api/statistics/records"): Example(
        {"player": "Ann", "offset": 0},
        answer=_plain(RecordsPage(1, (RecordView("Ann", "pub", {"tiles": 12}, 5, 3, 14.2, 0, 9),))),
    ),
    ("GET", "/api/statistics/tiles"): Example(answer=[_plain(TileStatistics("pub", "front-9", 24, 15))]),
    ("GET", "/api/statistics/dice"): Example(answer=[_plain(DiceView(6, 60, (9, 11, 10, 8, 12, 10), True, 1.0, 5))]),
    ("GET", "/api/settings"): Example(answer=_plain(SettingsPage((_SETTING,)))),
    ("PUT", "/api/settings/{key}"): Example(
        {"key": "evidence.keep"},
        request=_plain(SettingRequest(20)),
        answer=_plain(SettingsPage((replace(_SETTING, value=20),))),
    ),
    ("GET", "/api/pictures"): Example({"offset": 0}, answer=_plain(PicturesPage(1, (_PICTURE,)))),
    ("GET", "/api/pictures/{name}"): Example({"name": _PICTURE.name}),
    ("GET", "/api/wiring"): Example(answer=_plain(list_wiring(plan_of(load_box("two-level-9"))))),
    ("PUT", "/api/box"): Example(request=_plain(WantedGame("pub", {"tiles": 9})), answer=_STATE),
    ("GET", "/api/health"): Example(answer=[_plain(Section("health", ("journal, disk and clock are well",)))]),
    ("GET", "/api/backup"): Example(),
    ("GET", "/metrics"): Example(),
    ("GET", "/api/openapi.json"): Example(),
}

REFUSAL_EXAMPLES: Mapping[str, Mapping[str, object]] = {
    "400": {"error": "message: is JSON that nobody can read: too deep, or a number too long", "code": "C-201"},
    "401": {"error": "nobody sits here with that token; take your seat again", "code": "C-320"},
    "403": {"error": "this is for players; take a seat first", "code": "C-318"},
    "404": {"error": "there is no game 99; GET /api/history lists them", "code": "C-380"},
    "405": {"error": "PUT is not for /api/state; GET /api/openapi.json tells what is", "code": "C-362"},
    "409": {"error": "the dice are being read; wait, or say what they show", "code": "C-301", "state": _STATE},
    "413": {"error": "a body has 64 kB at most", "code": "C-366"},
    "415": {"error": "a body must be JSON: Content-Type: application/json", "code": "C-365"},
    "421": {"error": "this box has another name; its address is always one of its names", "code": "C-363"},
    "422": {"error": "count: must be at most 6", "code": "C-201"},
    "429": {"error": "too many wrong ones; wait two minutes", "code": "C-374"},
    "431": {"error": "the headers are more than 16 kB", "code": "C-201"},
    "500": {"error": "the program of the box failed; its log says why", "code": "C-369"},
    "503": {"error": "others have asked so much that this has to wait; ask again in a moment", "code": "C-381"},
}
