"""Becoming an operator and being one no more: what is kept before it counts, and what a damaged file opens."""

import asyncio
import json
import logging
import os
import stat
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest

from controller.access import pin as pins
from controller.access import state as states
from controller.access.access import PAIRING_S, Access, day_of, open_access
from controller.access.state import MOST_DEVICES, AccessState, read_state
from controller.errors import AccessError, BadPin, NoPairing, TooManyTries, UnknownDevice, WrongCode, WrongPin
from controller.game.core.message import Message
from controller.runtime.tokens import new_token
from tests.support.hand_clock import HandClock
from tests.support.said import text_of

PIN = "402817"
DAY = date(2026, 11, 24)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "_COST", 16)
    monkeypatch.setattr(pins, "_PASSES", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path / "access.json"


def bytes_of(path: Path) -> bytes:
    return path.read_bytes()


def damage(path: Path, text: bytes) -> None:
    path.write_bytes(text)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def opened(path: Path, clock: HandClock | None = None, day: date = DAY) -> Access:
    """A daemon that starts."""
    state, _ = read_state(path, day)
    return Access(path, state, now_s=clock or HandClock(), today=lambda: day)


@pytest.fixture
def said() -> list[Message]:
    return []


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def access(path: Path, clock: HandClock, said: list[Message]) -> Iterator[Access]:
    found = opened(path, clock)
    found.announce = said.append
    yield found
    found.close()


async def test_who_knows_the_pin_becomes_an_operator_also_after_a_restart(access: Access, path: Path) -> None:
    await access.set_pin(PIN)
    token = await access.enter_pin(PIN, "Ann's phone")

    for each in (access, opened(path)):
        device = each.device_of(token)
        assert device is not None
        assert (device.number, device.name, device.given) == (1, "Ann's phone", DAY)
        assert each.device_of(new_token()) is None
        assert each.device_of("") is None


async def test_without_a_pin_nobody_becomes_an_operator_by_one(access: Access) -> None:
    with pytest.raises(WrongPin, match="no PIN"):
        await access.enter_pin("", "Ann's phone")
    await access.set_pin(PIN)
    await access.forget_pin()
    with pytest.raises(WrongPin, match="no PIN"):
        await access.enter_pin(PIN, "Ann's phone")
    assert (await access.pin()).wrong == 0


async def test_a_weak_pin_leaves_the_one_before(access: Access) -> None:
    await access.set_pin(PIN)
    with pytest.raises(BadPin):
        await access.set_pin("123456")

    assert await access.enter_pin(PIN, "Ann's phone")


async def test_a_try_is_on_the_disk_before_it_is_looked_at(
    access: Access, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await access.set_pin(PIN)
    kept: list[int] = []

    def note(self: pins.PinDigest, pin: str) -> bool:
        kept.append(json.loads(path.read_bytes())["tries"]["wrong"])
        return False

    monkeypatch.setattr(pins.PinDigest, "fits", note)
    for _ in range(2):
        with pytest.raises(WrongPin):
            await access.enter_pin(PIN, "Ann's phone")
    assert kept == [1, 2]


async def test_a_disk_that_takes_nothing_takes_no_guess_either(
    access: Access, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await access.set_pin(PIN)
    token = await access.enter_pin(PIN, "Ann's phone")
    before = bytes_of(path)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(states, "write_durably", refuse)
    with pytest.raises(AccessError, match="nothing was changed: No space left on device"):
        await access.enter_pin(PIN, "Bob's phone")
    with pytest.raises(AccessError):
        await access.revoke(1)
    assert bytes_of(path) == before
    assert access.device_of(token) is not None


async def test_a_guesser_at_full_speed_with_restarts_and_clocks_set_back_gets_ten_tries(path: Path) -> None:
    """Ten minutes, in which the daemon is started again every two seconds or not at all, and the date goes back."""
    await opened(path).set_pin(PIN)
    looked_at, clock, access = 0, HandClock(), opened(path)
    for second in range(600):
        try:
            await access.enter_pin(f"{second:06}", "Eve")
        except WrongPin:
            looked_at += 1
        except TooManyTries:
            pass
        clock.pass_s(1)
        if second < 300 and second % 2:
            clock = HandClock()
            access = opened(path, clock, date(1970, 1, 1))

    assert 5 <= looked_at <= 10


async def test_many_guesses_at_the_same_moment_are_one_after_another(access: Access) -> None:
    await access.set_pin(PIN)
    results = await asyncio.gather(*(access.enter_pin("111112", "Eve") for _ in range(30)), return_exceptions=True)

    kinds = [type(each) for each in results]
    assert (kinds.count(WrongPin), kinds.count(TooManyTries)) == (5, 25)


async def test_the_people_at_the_table_hear_of_a_guesser_and_of_a_new_operator(
    access: Access, said: list[Message]
) -> None:
    await access.set_pin(PIN)
    with pytest.raises(WrongPin):
        await access.enter_pin("402818", "Eve")
    await access.enter_pin(PIN, "Ann's phone")

    assert [message.key for message in said] == ["access.guessed", "access.given"]
    assert text_of(said[:1]) == "Somebody in the network has tried 1 wrong PIN at this box."


async def test_a_locked_pin_is_opened_at_the_box_alone(access: Access, clock: HandClock) -> None:
    await access.set_pin(PIN)
    for _ in range(10):
        with pytest.raises(WrongPin):
            await access.enter_pin("402818", "Eve")
        clock.pass_s(120)
    assert (await access.pin()).wait_s is None
    with pytest.raises(TooManyTries):
        await access.enter_pin(PIN, "Ann's phone")

    await access.unlock_pin()
    assert await access.enter_pin(PIN, "Ann's phone")


async def test_a_device_is_paired_by_its_number(access: Access, said: list[Message]) -> None:
    token, pairing = access.begin_pairing("Ann's phone")
    assert access.device_of(token) is None
    assert access.pairing_of(token) == pairing
    assert access.pairing_of(new_token()) is None
    with pytest.raises(NoPairing):
        await access.confirm_pairing(f"{(int(pairing.number) + 1) % 10000:04}")

    assert await access.confirm_pairing(pairing.number) == "Ann's phone"
    assert access.device_of(token) is not None
    assert access.waiting is None
    assert [message.key for message in said] == ["access.pairing", "access.given"]
    with pytest.raises(NoPairing):
        await access.confirm_pairing(pairing.number)


async def test_one_pairing_waits_at_a_time_and_a_minute_at_most(access: Access, clock: HandClock) -> None:
    late, pairing = access.begin_pairing("Ann's phone")
    with pytest.raises(NoPairing, match="Ann's phone waits to be paired; try again in 60 seconds"):
        access.begin_pairing("Eve")
    clock.pass_s(PAIRING_S)
    with pytest.raises(NoPairing):
        await access.confirm_pairing(pairing.number)
    access.begin_pairing("Bob's phone")
    await access.confirm_held(0)

    assert access.device_of(late) is None
    assert [device.name for device in await access.devices()] == ["Bob's phone"]


async def test_that_nobody_agreed_is_told_once_and_not_of_who_was_let_in(access: Access, said: list[Message]) -> None:
    access.begin_pairing("Ann's phone")
    await access.confirm_held(0)
    access.begin_pairing("Eve")
    await asyncio.sleep(PAIRING_S + 1)

    assert [message.key for message in said] == [
        "access.pairing",
        "access.given",
        "access.pairing",
        "access.not_given",
    ]
    assert access.waiting is None


async def test_who_is_let_in_as_his_time_ends_is_told_so_and_keeps_nobody_from_asking_next(
    access: Access, clock: HandClock, said: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, first = access.begin_pairing("Tablet")
    write = access._keep

    async def write_slowly(state: AccessState) -> None:
        clock.now_s += PAIRING_S
        await asyncio.sleep(PAIRING_S + 1)
        access.begin_pairing("Phone")
        await write(state)

    monkeypatch.setattr(access, "_keep", write_slowly)
    assert await access.confirm_pairing(first.number) == "Tablet"
    assert [message.key for message in said] == ["access.pairing", "access.pairing", "access.given"]
    assert access.waiting is not None
    assert access.waiting.name == "Phone"


async def test_a_second_device_of_one_name_is_told_by_the_name_it_has_now(access: Access, said: list[Message]) -> None:
    names = [await access.confirm_pairing(access.begin_pairing("Tablet")[1].number) for _ in range(2)]
    given = [message.args["name"] for message in said if message.key == "access.given"]
    assert names == given == ["Tablet", "Tablet 2"]


async def test_devices_are_told_apart_revoked_and_bounded(access: Access, path: Path) -> None:
    await access.set_pin(PIN)
    tokens = [await access.enter_pin(PIN, "Phone") for _ in range(MOST_DEVICES)]
    assert [device.name for device in await access.devices()][:3] == ["Phone", "Phone 2", "Phone 3"]
    with pytest.raises(UnknownDevice, match="revoke one"):
        await access.enter_pin(PIN, "Phone")
    with pytest.raises(UnknownDevice, match="revoke one"):
        access.begin_pairing("Phone")

    await access.revoke(2)
    with pytest.raises(UnknownDevice, match="no device has the number 2"):
        await access.revoke(2)
    assert [opened(path).device_of(token) is None for token in tokens[:3]] == [False, True, False]
    new = await access.enter_pin(PIN, "Phone")
    assert (await access.devices())[-1].number == MOST_DEVICES + 1, "no number comes twice"

    await access.revoke_all()
    assert [opened(path).device_of(token) for token in (*tokens, new)] == [None] * (MOST_DEVICES + 1)


@pytest.mark.parametrize("name", ["", " Ann", "Ann\n", "A" * 25, "An\x1b[2Jn"])
async def test_a_name_that_no_terminal_should_show_is_refused(access: Access, name: str) -> None:
    await access.set_pin(PIN)
    for ask in (access.enter_pin(PIN, name), _begin(access, name)):
        with pytest.raises(AccessError, match="1 to 24 characters"):
            await ask


async def _begin(access: Access, name: str) -> None:
    access.begin_pairing(name)


async def test_when_a_device_was_used_is_kept_at_the_end(access: Access, path: Path) -> None:
    token, _ = access.begin_pairing("Ann's phone")
    await access.confirm_held(0)
    later = opened(path, day=date(2026, 12, 24))
    later.device_of(token)
    later.close()

    [device] = await opened(path).devices()
    assert (device.given, device.used) == (DAY, date(2026, 12, 24))


async def test_a_code_holds_until_five_in_the_morning(path: Path) -> None:
    evening, night, morning = (
        day_of(datetime(2026, 11, day, hour, minute)) for day, hour, minute in [(20, 19, 0), (21, 4, 59), (21, 5, 0)]
    )

    code = await opened(path, day=evening).renew_code()

    assert await opened(path, day=night).code() == code
    for said in (code.typed, code.link):
        with pytest.raises(WrongCode):
            await opened(path, day=morning).check_code(said, "10.0.0.2")


async def test_codes_are_the_same_after_a_restart_and_others_once_they_are_renewed(access: Access, path: Path) -> None:
    code = await access.renew_code()

    assert await opened(path).code() == code
    await access.check_code(code.typed, "10.0.0.2")
    assert await access.renew_code() != code


async def test_no_secret_stands_in_the_file_or_the_log(
    access: Access, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        await access.set_pin(PIN)
        token = await access.enter_pin(PIN, "Ann's phone")
        paired, _ = access.begin_pairing("Bob's phone")
        await access.confirm_held(0)
        with pytest.raises(WrongPin):
            await access.enter_pin("402818", "Eve")
        code = await access.renew_code()

    for text in (bytes_of(path).decode(), caplog.text):
        assert text
        assert [secret for secret in (PIN, token, paired, code.typed, code.link, "402818") if secret in text] == []


async def test_the_file_is_for_those_for_whom_the_home_is(access: Access, path: Path) -> None:
    await access.set_pin(PIN)
    assert mode_of(path) == 0o600
    path.parent.chmod(0o2770)
    before = os.umask(0o007)
    try:
        await access.forget_pin()
    finally:
        os.umask(before)
    assert mode_of(path) == 0o660


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b'{"devices": [{}]}',
        b'{"tries": {"left": 99, "wrong": 0}}',
        b'{"pin": {"salt": "", "digest": ""}}',
        b'{"pin": {"salt": "%s", "digest": "%s", "cost": 1073741824}}' % (b"0" * 32, b"0" * 64),
        b'{"a key of tomorrow": 1}',
    ],
)
async def test_a_damaged_file_is_put_aside_and_opens_nothing(path: Path, text: bytes) -> None:
    damage(path, text)
    with open_access(path) as access:
        assert [message.key for message in access.found] == ["access.damaged"]
        assert "`shutbox pin`" in text_of(access.found)
        with pytest.raises(WrongPin, match="no PIN"):
            await access.enter_pin(PIN, "Eve")
        await access.set_pin(PIN)
        assert await access.enter_pin(PIN, "Ann's phone")

    [aside] = path.parent.glob("access.damaged-*.json")
    assert aside.read_bytes() == text


def test_a_file_that_cannot_be_read_keeps_nobody_from_playing(path: Path) -> None:
    path.mkdir()

    with open_access(path) as access:
        assert [message.key for message in access.found] == ["access.damaged"]


async def test_a_home_without_the_file_is_no_damage_and_keeps_its_codes(path: Path) -> None:
    with open_access(path) as access:
        assert access.found == ()
        code = await access.code()
    with open_access(path) as again:
        assert await again.code() == code
