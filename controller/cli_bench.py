"""`shutbox bench ...`: what this program is worth, measured."""

from controller.cli_lazy import Subcommand, make_group

SUBCOMMANDS = {
    "vision": Subcommand(
        "controller.cli_bench_vision",
        "vision",
        "Read pictures whose dice are known, and count what was read exactly, wrongly and not.",
    ),
    "motion": Subcommand(
        "controller.cli_bench_motion",
        "motion",
        "Move tiles on boxes of many sizes and supplies, and compare with the least time possible.",
    ),
    "wire": Subcommand(
        "controller.cli_bench_wire",
        "wire",
        "Commands, hands and faults at random: nothing may stall for long, push wood, or draw too much.",
    ),
    "faults": Subcommand(
        "controller.cli_bench_faults",
        "faults",
        "Play whole games while things break: none may hang, be scored wrong, or harm the box.",
    ),
    "selftest": Subcommand(
        "controller.cli_bench_selftest",
        "selftest",
        "Break a simulated box in every way there is, from several boards: is that named, and nothing else?",
    ),
    "calibration": Subcommand(
        "controller.cli_bench_calibration",
        "calibration",
        "Calibrate the servos of simulated boxes that were just put together, and compare with their wood.",
    ),
    "guard": Subcommand(
        "controller.cli_bench_guard",
        "guard",
        "Kill and stop daemons amid a reset: are pulses gone within a second, does the next start look and finish?",
    ),
}


def bench() -> None:
    """Measure this program: vision, motion, wire, faults, selftest, calibration, guard."""


group = make_group(SUBCOMMANDS, bench)
