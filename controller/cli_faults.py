"""`shutbox faults`: the ways to break the simulated box."""

from controller.cli_words import Json
from controller.fault_catalogue import fault_kinds
from controller.output import answers, print_json


def faults(json: Json = False) -> None:
    """The ways to break the simulated box on purpose."""
    for kind in fault_kinds():
        if json:
            print_json({"fault": kind.name, "part": kind.part, "code": kind.code, "what": kind.description})
        else:
            answers.print(f"{kind.name}:{kind.part}  {kind.description} ({kind.code})", markup=False)
