"""The port for the network is open where its owner wants that, and keeps no daemon from starting where it cannot be."""

import logging

import pytest

from controller.runtime.machine import open_port
from controller.settings import Web
from controller.web.network import is_for_this_computer, listen_to_network, page_addresses


def test_nobody_is_heard_unless_the_settings_say_so() -> None:
    with listen_to_network(Web()) as heard:
        assert heard == []


def test_the_port_of_the_settings_is_opened_and_closed_again() -> None:
    with open_port("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    with listen_to_network(Web(on=True, address="127.0.0.1", port=port)) as [heard]:
        assert heard.getsockname() == ("127.0.0.1", port)
    assert heard.fileno() == -1


def test_a_port_that_cannot_be_opened_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with open_port("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with listen_to_network(Web(on=True, address="127.0.0.1", port=port)) as heard:
            assert heard == []
    [logged] = caplog.records
    assert logged.levelno == logging.WARNING
    message = logged.getMessage()
    assert message.startswith(f"port not opened, the network cannot reach this box error=port {port} of 127.0.0.1")


@pytest.mark.parametrize("on", [True, False])
def test_a_port_that_systemd_passes_goes_before_that_of_the_settings(on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_port("127.0.0.1", 0) as passed:
        monkeypatch.setattr("controller.web.network.passed_sockets", lambda: [passed])
        with listen_to_network(Web(on=on, address="192.0.2.1")) as heard:
            assert heard == ([passed] if on else [])
        assert passed.fileno() == -1


@pytest.mark.parametrize(
    ("web", "links", "is_alone"),
    [
        (Web(address="127.0.0.1"), ["http://127.0.0.1:8080"], True),
        (Web(address="127.0.0.1", name="box.example"), ["http://box.example:8080", "http://127.0.0.1:8080"], True),
        (Web(address="127.0.0.1", name="box.example", proxies=("127.0.0.1",)), ["https://box.example"], False),
        (
            Web(address="192.0.2.1", name="box.example", proxies=("192.0.2.7",)),
            ["https://box.example", "http://box.example:8080", "http://192.0.2.1:8080"],
            False,
        ),
        (Web(address="127.0.0.1", proxies=("127.0.0.1",)), ["https://the-box.local"], False),
    ],
)
def test_the_address_behind_a_proxy_comes_first(
    web: Web, links: list[str], is_alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.web.network.announced_name", lambda: "the-box")
    assert page_addresses(web) == links
    assert is_for_this_computer(web) is is_alone
