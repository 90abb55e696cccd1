"""`shutbox faults`: the ways to break the simulated box."""

from controller.box.faults import fault_kinds
from controller.cli.options import Json
from controller.runtime.output import print_json
from controller.runtime.terminal import answers


def faults(json: Json = False) -> None:
    for kind in fault_kinds():
        if json:
            print_json({"fault": kind.name, "part": kind.part, "code": kind.code, "what": kind.description})
        else:
            answers.print(f"{kind.name}:{kind.part}  {kind.description} ({kind.code})", markup=False)
