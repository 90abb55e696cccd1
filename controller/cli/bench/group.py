"""`shutbox bench ...`: the subcommands that start campaigns."""

from controller.cli.lazy import Subcommand, make_group

SUBCOMMANDS = {
    "vision": Subcommand(
        "controller.cli.bench.vision",
        "vision",
        "Read pictures whose dice are known, and count what was read exactly, wrongly and not.",
        "bench vision --sweep 2",
    ),
    "claims": Subcommand(
        "controller.cli.bench.claims",
        "claims",
        "Lay claims of Fleet! and Flash! before the camera: none may be granted that is none.",
        "bench claims --claims 10",
    ),
    "motion": Subcommand(
        "controller.cli.bench.motion",
        "motion",
        "Move tiles on boxes of many sizes and supplies, and compare with the least time possible.",
        "bench motion --boxes 1",
    ),
    "wire": Subcommand(
        "controller.cli.bench.wire",
        "wire",
        "Commands, hands and faults at random: nothing may stall for long, push wood, or draw too much.",
        "bench wire --runs 10",
    ),
    "faults": Subcommand(
        "controller.cli.bench.faults",
        "faults",
        "Play whole games while things break: none may hang, be scored wrong, or harm the box.",
        "bench faults --runs 1",
    ),
    "lifting": Subcommand(
        "controller.cli.bench.lifting",
        "lifting",
        "Lift all faults at a random moment of a game: it must end soon, with one answer of a person at most.",
        "bench lifting --runs 1",
    ),
    "halts": Subcommand(
        "controller.cli.bench.halts",
        "halts",
        "Halt games by every fault in every phase, and answer in every way: does each of them go on?",
        "bench halts --every 5000",
    ),
    "cuts": Subcommand(
        "controller.cli.bench.cuts",
        "cuts",
        "Cut the power amid games and move tiles meanwhile: is every one told before anything moves or counts?",
        "bench cuts --runs 1",
    ),
    "clients": Subcommand(
        "controller.cli.bench.clients",
        "clients",
        "Four clients at one daemon that comes and goes, answers lost, commands repeated: is each done just once?",
        "bench clients --runs 1",
    ),
    "race": Subcommand(
        "controller.cli.bench.race",
        "race",
        "Six clients race at one daemon that comes and goes, shouts at once and wrong: is each chip handed out once?",
        "bench race --rounds 1",
    ),
    "crashes": Subcommand(
        "controller.cli.bench.crashes",
        "crashes",
        "Kill daemons, cut the power, slow the card, damage files: is anything lost that was acknowledged?",
        "bench crashes --kills 20 --cuts 100 --damage",
    ),
    "crowd": Subcommand(
        "controller.cli.bench.crowd",
        "crowd",
        "Four players, fifty watchers and an intruder who would keep the box from them: does anybody notice him?",
        "bench crowd --minutes 1",
    ),
    "endurance": Subcommand(
        "controller.cli.bench.endurance",
        "endurance",
        "Play game after game in one process, by typed throws: does anything grow that must not?",
        "bench endurance --games 5",
    ),
    "undo": Subcommand(
        "controller.cli.bench.undo",
        "undo",
        "Take back and correct wherever that can be, in any game: is it the game it was, in wood, journal and coins?",
        "bench undo --games 1",
    ),
    "luck": Subcommand(
        "controller.cli.bench.luck",
        "luck",
        "Look back on games by the exact odds: does each of them add up, and is luck nobody's on average?",
        "bench luck --throws 100",
    ),
    "fairness": Subcommand(
        "controller.cli.bench.fairness",
        "fairness",
        "Throw fair dice and loaded ones for whole evenings: how often are they called unfair, and how soon?",
        "bench fairness --evenings 1",
    ),
    "selftest": Subcommand(
        "controller.cli.bench.selftest",
        "selftest",
        "Break a simulated box in every way there is, from several boards: is that named, and nothing else?",
        "bench selftest --every 50",
    ),
    "calibration": Subcommand(
        "controller.cli.bench.calibration",
        "calibration",
        "Calibrate the servos of simulated boxes that were just put together, and compare with their wood.",
        "bench calibration --boxes 1",
    ),
    "kicks": Subcommand(
        "controller.cli.bench.kicks",
        "kicks",
        "Let go of servos at any moment of their pulses: does every tile that is kicked come back?",
        "bench kicks --releases 50 --cuts 2",
    ),
    "guard": Subcommand(
        "controller.cli.bench.guard",
        "guard",
        "Kill and stop daemons amid a reset: are pulses gone within a second, does the next start look and finish?",
        "bench guard --trials 1 --rigs 1",
    ),
    "hang": Subcommand(
        "controller.cli.bench.hang",
        "hang",
        "Let the bus hang amid a reset with jammed tiles: is every servo let go in time, does the game go on?",
        "bench hang --trials 1 --rigs 2",
    ),
}


def bench() -> None:
    """Measure: vision, claims, motion, wire, faults, halts, cuts, clients, undo, luck, selftest and others."""


group = make_group(SUBCOMMANDS, bench)
