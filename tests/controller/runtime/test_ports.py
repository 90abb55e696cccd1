"""Ports of this computer: opened for both families, asked, and refused in one line that says what to do."""

import asyncio
import errno
import socket

import pytest

from controller.errors import SettingsError
from controller.runtime.machine import answers_at, open_port

needs_ipv6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")


@pytest.mark.parametrize(
    ("address", "reached_at"),
    [
        ("127.0.0.1", ["127.0.0.1"]),
        pytest.param("::1", ["::1"], marks=needs_ipv6),
        pytest.param("::", ["127.0.0.1", "::1", "::"], marks=needs_ipv6),
    ],
)
def test_a_port_is_reached_at_every_address_that_was_meant(address: str, reached_at: list[str]) -> None:
    with open_port(address, 0) as listening:
        port = listening.getsockname()[1]
        assert all(answers_at(each, port) for each in reached_at)
    assert not answers_at("127.0.0.1", port)


def test_where_there_is_no_ipv6_all_addresses_are_those_of_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    with open_port("::", 0) as listening:
        assert listening.family == socket.AF_INET
        assert answers_at("127.0.0.1", listening.getsockname()[1])


def test_a_port_that_another_program_has_is_one_line() -> None:
    with open_port("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(SettingsError, match=f"port {port} of 127.0.0.1 cannot be opened: another program has"):
            open_port("127.0.0.1", port)


def test_an_address_of_another_computer_is_one_line() -> None:
    with pytest.raises(SettingsError, match="this computer does not have that address"):
        open_port("192.0.2.1", 0)


def test_a_service_without_the_right_to_a_socket_is_told_where_its_port_comes_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(SettingsError, match=r"say `sudo shutbox install` and"):
        open_port("::", 8080)


async def test_what_is_sent_does_not_wait_for_more() -> None:
    with open_port("127.0.0.1", 0) as port:
        waits = asyncio.get_running_loop().create_future()

        async def note(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            waits.set_result(not writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(note, sock=port):
            _, writer = await asyncio.open_connection(*port.getsockname())
            assert not await waits
            writer.close()
            await writer.wait_closed()
