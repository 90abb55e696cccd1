"""What a stranger in the network, or a page of one in a player's browser, sends to the box: none of it is done."""

import json
import logging
import socket

import pytest

from controller.web.security.principal import SEAT
from tests.support.strangers import open_door

BODY = b'{"do": "park"}'
OWN = b"Host: 127.0.0.1:PORT\r\n"
TOKEN = b"Authorization: Bearer good\r\n"
JSON = b"Content-Type: application/json\r\n"
LENGTH = b"Content-Length: 14\r\n"
FOREIGN, OURS = b"Origin: http://evil.example\r\n", b"Origin: http://127.0.0.1:PORT\r\n"
COOKIE = b"Cookie: %s=good\r\n" % SEAT.encode()
# The last of a request; the box hangs up after it.
CLOSE = b"Connection: close\r\n\r\n"
UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def post(*headers: bytes, body: bytes = BODY, length: bytes = LENGTH) -> bytes:
    """A command that would be done, if it were not for these headers."""
    return b"POST /api/commands HTTP/1.1\r\n" + b"".join((*headers, TOKEN, length)) + CLOSE + body


def ask(*headers: bytes, path: bytes = b"/api/openapi.json", method: bytes = b"GET") -> bytes:
    return method + b" " + path + b" HTTP/1.1\r\n" + b"".join(headers) + CLOSE


def watch(*headers: bytes) -> bytes:
    return b"GET /api/snapshots HTTP/1.1\r\n" + b"".join(headers) + UPGRADE + b"\r\n"


def chunked(size: int) -> bytes:
    return b"%x\r\n" % size + b"x" * size + b"\r\n0\r\n\r\n"


HOSTILE = {
    # names that a stranger has lead to this box
    "another name": (ask(b"Host: evil.example:PORT\r\n"), 421),
    "another name in a command": (post(b"Host: evil.example\r\n", JSON), 421),
    "a page of that name itself": (post(b"Host: evil.example\r\n", b"Origin: http://evil.example\r\n", JSON), 421),
    "a name that begins as ours": (ask(b"Host: localhost.evil.example\r\n"), 421),
    "a name that ends as ours": (ask(b"Host: evil-localhost\r\n"), 421),
    "our name with a point": (ask(b"Host: localhost.:PORT\r\n"), 421),
    "a user before our name": (ask(b"Host: evil@localhost\r\n"), 421),
    "a rebinding service": (ask(b"Host: 127.0.0.1.nip.io\r\n"), 421),
    "any .local": (ask(b"Host: printer.local\r\n"), 421),
    "another address": (ask(b"Host: 192.168.0.1\r\n"), 421),
    "all addresses": (ask(b"Host: 0.0.0.0:PORT\r\n"), 421),
    "our address as a number": (ask(b"Host: 2130706433\r\n"), 421),
    "our address with zeros": (ask(b"Host: 127.0.0.01\r\n"), 421),
    "our address in another family": (ask(b"Host: [::1]:PORT\r\n"), 421),
    "no name": (ask(b"Host: \r\n"), 421),
    "a name on two lines": (ask(b"Host: evil.example\r\n 127.0.0.1\r\n"), 421),
    "no host": (ask(), 400),
    "two hosts": (ask(OWN, b"Host: evil.example\r\n"), 400),
    "an old protocol without a host": (b"GET /api/openapi.json HTTP/1.0\r\n\r\n", 421),
    "a forwarded host": (ask(b"Host: evil.example\r\n", b"X-Forwarded-Host: 127.0.0.1\r\n"), 421),
    # pages of a stranger
    "a foreign page": (post(OWN, JSON, FOREIGN), 403),
    "a page without an origin": (post(OWN, JSON, b"Origin: null\r\n"), 403),
    "an empty origin": (post(OWN, JSON, b"Origin: \r\n"), 403),
    "another port of this computer": (post(OWN, JSON, b"Origin: http://127.0.0.1:1\r\n"), 403),
    "https": (post(OWN, JSON, b"Origin: https://127.0.0.1:PORT\r\n"), 403),
    "two origins": (post(OWN, JSON, OURS, FOREIGN), 403),
    "ours and a foreign one on one line": (
        post(OWN, JSON, b"Origin: http://127.0.0.1:PORT http://evil.example\r\n"),
        403,
    ),
    "a foreign page that hides its origin": (post(OWN, JSON, b"Sec-Fetch-Site: cross-site\r\n"), 403),
    "a page of another port that hides it": (post(OWN, JSON, b"Sec-Fetch-Site: same-site\r\n"), 403),
    "a foreign page that sits down": (
        post(OWN, JSON, FOREIGN, body=b'{"names": []}\n').replace(b"/api/commands", b"/api/seats"),
        403,
    ),
    "a foreign page that takes a seat away": (ask(OWN, FOREIGN, TOKEN, path=b"/api/seats", method=b"DELETE"), 403),
    "a preflight": (
        ask(OWN, FOREIGN, b"Access-Control-Request-Method: POST\r\n", path=b"/api/commands", method=b"OPTIONS"),
        403,
    ),
    "a preflight for headers": (
        ask(OWN, FOREIGN, b"Access-Control-Request-Headers: authorization\r\n", path=b"/api/state", method=b"OPTIONS"),
        403,
    ),
    "a foreign page that asks": (ask(OWN, FOREIGN), 403),
    "a foreign page that asks and hides its origin": (
        ask(OWN, b"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n"),
        403,
    ),
    "a foreign page that watches": (watch(OWN, FOREIGN), 403),
    "a page without an origin that watches": (watch(OWN, b"Origin: null\r\n"), 403),
    "another port that watches": (watch(OWN, b"Origin: http://127.0.0.1:1\r\n"), 403),
    "a rebound page that watches": (watch(b"Host: evil.example\r\n", b"Origin: http://evil.example\r\n"), 421),
    # forms and other bodies
    "a form": (post(OWN, b"Content-Type: application/x-www-form-urlencoded\r\n"), 415),
    "a form with files": (post(OWN, b"Content-Type: multipart/form-data; boundary=x\r\n"), 415),
    "plain text": (post(OWN, b"Content-Type: text/plain\r\n"), 415),
    "plain text that names JSON": (post(OWN, b"Content-Type: text/plain; application/json\r\n"), 415),
    "no kind": (post(OWN), 415),
    "a kind like JSON": (post(OWN, b"Content-Type: application/json-patch\r\n"), 415),
    "pressed JSON": (post(OWN, JSON, b"Content-Encoding: gzip\r\n"), 415),
    "a body of no kind that takes a seat away": (
        b"DELETE /api/seats HTTP/1.1\r\n" + OWN + TOKEN + LENGTH + CLOSE + BODY,
        415,
    ),
    # sizes
    "a large body": (post(OWN, JSON, length=b"Content-Length: 65537\r\n", body=b""), 413),
    "an endless body": (post(OWN, JSON, length=b"Content-Length: 99999999999999999999\r\n", body=b""), 413),
    "a large body by and by": (post(OWN, JSON, length=b"Transfer-Encoding: chunked\r\n", body=chunked(70_000)), 413),
    "a large head": (ask(OWN, b"X: " + b"x" * 17_000 + b"\r\n"), 431),
    "many headers": (ask(OWN, b"X: y\r\n" * 9000), 431),
    # two readings of one request
    "two lengths": (post(OWN, JSON, length=LENGTH + b"Transfer-Encoding: chunked\r\n", body=b"0\r\n\r\n"), 400),
    "two lengths that differ": (post(OWN, JSON, length=LENGTH + b"Content-Length: 4\r\n"), 400),
    "a length with a sign": (post(OWN, JSON, length=b"Content-Length: +14\r\n"), 400),
    "a length of two": (post(OWN, JSON, length=b"Content-Length: 14, 15\r\n"), 400),
    "an encoding nobody has": (post(OWN, JSON, length=b"Transfer-Encoding: gzip, chunked\r\n", body=b"0\r\n\r\n"), 400),
    "a chunk of no size": (post(OWN, JSON, length=b"Transfer-Encoding: chunked\r\n", body=b"zz\r\n"), 400),
    "a space before the colon": (ask(OWN, b"X : y\r\n"), 400),
    "a line that ends alone": (ask(b"Host: 127.0.0.1\rX: y\r\n"), 400),
    "a zero in a header": (ask(OWN, b"X: a\0b\r\n"), 400),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 421),
    # other ways to name what is asked for
    "a whole address": (ask(OWN, path=b"http://evil.example/api/openapi.json"), 421),
    "a whole address of a user": (ask(OWN, path=b"http://evil@127.0.0.1/api/openapi.json"), 421),
    "a whole address of another kind": (ask(OWN, path=b"https://127.0.0.1/api/openapi.json"), 404),
    "a whole address of ours, from a foreign page": (
        post(OWN, JSON, FOREIGN).replace(b"/api/commands", b"http://127.0.0.1:PORT/api/commands"),
        403,
    ),
    "a proxy": (ask(OWN, path=b"evil.example:443", method=b"CONNECT"), 404),
    "a trace": (ask(OWN, path=b"/api/state", method=b"TRACE"), 405),
    "a way up": (ask(OWN, path=b"/api/../etc/passwd"), 404),
    "a hidden way up": (ask(OWN, path=b"/%2e%2e/%2e%2e/etc/passwd"), 404),
    "another case": (ask(OWN, path=b"/API/STATE"), 404),
    "a slash too many": (ask(OWN, path=b"//api/state"), 404),
    "another method by a header": (
        ask(OWN, TOKEN, b"X-HTTP-Method-Override: DELETE\r\n", path=b"/api/seats"),
        405,
    ),
    # who they say they are
    "no token": (post(OWN, JSON).replace(TOKEN, b""), 403),
    "a foreign page with a player's own cookie": (post(OWN, JSON, FOREIGN, COOKIE).replace(TOKEN, b""), 403),
    "a foreign page that watches by a player's own cookie": (watch(OWN, FOREIGN, COOKIE), 403),
    "a token in a cookie": (post(OWN, JSON, b"Cookie: token=good\r\n").replace(TOKEN, b""), 403),
    "a token of another scheme": (post(OWN, JSON).replace(b"Bearer", b"Basic"), 401),
    "the terminal, by a header": (post(OWN, JSON, b"X-Forwarded-For: 127.0.0.1\r\n").replace(TOKEN, b""), 403),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_it_is_refused_in_the_one_shape_and_not_done(name: str) -> None:
    raw, status = HOSTILE[name]
    async with open_door() as door:
        answers = await door.say(raw)
    assert (answers[0].status, door.ears.heard) == (status, [])
    for each in answers:
        assert each.status >= 400
        assert {"error", "code"} <= set(json.loads(each.body)) <= {"error", "code", "state"}
        assert not any(header.startswith("access-control") for header in each.headers)


async def test_whom_the_box_refuses_writes_nothing_in_its_log(caplog: pytest.LogCaptureFixture) -> None:
    async with open_door() as door:
        for raw, _status in HOSTILE.values():
            await door.say(raw)
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("path", [b"/api/state", b"/api/snapshots/", b"/live/xx", b"/live/", b"/nothing", b"/"])
async def test_nobody_watches_where_nothing_is_to_be_seen(path: bytes) -> None:
    async with open_door() as door:
        [refused] = await door.say(watch(OWN, OURS).replace(b"/api/snapshots", path))
    assert (refused.status, json.loads(refused.body)["code"]) == (404, "C-361")
    assert refused.headers["x-content-type-options"] == "nosniff"


GOOD = {
    "our page": (OWN, JSON, OURS, b"Sec-Fetch-Site: same-origin\r\n"),
    "our page with its cookie": (OWN, JSON, OURS, COOKIE),
    "a program": (OWN, JSON),
    "its address without a port": (b"Host: 127.0.0.1\r\n", JSON),
    "localhost": (b"Host: LocalHost:PORT\r\n", JSON, b"Origin: http://LocalHost:PORT\r\n"),
    "the name of the computer": (b"Host: %s.local\r\n" % socket.gethostname().encode(), JSON),
    "the name of the settings": (b"Host: the-box.example\r\n", JSON, b"Origin: http://the-box.example\r\n"),
    "another spelling of the kind": (OWN, b"Content-Type: Application/JSON; charset=utf-8\r\n"),
}


@pytest.mark.parametrize("name", GOOD)
async def test_what_is_ours_is_done(name: str) -> None:
    async with open_door() as door:
        [answer] = await door.say(post(*GOOD[name]))
    assert (answer.status, len(door.ears.heard)) == (200, 1)


@pytest.mark.parametrize("host", [OWN, b"Host: evil.example\r\n"])
async def test_a_whole_address_is_served_as_its_path_and_its_host_goes_before_the_header(host: bytes) -> None:
    async with open_door() as door:
        [asked] = await door.say(ask(host, path=b"http://127.0.0.1:PORT/api/openapi.json?x=1"))
        [posted] = await door.say(
            post(host, JSON, OURS).replace(b"/api/commands", b"HTTP://127.0.0.1:PORT/api/commands")
        )
        [front] = await door.say(ask(host, path=b"http://127.0.0.1:PORT"))
    assert (asked.status, posted.status, len(door.ears.heard)) == (200, 200, 1)
    assert (front.status, front.headers["location"]) == (303, "/start")


async def test_of_two_requests_sent_at_once_each_is_looked_at() -> None:
    good = post(OWN, JSON).replace(b"Connection: close\r\n", b"")
    async with open_door() as door:
        first, second = await door.say(good + post(OWN, JSON, FOREIGN))
    assert (first.status, second.status, len(door.ears.heard)) == (200, 403, 1)


async def test_what_follows_a_refused_body_is_no_request() -> None:
    refused = post(OWN, length=b"Content-Length: 99999\r\n", body=b"").replace(b"Connection: close\r\n", b"")
    async with open_door() as door:
        answers = await door.say(refused + post(OWN, JSON))
    assert ([each.status for each in answers], door.ears.heard) == ([413], [])


async def test_every_answer_tells_a_browser_to_do_nothing_more_with_it() -> None:
    async with open_door() as door:
        answers = [*await door.say(ask(OWN)), *await door.say(post(OWN)), *await door.say(watch(OWN, FOREIGN))]
    assert [each.status for each in answers] == [200, 415, 403]
    for each in answers:
        policy = each.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert each.headers["x-content-type-options"] == "nosniff"
        assert each.headers["cross-origin-resource-policy"] == "same-origin"
        assert each.headers["cross-origin-opener-policy"] == "same-origin"
        assert each.headers["referrer-policy"] == "no-referrer"
        assert each.headers["cache-control"] == "no-store"
        assert "server" not in each.headers
        assert "set-cookie" not in each.headers
