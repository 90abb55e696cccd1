"""The addresses of this computer."""

import socket

import pytest

from controller.runtime.machine import own_addresses


def test_every_address_is_this_computer_s_own_and_reached_by_others() -> None:
    for address in own_addresses():
        assert not address.startswith("127.")
        with socket.create_server((address, 0)):
            pass  # only an address of one's own can be listened at


def test_interfaces_without_an_address_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "nothing9")])
    assert own_addresses() == []


def test_where_no_socket_may_be_made_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("Address family not supported by protocol")

    monkeypatch.setattr(socket, "socket", refuse)
    assert own_addresses() == []
