"""The page of operators, as a stranger, a device that waits, and an operator see it."""

from pathlib import Path

from tests.support.api import open_api


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
