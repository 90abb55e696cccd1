"""The page of operators, as a stranger, a device that waits, and an operator see it."""

import re
from pathlib import Path

from tests.support.api import ApiRig, open_api


async def become_operator(api: ApiRig, name: str) -> None:
    number = (await api.away.post("/api/access/pairings", json={"name": name})).json()["pairing"]["number"]
    await api.here.post("/api/access/pairings/confirmed", json={"number": number})


async def test_an_operator_sees_todays_code_the_devices_and_who_has_which_seat(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        stranger = (await api.away.get("/operator")).text
        await become_operator(api, "tablet")
        idle = (await api.away.get("/operator")).text
        code = (await api.here.get("/api/access/code")).json()["typed"]
        players = [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cid", "house": True, "strength": "casual"}]
        await api.here.post("/api/commands", json={"do": "start", "game": "pub", "players": players})
        await api.here.post("/api/seats", json={"names": ["Ann"], "door": "terminal"})
        playing = (await api.away.get("/operator")).text

    assert code not in stranger
    assert f'<b class="code" lang="en" dir="ltr">{code}</b>' in idle
    assert "tablet <b>(this one)</b><small>operator since " in idle
    assert "No game is on, so nobody has a seat." in idle
    seats = [f"{name}: {told}" for name, told in re.findall(r"<li><span>(\w+)<small>(.*?)</small>", playing)]
    assert seats[0].startswith("Ann: taken at a terminal · ")
    assert seats[1:] == ["Ben: nobody has taken this seat", "Cid: played by the box, casual"]


async def test_a_device_is_paired_on_the_page_and_sees_the_others(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        stranger = (await api.away.get("/operator")).text
        number = (await api.away.post("/api/access/pairings", json={"name": "tablet"})).json()["pairing"]["number"]
        waits = (await api.away.get("/operator")).text
        await api.here.post("/api/access/pairings/confirmed", json={"number": number})
        operator = (await api.away.get("/operator")).text

    assert 'data-path="/api/access/pin"' in stranger
    assert f"shutbox pair {number}" in waits
    assert "data-waits" in waits
    assert "This device is one of an operator: tablet." in operator
    assert 'data-path="/api/access/devices/1"' in operator
    assert "/api/access/devices/" not in stranger + waits
