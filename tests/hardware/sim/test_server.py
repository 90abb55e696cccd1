"""The mock-box at its socket: what clients can do, and what they cannot do to it."""

import errno
import json
import socket
import stat
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from hardware.box import Box
from hardware.sim.link import BoxLost, Link, receive, send
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from tests.support.mock_box import Served, mock_box, until

FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)
SERVO_7 = ServoChannel(0x40, 6)


@pytest.fixture
def served() -> Iterator[Served]:
    with mock_box() as box:
        yield box


def knock(served: Served) -> socket.socket:
    raw = socket.socket(socket.AF_UNIX)
    raw.settimeout(5)
    raw.connect(str(served.place))
    return raw


def test_it_says_which_box_it_is(served: Served) -> None:
    with served.link() as link:
        words, _ = link.ask("hello")
    assert Box.model_validate_json(words["box"]) == served.world.box
    assert words["seed"] == 1


def test_the_socket_is_for_this_user_alone(served: Served) -> None:
    assert stat.S_IMODE(served.place.stat().st_mode) == 0o600


def test_hands_do_what_they_do_in_the_world_and_all_clients_see_it(served: Served) -> None:
    with served.link() as one, served.link() as other:
        one.ask("tip", tile="front-7", position="SHUT")
        one.ask("lid", state="closed")
        one.ask("break", fault="jam:back-3")
        one.ask("throw", dice=2)
        served.clock.pass_s(5.0)
        seen, _ = other.ask("look")
        assert seen["tiles"]["front-7"] == "SHUT"
        assert (seen["lid"], seen["faults"], len(seen["dice"])) == ("closed", ["jam:back-3"], 2)
        other.ask("lift", fault=None)
        other.ask("clear")
        other.ask("lid", state="open")
        seen, _ = one.ask("look")
        assert (seen["lid"], seen["faults"], seen["dice"]) == ("open", [], [])


@pytest.mark.parametrize(
    ("do", "words", "said"),
    [
        ("fly", {}, "no such request 'fly'"),
        (["look"], {}, "other words"),
        ("tip", {}, "'tip' needs other words"),
        ("tip", {"tile": "front-99", "position": "SHUT"}, "front-99"),
        ("tip", {"tile": 7, "position": "SHUT"}, "'tip' needs other words"),
        ("tip", {"tile": "back-3", "position": "UNKNOWN"}, "OPEN, SHUT or BETWEEN"),
        ("tip", {"tile": "front-7", "position": "UP"}, "'UP'"),
        ("press", {"seconds": float("nan")}, "up to 60 s"),
        ("press", {"seconds": 1e9}, "up to 60 s"),
        ("throw", {"dice": 99}, "1 to 12"),
        ("throw", {"dice": float("inf")}, "'throw' needs other words"),
        ("break", {"fault": "jam:front-99"}, "no such part"),
        ("lift", {"fault": "jam:front-1"}, "no fault"),
        ("line", {"line": "GPIO99"}, "GPIO4 to GPIO27"),
        ("drive", {"line": "GPIO5", "high": "up"}, "driven high"),
    ],
)
def test_a_wrong_call_is_said_in_words_and_the_link_goes_on(
    served: Served, do: str, words: dict[str, object], said: str
) -> None:
    with served.link() as link:
        with pytest.raises(ValueError, match=said.replace("(", r"\(")):
            link.ask(do, **words)
        assert link.ask("look")[0]["box"] == "two-level-9"


@pytest.mark.parametrize(
    "rubbish",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        bytes(range(200, 256)),
        struct.pack("!II", 0, 0),
        struct.pack("!II", 2**32 - 1, 0),
        struct.pack("!II", 2, 2**31) + b"{}",
        struct.pack("!II", 4, 0) + b"[[[[",
        struct.pack("!II", 2, 0) + b"[]",
        struct.pack("!II", 60_000, 0) + b"[" * 60_000,
        struct.pack("!II", 10, 0) + b"{",
    ],
)
def test_rubbish_ends_its_own_connection_and_nothing_else(served: Served, rubbish: bytes) -> None:
    with served.link() as other, knock(served) as raw:
        raw.sendall(rubbish)
        raw.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):
            assert raw.recv(100) == b""
        assert other.ask("look")[0]["box"] == "two-level-9"


def test_a_line_belongs_to_who_drives_it_until_his_connection_ends(served: Served) -> None:
    enable = str(served.world.box.panel.output_enable)
    with served.link() as owner, served.link() as other:
        owner.ask("drive", line=enable, high=False)
        with pytest.raises(OSError, match="busy"):
            other.ask("drive", line=enable, high=True)
        other.ask("drive", line=enable, high=None)
        assert not owner.ask("line", line=enable)[0]["high"]
        owner.close()
        assert other.ask("line", line=enable)[0]["high"]
        other.ask("drive", line=enable, high=False)
        assert not other.ask("line", line=enable)[0]["high"]


def test_whoever_comes_after_one_that_has_closed_finds_its_line_free(served: Served) -> None:
    enable = str(served.world.box.panel.output_enable)
    for high in (False, True) * 50:
        with served.link() as owner:
            owner.ask("drive", line=enable, high=high)


def test_pulses_go_on_when_a_client_dies_until_somebody_cuts(served: Served) -> None:
    world, enable = served.world, str(served.world.box.panel.output_enable)
    with served.link() as guard:
        guard.ask("drive", line=enable, high=False)
        world.drive(SERVO_7, 2000.0)
        served.clock.pass_s(0.1)
        seen, _ = guard.ask("look")
        assert (seen["pulses_us"], seen["quiet_since_s"]) == ({"front-7": 2000}, None)
        rest_us = seen["horns_us"]["front-8"]
        served.clock.pass_s(1.0)
        assert world.position(FRONT_7) is Position.SHUT
        horns_us = guard.ask("look")[0]["horns_us"]
        assert horns_us["front-7"] > rest_us + 100
        assert horns_us["front-8"] == rest_us
        guard.ask("drive", line=enable, high=True)
        seen, _ = guard.ask("look")
        assert (seen["pulses_us"], seen["quiet_since_s"]) == ({}, 1.1)


def test_it_remembers_what_went_over_the_wires(served: Served) -> None:
    world, enable = served.world, str(served.world.box.panel.output_enable)
    with served.link() as link:
        link.ask("line", line="GPIO4")
        link.ask("line", line="GPIO5")
        served.clock.pass_s(0.2)
        link.ask("line", line="GPIO6")
        served.clock.pass_s(0.3)
        link.ask("drive", line=enable, high=False)
        world.drive(SERVO_7, 1500.0)
        world.drive(SERVO_7, None)
        link.ask("drive", line=enable, high=None)
        moments = link.ask("moments", after_s=-1.0)[0]["moments"]
        later = link.ask("moments", after_s=0.1)[0]["moments"]
    assert moments == [
        [0.0, "look", "GPIO4"],
        [0.2, "look", "GPIO6"],
        [0.5, "enable", enable],
        [0.5, "drive", "0x40/6"],
        [0.5, "release", "0x40/6"],
        [0.5, "cut", enable],
    ]
    assert later == moments[1:]


def test_edges_are_told_to_who_watches(served: Served) -> None:
    lid = str(served.world.box.panel.lid)
    with served.link() as watcher, served.link() as hand:
        watcher.ask("watch", line=lid)
        with pytest.raises(OSError, match="busy"):
            hand.ask("watch", line=lid)
        hand.ask("lid", state="closed")
        hand.ask("lid", state="open")
        messages = watcher.messages()
        assert [next(messages), next(messages)] == [{"high": False}, {"high": True}]


def test_one_who_watches_and_does_not_read_is_let_go_and_holds_up_nobody(served: Served) -> None:
    lid = str(served.world.box.panel.lid)
    with served.link() as hand, knock(served) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        send(deaf, {"do": "watch", "line": lid})
        assert receive(deaf, 0)[0] == {}
        for _ in range(5000):
            hand.ask("lid", state="closed")
        with served.link() as other:
            until(lambda: is_free(other, lid))


def is_free(link: Link, line: str) -> bool:
    """Watch the line, unless somebody else still does."""
    try:
        link.ask("watch", line=line)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True


def test_a_box_that_does_not_answer_is_lost_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with mock_box() as served, served.link() as link:
        # A request that waits for ever, as a stopped process would.
        monkeypatch.setattr("hardware.sim.link._PATIENCE_S", 0.05)
        held = threading.Event()
        monkeypatch.setattr(served.world, "clear_dice", lambda: held.wait(10))
        with served.link() as waiting:
            with pytest.raises(BoxLost, match="no answer from the mock-box at"):
                waiting.ask("clear")
            with pytest.raises(BoxLost, match="no answer from the mock-box at"):
                waiting.ask("look")
        held.set()
        assert link.ask("look")[0]["box"] == "two-level-9"
    with pytest.raises(BoxLost, match="no answer"):
        served.link()


def test_an_answer_that_breaks_off_in_the_middle_is_lost_too(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.sim.link._PATIENCE_S", 0.05)
    place = tmp_path_factory.mktemp("box") / "half.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        server.listen()
        with Link(place) as link:
            there, _ = server.accept()
            with there:
                there.sendall(struct.pack("!II", 100, 0) + b"{")
                with pytest.raises(BoxLost, match="no answer from the mock-box at"):
                    link.ask("look")


def test_so_many_clients_at_once_and_no_more(served: Served) -> None:
    links = [served.link() for _ in range(64)]
    assert [link.ask("look")[0]["box"] for link in links] == ["two-level-9"] * 64
    with served.link() as one_too_many, pytest.raises(BoxLost):
        one_too_many.ask("look")
    links.pop().close()
    for link in links:
        link.close()
    assert served.world.now() == 0.0


def test_what_is_sent_is_what_is_received() -> None:
    here, there = socket.socketpair()
    with here, there:
        send(here, {"do": "x", "n": 1}, b"\x00\xff")
        assert receive(there, 10) == ({"do": "x", "n": 1}, bytearray(b"\x00\xff"))
        here.sendall(struct.pack("!II", 2, 11) + json.dumps({}).encode())
        with pytest.raises(Exception, match="a message of 2 and 11 bytes"):
            receive(there, 10)


def test_a_link_is_a_context_manager_that_may_be_closed_twice(served: Served) -> None:
    with Link(served.place) as link:
        link.close()
    with pytest.raises(BoxLost):
        link.ask("look")
