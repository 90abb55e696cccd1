"""The options of every campaign, a function each."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import REFERENCE_BOX, BoxName, Json
from hardware.box import load_box
from hardware.sim.servo import JUST_BUILT
from tests.campaigns.builds import Build, Halls, HallsOption, Kick, KickOption, LinkOption
from tests.campaigns.calibration import bench_calibration
from tests.campaigns.chance.fairness import bench_fairness
from tests.campaigns.chance.luck import bench_luck
from tests.campaigns.claims.trials import bench_claims
from tests.campaigns.clients.clients import bench_clients
from tests.campaigns.crashes.crashes import CrashOrder, bench_crashes
from tests.campaigns.crowd.crowd import bench_crowd
from tests.campaigns.engines import bench_engines
from tests.campaigns.evenings import bench_evenings
from tests.campaigns.games.cuts import bench_cuts
from tests.campaigns.games.endurance import bench_endurance
from tests.campaigns.games.faults import bench_faults
from tests.campaigns.games.halts import bench_halts
from tests.campaigns.games.lifting import bench_lifting
from tests.campaigns.games.liveness import bench_liveness
from tests.campaigns.games.undo import bench_undo
from tests.campaigns.kicks import bench_kicks
from tests.campaigns.live.guard_report import bench_guard
from tests.campaigns.live.hang_report import bench_hang
from tests.campaigns.motion import bench_motion
from tests.campaigns.races.race import bench_race
from tests.campaigns.records.records import bench_records
from tests.campaigns.selftest import bench_selftest
from tests.campaigns.two_boxes.matches import bench_two_boxes
from tests.campaigns.wire import bench_wire
from tools.evaluation.sweeps import report_joined
from tools.evaluation.vision import Examiner, list_trials
from tools.evaluation.vision_report import bench_vision

Seed = Annotated[
    int, typer.Option("--seed", min=0, help="The chance of the first trial; the next has the next number.")
]


def calibration(
    boxes: Annotated[int, typer.Option("--boxes", min=1, max=100_000, help="So many simulated boxes.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the first box.")] = 1,
    box: BoxName = None,
    link: LinkOption = None,
    halls: HallsOption = Halls.TYPICAL,
    kick: KickOption = Kick.CUT,
    json: Json = False,
) -> None:
    """Calibrate the servos of simulated boxes that were just put together, and compare with their wood."""
    build = Build(link, halls, kick)
    profile, tolerances = build.box(load_box(box or REFERENCE_BOX)), build.tolerances(JUST_BUILT)
    raise typer.Exit(bench_calibration(profile, range(seed, seed + boxes), tolerances, as_json=json))


def two_boxes(
    matches: Annotated[int, typer.Option("--matches", min=1, max=100_000, help="So many matches.")] = 20,
    seed: Seed = 1,
    folder: Annotated[Path | None, typer.Option("--folder", help="Keep homes and logs there.")] = None,
    one_computer: Annotated[
        bool, typer.Option("--one-computer", help="Make no network namespaces, and cut no line.")
    ] = False,
    json: Json = False,
) -> None:
    """Two boxes play matches over a broker; daemons, broker and network are cut: do both journals say the same?"""
    raise typer.Exit(bench_two_boxes(matches, seed, folder, namespaces=not one_computer, as_json=json))


def claims(
    claims: Annotated[int, typer.Option("--claims", min=1, max=1_000_000, help="So many claims.")] = 200,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Lay claims of Fleet! and Flash! before the camera: none may be granted that is none."""
    raise typer.Exit(bench_claims(claims, seed, as_json=json))


def clients(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many tables.")] = 100,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Four clients at one daemon that comes and goes, answers lost, commands repeated: is each done just once?"""
    raise typer.Exit(bench_clients(runs, seed, as_json=json))


def crashes(
    kills: Annotated[int, typer.Option("--kills", min=0, max=1_000_000, help="Kill so many daemons amid play.")] = 0,
    cuts: Annotated[
        int, typer.Option("--cuts", min=0, max=1_000_000, help="Cut the power amid so many plays, synced and not.")
    ] = 0,
    refusals: Annotated[
        int, typer.Option("--refusals", min=0, max=1_000_000, help="Let the card refuse so many writes, one a play.")
    ] = 0,
    slow: Annotated[
        float, typer.Option("--slow", min=0, max=600, help="Play so many minutes on a card that takes a second.")
    ] = 0.0,
    damage: Annotated[
        bool, typer.Option("--damage", help="Damage the files of a game under way in every way.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of games, moments and cards.")] = 1,
    rigs: Annotated[
        int, typer.Option("--rigs", min=1, max=16, help="Kill on so many boxes side by side; more than one are slower.")
    ] = 1,
    json: Json = False,
) -> None:
    """Kill daemons, cut the power, slow the card, damage files: is anything lost that was acknowledged?

    At least one of --kills, --cuts, --refusals, --slow and --damage; each is reported by itself.
    """
    order = CrashOrder(kills, cuts, refusals, slow, damage)
    if order == CrashOrder():
        raise typer.BadParameter("say at least one of --kills, --cuts, --refusals, --slow and --damage")
    raise typer.Exit(bench_crashes(order, seed, rigs, as_json=json))


def crowd(
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, max=600, help="Play for so long.")] = 10.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Leave the intruder out, to compare.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the game and its clients.")] = 1,
    json: Json = False,
) -> None:
    """Four players, fifty watchers and an intruder who would keep the box from them: does anybody notice him?"""
    raise typer.Exit(bench_crowd(minutes, seed, hostile=not quiet, as_json=json))


def cuts(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many power cuts.")] = 200,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Cut the power amid games and move tiles meanwhile: is every one told before anything moves or counts?"""
    raise typer.Exit(bench_cuts(runs, seed, as_json=json))


def endurance(
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="So many games.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Their chance.")] = 1,
    json: Json = False,
) -> None:
    """Play game after game in one process, by typed throws: does anything grow that must not?"""
    raise typer.Exit(bench_endurance(games, seed, as_json=json))


def engines(
    games: Annotated[int, typer.Option("--games", min=1, max=10_000_000, help="So many games.")] = 10_000,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Let the house play inside this process and as an engine in one of its own: are their games the same?"""
    raise typer.Exit(bench_engines(games, seed, as_json=json))


def evenings(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many evenings.")] = 1000,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Play random evenings of many matches, in processes that are killed: are they valid, and the same as without?"""
    raise typer.Exit(bench_evenings(runs, seed, as_json=json))


def fairness(
    evenings: Annotated[int, typer.Option("--evenings", min=1, max=1_000_000, help="So many with each dice.")] = 200,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Throw fair dice and loaded ones for whole evenings: how often are they called unfair, and how soon?"""
    raise typer.Exit(bench_fairness(evenings, seed, as_json=json))


def faults(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Seed = 1,
    link: LinkOption = None,
    halls: HallsOption = Halls.TYPICAL,
    kick: KickOption = Kick.CUT,
    json: Json = False,
) -> None:
    """Play whole games while things break: none may hang, be scored wrong, or harm the box."""
    raise typer.Exit(bench_faults(runs, seed, Build(link, halls, kick), as_json=json))


def guard(
    trials: Annotated[int, typer.Option("--trials", min=1, max=10_000, help="So many of each kind.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the boxes and of the moments.")] = 1,
    rigs: Annotated[int, typer.Option("--rigs", min=1, max=16, help="So many boxes side by side.")] = 2,
    json: Json = False,
) -> None:
    """Kill and stop daemons amid a reset: are pulses gone within a second, does the next start look and finish?"""
    raise typer.Exit(bench_guard(trials, seed, rigs, as_json=json))


def halts(
    every: Annotated[int, typer.Option("--every", min=1, help="Only one in so many of all halts.")] = 1,
    only: Annotated[int | None, typer.Option("--only", min=0, help="Only the halt with this number.")] = None,
    json: Json = False,
) -> None:
    """Halt games by every fault in every phase, and answer in every way: does each of them go on?"""
    raise typer.Exit(bench_halts(every, only, as_json=json))


def hang(
    trials: Annotated[int, typer.Option("--trials", min=1, max=10_000, help="So many of each kind.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the boxes, tiles, jams and moments.")] = 1,
    rigs: Annotated[int, typer.Option("--rigs", min=2, max=16, help="So many boxes side by side.")] = 4,
    load: Annotated[int, typer.Option("--load", min=0, max=200, help="So many busy processes beside them.")] = 0,
    only: Annotated[str | None, typer.Option("--only", help="One trial again, by the name a failure gave it.")] = None,
    json: Json = False,
) -> None:
    """Let the bus hang amid a reset with jammed tiles: is every servo let go in time, does the game go on?"""
    raise typer.Exit(bench_hang(trials, seed, rigs, load, only, as_json=json))


def kicks(
    releases: Annotated[int, typer.Option("--releases", min=1, max=10_000_000, help="So many tiles let go.")] = 10_000,
    cuts: Annotated[int, typer.Option("--cuts", min=0, max=1_000_000, help="So many cuts of /OE.")] = 500,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the first box.")] = 1,
    link: LinkOption = None,
    halls: HallsOption = Halls.TYPICAL,
    kick: KickOption = Kick.CUT,
    json: Json = False,
) -> None:
    """Let go of servos at any moment of their pulses: does every tile that is kicked come back?"""
    raise typer.Exit(bench_kicks(releases, cuts, seed, Build(link, halls, kick), as_json=json))


def lifting(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Lift all faults at a random moment of a game: it must end soon, with one answer of a person at most."""
    raise typer.Exit(bench_lifting(runs, seed, as_json=json))


def liveness(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Seed = 1,
    repeat: Annotated[Path | None, typer.Option("--repeat", help="The file of one that failed: it alone.")] = None,
    json: Json = False,
) -> None:
    """Trouble a whole daemon by disk, clock, bus, guard, clients and strangers: does the game go on afterwards?"""
    raise typer.Exit(bench_liveness(runs, seed, repeat, as_json=json))


def luck(
    throws: Annotated[int, typer.Option("--throws", min=1, max=100_000_000, help="So many throws.")] = 100_000,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Look back on games by the exact odds: does each of them add up, and is luck nobody's on average?"""
    raise typer.Exit(bench_luck(throws, seed, as_json=json))


def motion(
    boxes: Annotated[int, typer.Option("--boxes", min=1, max=1000, help="Simulated boxes of each size.")] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the first box.")] = 1,
    json: Json = False,
) -> None:
    """Move tiles on boxes of many sizes and supplies, and compare with the least time possible."""
    raise typer.Exit(bench_motion(boxes, seed, as_json=json))


def race(
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=1_000_000, help="So many rounds at least.")] = 500,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Six clients race at one daemon that comes and goes, shouts at once and wrong: is each chip handed out once?"""
    raise typer.Exit(bench_race(rounds, seed, as_json=json))


def records(
    games: Annotated[int, typer.Option("--games", min=1, max=10_000_000, help="So many games.")] = 1000,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Tell games of every kind as text, and read them: is each the same again, and does no text do harm?"""
    raise typer.Exit(bench_records(games, seed, as_json=json))


def selftest(
    every: Annotated[int, typer.Option("--every", min=1, help="Only one in so many of all self-tests.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = 1,
    box: BoxName = None,
    link: LinkOption = None,
    halls: HallsOption = Halls.TYPICAL,
    kick: KickOption = Kick.CUT,
    json: Json = False,
) -> None:
    """Break a simulated box in every way there is, from several boards: is that named, and nothing else?"""
    raise typer.Exit(
        bench_selftest(load_box(box or REFERENCE_BOX), every, seed, Build(link, halls, kick), as_json=json)
    )


def undo(
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Take back and correct wherever that can be, in any game: is it the game it was, in wood, journal and coins?"""
    raise typer.Exit(bench_undo(games, seed, as_json=json))


def vision(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="FOLDERS", help="Pictures and their truth.")] = None,
    sweep: Annotated[int, typer.Option("--sweep", min=0, max=10_000_000, help="So many throws of the simulator.")] = 0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the sweep.")] = 1,
    join: Annotated[bool, typer.Option("--join", help="FOLDERs are sweeps told in JSON: say what all say.")] = False,
    worst: Annotated[int, typer.Option("--worst", min=0, help="So many pictures that went wrong are listed.")] = 10,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Read pictures whose dice are known, and count what was read exactly, wrongly and not."""
    if join and not folders:
        raise typer.BadParameter("name the files that bench vision --sweep N --json told")
    if join and sweep:
        raise typer.BadParameter("--join says what sweeps in files say; --sweep throws new ones: give one of them")
    if not folders and not sweep:
        raise typer.BadParameter("name folders of pictures, or --sweep N")
    if join:
        raise typer.Exit(report_joined(folders or (), as_json=json))
    profile, reference = load_box(box or REFERENCE_BOX), load_box(REFERENCE_BOX)
    if sweep and (profile.field, profile.die_mm) != (reference.field, reference.die_mm):
        raise typer.BadParameter(f"the throws of a sweep lie in the field of {REFERENCE_BOX}: leave --box out")
    examiner = Examiner(profile.field, profile.die_mm)
    trials, left_out = list_trials(folders or (), sweep, seed)
    if not trials:
        raise typer.BadParameter(f"{', '.join(map(str, folders or ()))}: there are no pictures")
    swept = None if folders else seed
    raise typer.Exit(bench_vision(trials, left_out, examiner, worst=worst, as_json=json, swept=swept))


def wire(
    runs: Annotated[int, typer.Option("--runs", min=1, max=10_000_000, help="So many commands.")] = 2000,
    seed: Seed = 1,
    link: LinkOption = None,
    halls: HallsOption = Halls.TYPICAL,
    kick: KickOption = Kick.CUT,
    json: Json = False,
) -> None:
    """Commands, hands and faults at random: nothing may stall for long, push wood, or draw too much."""
    raise typer.Exit(bench_wire(runs, seed, Build(link, halls, kick), as_json=json))
