"""The one shape of every refusal: a line for people, the code of its kind, and the present state if that helps."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as NoRoute
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from controller.errors import (
    BadPlayers,
    NoPairing,
    NotCalibrated,
    NotNow,
    NotThere,
    NotYours,
    SeatTaken,
    ShutboxError,
    TooBusy,
    TooManyTries,
    UnknownDevice,
    UnknownSeat,
    WrongCode,
    WrongName,
    WrongPin,
)
from controller.game.core.english import as_sentence
from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.messages.words import words_in
from controller.rules.errors import RulesError
from controller.web.dependencies import home_of, language_of, referee_of, speaks_to_people
from controller.web.roles import methods_of
from hardware.toml_file import describe_mistake, kind_of

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def describe_request(request: Request, error: RequestValidationError) -> str:
    """Return the first mistake with its place: `players.0.name: is missing`; `message` stands for the whole request.

    If a value may be of several kinds, each kind reports a mistake, and the line lists them all.
    """
    mistakes: list[ErrorDetails] = list(error.errors())
    part, *_ = mistakes[0]["loc"]
    sent = error.body if part == "body" else {**request.query_params, **request.path_params}
    place = _place_in(sent, mistakes[0])
    said = [describe_mistake(each) for each in mistakes if _place_in(sent, each) == place]
    return f"{'.'.join(place) or 'message'}: {', or '.join(dict.fromkeys(said))}"


def _place_in(sent: object, mistake: "ErrorDetails") -> tuple[str, ...]:
    """Return the path to the faulty value, without the validator's steps between its own types."""
    _part, *steps = mistake["loc"]
    ways = list(_ways(sent, steps))
    # The name of a type may also be that of a field: the right path is the one that leads to the value.
    way = next((way for way, value in ways if value == mistake["input"]), ways[0][0])
    if steps and kind_of(mistake) == "missing":
        return (*way, str(steps[-1]))
    return way


def _ways(sent: Any, steps: Sequence[int | str]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every path into the request by some of these steps, in their order, with its value; the longest first."""
    if not steps:
        yield (), sent
        return
    step, *later = steps
    has_step = step in sent if isinstance(sent, Mapping) else isinstance(sent, list) and step in range(len(sent))
    if has_step:
        for way, value in _ways(sent[step], later):
            yield (str(step), *way), value
    yield from _ways(sent, later)


# In characters. Our own lines are shorter; only a quoted part of the request can be longer.
_LONGEST_LINE = 1000
NOT_UNDERSTOOD = "C-201"
_NO_ADDRESS, _NO_METHOD, _FAILED = "C-361", "C-362", "C-369"
WRONG_HOST, _FOREIGN_PAGE, NOT_JSON, _TOO_LARGE = "C-363", "C-364", "C-365", "C-366"
# The codes of refusals that come of a request itself, and of no error.
REQUEST_CODES: Mapping[str, str] = {
    _NO_ADDRESS: "The address does not exist.",
    _NO_METHOD: "The address does not support this method.",
    WRONG_HOST: "The request is for a host of another name than the box has.",
    _FOREIGN_PAGE: "A page of another site asks for more than an answer.",
    NOT_JSON: "The body is not of the type that the address takes.",
    _TOO_LARGE: "The body is too large.",
    _FAILED: "The program of the box failed, which is a bug.",
}
LONGEST_HEAD, LONGEST_BODY = 16 * 1024, 64 * 1024  # bytes of a request
# These alone may be longer: a backup, and an evening, which 24 players with names of 96 bytes fill to half.
UPLOAD, LONGEST_UPLOAD = ("POST", "/api/restore"), 500_000_000
_EVENING, _LONGEST_EVENING = ("PUT", "/api/evening"), 256 * 1024
# A kind stands before those that it is a special case of; all others are 422.
_STATUSES: Mapping[type[ShutboxError], int] = {
    WrongPin: 403,
    WrongCode: 403,
    TooManyTries: 429,
    NoPairing: 409,
    UnknownDevice: 404,
    NotYours: 403,
    NotNow: 409,
    NotCalibrated: 409,
    UnknownSeat: 401,
    NotThere: 404,
    TooBusy: 503,
}


def status_of(error: type[Exception]) -> int:
    """Return the status with which an error of the rules or of the controller is answered."""
    return next((status for kind, status in _STATUSES.items() if issubclass(error, kind)), 422)


# Makes the page that replaces a refused one, from a status, a code and headers.
DrawRefused = Callable[[Request, int, str, Mapping[str, str] | None], Response]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was done: one line, and the code of its kind. `state`: the present snapshot, if it helps."""

    error: str
    code: str
    state: Snapshot | None = None


# The statuses of refusals, which every route may answer as a `Refusal`, with their meaning.
REFUSALS: Mapping[int, str] = {
    400: "The request is not valid HTTP or JSON.",
    401: "The token is unknown at this table.",
    403: "Only another client or another role may do this.",
    404: "There is no such thing.",
    405: "The address does not support this method; `Allow` lists the supported ones.",
    409: "It cannot be done now; for a command, `state` is the present snapshot.",
    413: "The body is more than 64 kB, for an evening more than 256 kB, or for a backup more than 500 MB.",
    415: "The body is not JSON, or for a backup not application/gzip.",
    421: "This box has another name.",
    422: "The request is not understood, or is impossible.",
    429: "Too many wrong tries, or too many requests; `Retry-After` says how many seconds to wait, if waiting helps.",
    431: "The headers are more than 16 kB.",
    500: "The program of the box failed; its log says why.",
    503: "Too many requests are waiting; try again.",
}


def refusal(
    status: int, code: str, line: str, headers: Mapping[str, str] | None = None, **more: object
) -> JSONResponse:
    """Return the answer that refuses a request with one line."""
    # The line may quote the request, which may have many lines and any length. Python calls the space of French colons
    # unprintable.
    stays = "\N{NO-BREAK SPACE}"
    quoted = "".join(sign if sign.isprintable() or sign == stays else "?" for sign in line[:_LONGEST_LINE])
    return JSONResponse({"error": quoted, "code": code, **more}, status_code=status, headers=dict(headers or {}))


def refuse_foreign_page() -> JSONResponse:
    """Return the answer to a page of another site that would do more than ask a question."""
    return refusal(403, _FOREIGN_PAGE, "a page of another site asks for this; open the page of the box itself")


def is_upload(scope: Scope) -> bool:
    """Return True for the one request whose body is a file."""
    return (scope["method"], scope["path"]) == UPLOAD


def longest_body(scope: Scope) -> int:
    """Return how many bytes the body of a request may have."""
    longer = {UPLOAD: LONGEST_UPLOAD, _EVENING: _LONGEST_EVENING}
    return longer.get((scope["method"], scope["path"]), LONGEST_BODY)


def refuse_too_large(scope: Scope) -> JSONResponse:
    """Return the answer to a body that is too large; the rest of it is not read."""
    line = f"a body has {longest_body(scope) // 1024} kB at most"
    if is_upload(scope):
        line = f"a backup has {LONGEST_UPLOAD // 1_000_000} MB at most"
    return refusal(413, _TOO_LARGE, line, {"Connection": "close"})


def install_error_handlers(app: FastAPI, draw: DrawRefused) -> None:
    """Answer every error of the application in the shape of a `Refusal`, or by a page if a browser opens one."""

    async def lead_nowhere(_scope: Scope, _receive: Receive, _send: Send) -> None:
        # By default the framework closes a WebSocket of an unknown address without an explanation.
        raise NoRoute(404)

    app.router.default = lead_nowhere

    def answer(
        request: HTTPConnection,
        status: int,
        code: str,
        line: str,
        headers: Mapping[str, str] | None = None,
        **more: object,
    ) -> Response:
        if isinstance(request, Request) and opens_page(request):
            return draw(request, status, code, headers)
        return refusal(status, code, line, headers, **more)

    @app.exception_handler(RulesError)
    @app.exception_handler(ShutboxError)
    async def answer_refused(request: HTTPConnection, error: RulesError | ShutboxError) -> Response:
        line, home = str(error), home_of(request)
        if home is not None:
            # The place of the home on this computer is not revealed to the network.
            line = home.name_within(line)
        line = _say(request, error.code, line, error.wrong if isinstance(error, BadPlayers | SeatTaken) else None)
        status = status_of(type(error))
        headers, more = dict[str, str](), dict[str, object]()
        if isinstance(error, TooManyTries) and error.wait_s is not None:
            headers["Retry-After"] = str(error.wait_s)
        elif isinstance(error, TooBusy):
            headers["Retry-After"] = "2"
        elif isinstance(error, NotNow | NotCalibrated):
            # A client that requests what cannot be done now has not seen the newest state.
            more["state"] = SNAPSHOT.dump_python(referee_of(request).snapshot, mode="json")
        return answer(request, status, error.code, line, headers, **more)

    @app.exception_handler(RequestValidationError)
    async def answer_not_understood(request: Request, error: RequestValidationError) -> Response:
        line = _say(request, NOT_UNDERSTOOD, describe_request(request, error))
        return answer(request, 422, NOT_UNDERSTOOD, line)

    @app.exception_handler(400)
    async def answer_unreadable(request: Request, _error: HTTPException) -> Response:
        # Endlessly nested lists, numbers of thousands of digits: JSON, but more than Python reads.
        line = "message: is JSON that nobody can read: too deep, or a number too long"
        return answer(request, 400, NOT_UNDERSTOOD, line)

    @app.exception_handler(404)
    @app.exception_handler(WebSocketRequestValidationError)
    async def answer_no_address(request: HTTPConnection, _error: NoRoute | WebSocketRequestValidationError) -> Response:
        return answer(
            request, 404, _NO_ADDRESS, f"there is nothing at {request.url.path}; GET /api/openapi.json tells what is"
        )

    @app.exception_handler(405)
    async def answer_no_method(request: Request, _error: NoRoute) -> Response:
        line = f"{request.method} is not for {request.url.path}; GET /api/openapi.json tells what is"
        # The framework knows only the methods of one route, but an address has a route for each method.
        return answer(request, 405, _NO_METHOD, line, {"Allow": ", ".join(methods_of(request.scope["route"].path))})

    @app.exception_handler(413)
    async def answer_too_large(request: Request, _error: HTTPException) -> Response:
        return refuse_too_large(request.scope)

    @app.exception_handler(Exception)
    async def answer_failed(request: Request, _error: Exception) -> Response:
        # The server logs the error with its traceback; strangers are not told about it.
        return answer(
            request, HTTPStatus.INTERNAL_SERVER_ERROR, _FAILED, "the program of the box failed; its log says why"
        )


def _say(request: HTTPConnection, code: str, line: str, wrong: WrongName | None = None) -> str:
    """Return a refusal in the language of the device, for people on its pages as a sentence.

    Programs name no language and get the English line.
    """
    words = words_in(language_of(request))
    line = words.refuse(code, line)
    if not speaks_to_people(request):
        return line
    return words.refuse_name(wrong.name, wrong.why) if wrong is not None else as_sentence(line)


def opens_page(request: Request) -> bool:
    """Return True for a browser that navigates to a page; programs and scripts of pages accept any kind of answer."""
    is_page = not request.url.path.startswith("/api/")
    return request.method == "GET" and is_page and "text/html" in request.headers.get("accept", "")
