"""The pulses that leave the driver: within a tile's limits, and true whatever the board's clock."""

import pytest

from hardware.box import PULSE_MARGIN_US, Box, load_box
from hardware.sim.servo import Tolerances
from hardware.tiles import Position, TileId
from tests.conftest import Run
from tests.support.firmware_rig import open_rig
from tests.support.true_box import pulse_sent_us

PROFILE = load_box("two-level-9")
FRONT_7, FRONT_8 = TileId(1, 7), TileId(1, 8)
WIRE = PROFILE.tiles[FRONT_7].servo
COUNT_US = 5.3  # one count of the slowest board


def box(**changes: object) -> Box:
    wiring = PROFILE.tiles[FRONT_7].model_copy(update={"open_us": 1900, "shut_us": 1000})
    return PROFILE.model_copy(update={"tiles": {**PROFILE.tiles, FRONT_7: wiring}, **changes})


async def sent_us(box: Box, tile: TileId, *asked_us: float, seed: int = 1) -> list[float]:
    async with open_rig(box, seed=seed) as rig:
        await rig.firmware.servos.arm()
        for pulse_us in asked_us:
            await rig.firmware.servos.drive(box.tiles[tile].servo, pulse_us)
        wire = box.tiles[tile].servo
        return [sent for _, at, sent in rig.world.pulses if at == wire and sent is not None]


@pytest.mark.parametrize("asked_us", [500, 900, 1930, 1940, 2400, -50, 9000])
def test_a_pulse_beyond_a_tiles_end_points_is_never_sent(run: Run, asked_us: float) -> None:
    async def work() -> float:
        (sent,) = await sent_us(box(), FRONT_7, asked_us)
        return sent

    async def nominal(pulse_us: float) -> float:
        async with open_rig(box()) as rig:
            return pulse_sent_us(rig.world, WIRE.board, pulse_us)

    least, most = (run(nominal(pulse_us)) for pulse_us in (1000 - PULSE_MARGIN_US, 1900 + PULSE_MARGIN_US))
    assert least - COUNT_US <= run(work()) <= most + COUNT_US


async def test_a_tile_without_end_points_of_its_own_takes_what_servos_take() -> None:
    low, high = await sent_us(box(), FRONT_8, 600, 2300)
    assert high - low > 1500


@pytest.mark.parametrize("seed", range(4))
async def test_a_board_whose_clock_was_measured_sends_true_pulses(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr("tests.support.firmware_rig.CAREFUL", Tolerances(clock=0.08))
    async with open_rig(PROFILE, seed=seed) as rig:
        factor = pulse_sent_us(rig.world, WIRE.board, 1500) / 1500
    (sent,) = await sent_us(box(clocks={"0x40": factor}), FRONT_7, 1500, seed=seed)
    assert abs(factor - 1) > 0.005
    assert sent == pytest.approx(1500, abs=COUNT_US)


async def test_a_reversed_servo_is_sent_the_mirrored_pulse_and_none_beyond_what_servos_take() -> None:
    turned = PROFILE.tiles[FRONT_8].model_copy(update={"reversed": True})
    reversed_box = PROFILE.model_copy(update={"tiles": {**PROFILE.tiles, FRONT_8: turned}})
    asked = (820, 1500, 2090, 500, 2400)
    sent = await sent_us(reversed_box, FRONT_8, *asked)
    assert sent == pytest.approx([2180, 1500, 910, 2400, 600], abs=2 * COUNT_US)
    # Another tile on the same board is sent what is asked for.
    assert await sent_us(reversed_box, FRONT_7, 820) == pytest.approx([820], abs=COUNT_US)


async def test_a_reversed_servo_moves_its_tile_as_any_other() -> None:
    turned = PROFILE.tiles[FRONT_8].model_copy(update={"reversed": True})
    async with open_rig(PROFILE.model_copy(update={"tiles": {**PROFILE.tiles, FRONT_8: turned}})) as rig:
        await rig.execute("front-8 SHUT")
        assert rig.world.position(FRONT_8) is Position.SHUT
        await rig.execute("front-8 OPEN")
        assert rig.world.position(FRONT_8) is Position.OPEN
