"""Whom a proxy is believed to speak for, and how much of its room one client may take."""

import asyncio
from collections.abc import Sequence

import pytest
from starlette.types import Message, Scope

from controller.runtime.threads import run_in_background
from controller.web.security.guards import PEER, BehindProxy

PROXY = "192.0.2.7"


async def nothing() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


async def ignore(_message: Message) -> None:
    pass


def scope_of(forwarded: Sequence[tuple[bytes, bytes]], peer: str, kind: str = "http") -> Scope:
    return {"type": kind, "scheme": "http", "client": (peer, 4711), "headers": [*forwarded], "path": "/"}


async def seen_by(forwarded: Sequence[tuple[bytes, bytes]], peer: str = PROXY) -> tuple[str, str, str]:
    found = []

    async def note(scope: Scope, _receive: object, _send: object) -> None:
        found.append((scope["client"][0], scope["scheme"], scope[PEER]))

    await BehindProxy(note, {PROXY})(scope_of(forwarded, peer), nothing, ignore)
    [seen] = found
    return seen


def told(address: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"x-forwarded-for", address), (b"x-forwarded-proto", b"https")]


async def test_a_client_has_the_address_that_the_proxy_tells() -> None:
    assert await seen_by(told(b"203.0.113.9")) == ("203.0.113.9", "https", PROXY)
    assert await seen_by(told(b"192.168.1.5, 203.0.113.9")) == ("203.0.113.9", "https", PROXY)
    assert await seen_by(told(b"203.0.113.9"), peer="192.0.2.8") == ("192.0.2.8", "http", "192.0.2.8")


@pytest.mark.parametrize("address", [b"127.0.0.1", b"::1", b"::ffff:127.0.0.1", b"unknown", b"\xff" * 300, b""])
async def test_who_is_at_no_address_or_at_the_computer_of_the_proxy_is_the_proxy(address: bytes) -> None:
    """At this computer only those are whose connection comes from it."""
    assert (await seen_by(told(address)))[0] == PROXY


async def test_one_client_does_not_take_the_room_of_all_who_come_through_the_proxy() -> None:
    begun, refused = [], []

    async def watch(scope: Scope, _receive: object, _send: object) -> None:
        begun.append(scope["client"][0])
        await asyncio.sleep(3600.0)

    async def note(message: Message) -> None:
        refused.append(message.get("status"))

    guard = BehindProxy(watch, {PROXY})
    greedy = [guard(scope_of(told(b"203.0.113.9"), PROXY, "websocket"), nothing, note) for _ in range(20)]
    other = guard(scope_of(told(b"203.0.113.10"), PROXY, "websocket"), nothing, note)
    async with run_in_background(*greedy, other):
        await asyncio.sleep(1.0)
        assert begun.count("203.0.113.9") == 16
        assert begun.count("203.0.113.10") == 1
        assert refused.count(429) == 4
    begun.clear()
    async with run_in_background(guard(scope_of(told(b"203.0.113.9"), PROXY, "websocket"), nothing, note)):
        await asyncio.sleep(1.0)
    assert begun == ["203.0.113.9"]
