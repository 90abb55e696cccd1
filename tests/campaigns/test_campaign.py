"""What all campaigns share: trials in their order, what there is after Ctrl-C, the exit status, limits of the metal."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from controller.box.simulated import open_simulated_world
from controller.runtime.output import Exit
from hardware.box import load_box
from hardware.sim.servo import CAREFUL
from tests.campaigns.builds import AS_DRAWN, Build, Halls, Kick, Link
from tests.campaigns.campaign import Campaign, Results, print_report, repeating
from tests.campaigns.games.faults import bench_faults
from tests.campaigns.limits import Load, MetalReport, budget_a, measure_load, violations, worst_load
from tests.support.true_box import stress_of

BOX = load_box("two-level-9")


@dataclass(frozen=True)
class Numbers:
    """A report of numbers, which are to be positive."""

    numbers: list[int]

    @property
    def passed(self) -> bool:
        return all(number > 0 for number in self.numbers)

    def as_json(self) -> Mapping[str, Any]:
        return {"numbers": self.numbers}

    def show(self) -> None:
        print("numbers:", *self.numbers)


def until(last: int) -> Campaign[int, int]:
    """A campaign whose trial `last` is broken off."""

    def attempt(number: int) -> int:
        if number == last:
            raise KeyboardInterrupt
        return 10 * number

    return Campaign("numbers", range(1, 6), attempt, in_place=5)


def test_outcomes_come_in_the_order_of_the_trials_and_each_is_described() -> None:
    described: list[int] = []

    def describe(outcome: int) -> str:
        described.append(outcome)
        return f"{outcome} so far"

    results = until(0).run(describe)
    assert results.outcomes == described == [10, 20, 30, 40, 50]
    assert not results.interrupted


@pytest.mark.parametrize(
    ("numbers", "as_json", "status", "says"),
    [
        ([1, 2], True, Exit.DONE, '{"numbers": [1, 2]}\n'),
        ([1, 2], False, Exit.DONE, "numbers: 1 2\n"),
        ([-1], True, Exit.NO, '{"numbers": [-1]}\n'),
    ],
)
def test_a_report_is_told_in_words_or_as_json(
    capsys: pytest.CaptureFixture[str], numbers: list[int], as_json: bool, status: Exit, says: str
) -> None:
    assert print_report(Numbers(numbers), Results(), as_json=as_json, summary="That was it.") is status
    assert capsys.readouterr() == (says, "That was it.\n")


def test_a_trial_is_repeated_on_a_box_that_is_built_alike() -> None:
    built = Build(Link.RIGID, Halls.KEEN, Kick.FRAME)
    words = "--link rigid --halls keen --kick frame"
    assert repeating("wire", 7, build=built) == f"python -m tests.campaigns wire --runs 1 --seed 7 {words}"
    assert repeating("wire", 7) == "python -m tests.campaigns wire --runs 1 --seed 7"
    assert (built.tolerances().halls, built.tolerances().kick) == ("keen", "frame")
    assert AS_DRAWN.tolerances() == CAREFUL


def test_other_rods_bring_their_pulses() -> None:
    rigid = Build(link=Link.RIGID).box(BOX)
    assert (BOX.motion.link, rigid.motion.link) == ("slot", "rigid")
    front = BOX.tile_ids[0]
    assert (rigid.pulse_us(front, shut=False), rigid.rest_us(front), rigid.pulse_us(front, shut=True)) == (
        1000,
        None,
        2000,
    )
    assert Build(link=Link.SLOT).box(rigid) == BOX
    assert AS_DRAWN.box(rigid) == rigid


def test_after_ctrl_c_everything_before_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    results = until(3).run()
    with pytest.raises(KeyboardInterrupt):
        print_report(Numbers(results.outcomes), results, as_json=True)
    assert json.loads(capsys.readouterr().out) == {"numbers": [10, 20]}


def test_a_campaign_in_the_metal_that_ends_at_once_tells_that_there_was_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(_seed: int, build: Build) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tests.campaigns.games.faults.play_chaos_game", broken_off)
    with pytest.raises(KeyboardInterrupt):
        bench_faults(2, 1, as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["runs"], told["longest_unmoved_s"], told["problems"]) == (0, 0.0, [])


def test_the_worst_load_is_the_worst_of_each_kind() -> None:
    assert worst_load([Load(0.5, 0.1), Load(0.2, 0.9)]) == Load(0.5, 0.9)
    assert worst_load([]) == Load(0.0, 0.0)


def test_a_problem_is_told_after_the_limits_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    report = MetalReport({"runs": 1}, ["1 game."], [Load(0.25, 0.5)], ["a tile [lies]"])
    assert print_report(report, Results(), as_json=False) is Exit.NO
    assert capsys.readouterr().out.splitlines() == [
        "1 game.",
        "Longest that a servo was driven without its tile moving: 0.250 s (limit 0.8).",
        "Highest current: 50 % of the budget, 0 % of the supply while a servo was kicked (limit 110).",
        "a tile [lies]",
        "1 problems.",
    ]


async def test_what_is_beyond_a_limit_is_a_violation_and_what_is_at_it_is_none() -> None:
    async with open_simulated_world(BOX, seed=1) as (table, world):
        front = BOX.tile_ids[0]
        stress_of(world).unmoved_s[front], stress_of(world).most_a = 0.8, budget_a(BOX)
        stress_of(world).most_kicking_a = 1.1 * BOX.supply.limit_a
        assert list(violations(world, shorted=False)) == []
        assert measure_load(world) == Load(0.8, 1.0, 1.1 * BOX.supply.limit_a / BOX.supply.limit_a)
        stress_of(world).most_kicking_a += 0.1
        assert list(violations(world, shorted=False)) == [
            f"{1.1 * BOX.supply.limit_a + 0.1:.2f} A of {1.1 * BOX.supply.limit_a:.2f} A"
        ]
        stress_of(world).most_kicking_a = 0.0
        stress_of(world).unmoved_s[front], stress_of(world).most_a = 0.812, budget_a(BOX) + 0.1
        await table.firmware.servos.arm()
        await table.firmware.servos.drive(BOX.tiles[front].servo, 1500.0)
        stalled, current, driven = violations(world, shorted=False)
        assert stalled == f"{front} was driven 0.812 s without moving"
        assert current.endswith(f" A of {budget_a(BOX):.2f} A")
        assert driven == f"{front} still driven at the end"
        assert list(violations(world, shorted=True)) == [stalled, current]
