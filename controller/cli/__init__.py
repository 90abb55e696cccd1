"""The command line: one file a subcommand, none loaded before it is called. Nobody imports it."""

import sys
from typing import NoReturn

__all__: list[str] = []


def main() -> NoReturn:
    """Say how an older installation is renewed: its console script calls this.

    Once `controller.cli.main` is loaded, as today's script does, that module stands here under this name.
    """
    line = "this installation is of an older version; `make setup` renews it (on a box: `make install` as root)"
    print(f"shutbox: {line}", file=sys.stderr)
    sys.exit(2)
