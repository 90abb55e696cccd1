"""`shutbox wiring`: the wires, parts and first power-up of a box, as tables, JSON or a drawing."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from controller.cli.options import BoxName, Installation, Json, Mock
from controller.runtime.output import print_json
from controller.runtime.terminal import answers, table
from hardware.wires import ExpanderPin, GpioPin
from hardware.wiring.checklist import checklist_of
from hardware.wiring.drawing import draw_box
from hardware.wiring.listing import list_wiring
from hardware.wiring.parts import parts_of
from hardware.wiring.plan import (
    CURRENT_SENSOR,
    Plan,
    Role,
    expander_leg,
    pin_of,
    plan_of,
    sensor_straps,
)
from hardware.wiring.values import (
    SENSOR_PULL_UP_OHM,
    copper_mm2,
    fuse_a,
    ohms,
    output_enable_pull_up,
    resettable_fuse,
    series_ohm,
)


def wiring(
    box: BoxName = None,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Only draw the box into this file; - for standard output."),
    ] = None,
    parts: Annotated[bool, typer.Option("--parts", help="Only the parts list.")] = False,
    checklist: Annotated[bool, typer.Option("--checklist", help="Only the steps of the first power-up.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Look at every chip and sensor of the box; no tile moves.")
    ] = False,
    mock: Mock = False,
    json: Json = False,
) -> None:
    chosen = [name for name, wanted in (("parts", parts), ("checklist", checklist)) if wanted]
    if svg is not None and chosen:
        raise typer.BadParameter(f"--svg only draws; leave out {', '.join(f'--{name}' for name in chosen)}")
    if svg == "-" and json:
        raise typer.BadParameter("--svg - draws on standard output; leave out --json or name a file")
    if check:
        if svg is not None or chosen:
            raise typer.BadParameter("--check looks at the box itself; leave out what draws or lists it")
        # A plan needs none of this, which opens a box.
        from controller.box.job_requests import WiringOrder
        from controller.cli.job import do_here, join_job, table_alone
        from controller.jobs.selftest import wiring_session
        from controller.jobs.terminal import no_lines

        installation, lines = Installation(box, mock), no_lines()
        # A simulated box is one of this process, and no daemon's.
        done = None if mock else join_job(installation, WiringOrder(), lines, waits=False, as_json=json, box=box)
        if done is None:
            done = do_here(wiring_session(table_alone(installation)), installation, as_json=json, jumps=mock)
        raise typer.Exit(done.status)
    if mock:
        raise typer.BadParameter("--mock goes with --check; a plan is the same for either box")
    profile = Installation(box).load_box()
    if svg is not None:
        drawing = draw_box(profile).svg
        if svg == "-":
            sys.stdout.write(drawing)
            return
        Path(svg).write_text(drawing, "ascii")
        if json:
            print_json({"files": [svg]})
        else:
            answers.print(svg, markup=False)
        return
    plan = plan_of(profile)
    if json:
        listed = asdict(list_wiring(plan))
        print_json({name: listed[name] for name in ("box", *chosen)} if chosen else listed)
        return
    for name, print_view in _VIEWS.items():
        if not chosen or name in chosen:
            print_view(plan)


def print_wires(plan: Plan) -> None:
    """Print every wire of the box: the header, the chips with their address jumpers, the tiles."""
    header = Table("Pin", "Name", "Goes to", title=f"{plan.box.name}: header")
    header.columns[0].justify = "right"
    for pin in plan.header:
        if pin.role is not Role.FREE:
            header.add_row(str(pin.number), pin.name, pin.use)
    chips = Table(
        "Address", "Chip", "Jumpers", "Bridged (to 3.3 V)", "In use", title=f"{plan.box.name}: chips on the bus"
    )
    for chip in (*plan.boards, *plan.expanders):
        # As on the drawing: A5 (or A2) on the left.
        jumpers = "".join(str(int(bit)) for bit in reversed(chip.jumpers))
        bits = f"A{len(chip.jumpers) - 1}..A0 = {jumpers}"
        chips.add_row(chip.name, chip.kind, bits, chip.bridged, f"{len(chip.used)} of {len(chip.outlets)}")
    if (sensor := plan.box.supply.current_sensor) is not None:
        chips.add_row(plan.current_sensor, CURRENT_SENSOR, sensor_straps(sensor), "", "V+")
    tiles = Table("Tile", "Servo", "Shut sensor", "Open sensor", title=f"{plan.box.name}: tiles")
    for tile in plan.box.tile_ids:
        wires = plan.box.tiles[tile]
        servo = f"0x{wires.servo.board:02x} channel {wires.servo.channel}"
        tiles.add_row(str(tile), servo, _end(wires.shut), _end(wires.open) if wires.open else "none")
    supply, panel = plan.box.supply, plan.panel
    enable, pull_up = panel["output_enable"], output_enable_pull_up(len(plan.boards))
    fuse, pptc = fuse_a(supply.limit_a), resettable_fuse(supply)
    shared = Table("Line", "From", "To", title=f"{plan.box.name}: lines that all share")
    source = f"servo supply, {supply.volts:g} V, {supply.limit_a:g} A; fuse {fuse:g} A; V+ switch"
    goal = f"terminal of every servo board, {copper_mm2(fuse):g} mm²; {pptc.kind} in each servo's red wire"
    shared.add_row("V+", source, goal)
    shared.add_row("GND", "servo supply, and pin 6", "terminal of every servo board, and every chip")
    shared.add_row("3.3 V", "pin 1", "VCC of every servo board, VDD and RESET of every expander")
    shared.add_row("SDA, SCL", "pins 3 and 5", "every chip")
    shared.add_row("/OE", f"pin {enable.number}", f"OE of every servo board, {ohms(pull_up.ohm)} to 3.3 V, V+ switch")
    if plan.expanders and "expander_interrupt" in panel:
        shared.add_row("INT", f"pin {panel['expander_interrupt'].number}", "INTA of every expander")
    table.print(header)
    answers.print("The other pins stay free; nothing goes to 5 V.")
    answers.print(
        f"{ohms(series_ohm())} in series with every line but /OE, SDA and SCL; "
        f"behind it {ohms(SENSOR_PULL_UP_OHM)} from each sensor, button and INT line to 3.3 V."
    )
    for shown in (shared, chips, tiles):
        table.print(shown)


def _end(wire: GpioPin | ExpanderPin) -> str:
    if isinstance(wire, GpioPin):
        return f"{wire}, pin {pin_of(wire)}"
    return f"{wire}, leg {expander_leg(wire.pin)}"


def print_parts(plan: Plan) -> None:
    """Print the parts list."""
    shown = Table("Number", "Part", "Note", title=f"{plan.box.name}: parts")
    shown.columns[0].justify = "right"
    for part in parts_of(plan):
        shown.add_row(str(part.quantity), part.part, part.note)
    table.print(shown)


def print_checklist(plan: Plan) -> None:
    """Print the first power-up, step by step."""
    shown = Table(
        "", "Do", "You must see", title=f"{plan.box.name}: first power-up; what is not seen is put right first"
    )
    stage = ""
    for number, step in enumerate(checklist_of(plan), 1):
        if step.stage != stage:
            stage = step.stage
            shown.add_section()
            shown.add_row("", stage, style="bold")
        shown.add_row(str(number), step.do, step.expect)
    table.print(shown)


_VIEWS: Mapping[str, Callable[[Plan], None]] = {
    "wires": print_wires,
    "parts": print_parts,
    "checklist": print_checklist,
}
