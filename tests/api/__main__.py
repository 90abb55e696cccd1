"""`python -m tests.api --cases 20000`: the long form."""

import argparse
import json
import time

from tests.api.hunt import hunt

if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.api", description="Requests by chance at every door of a box.")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    began_s = time.monotonic()
    bag = hunt(wanted.cases, wanted.seed)
    told = {
        "cases": bag.cases,
        "statuses": bag.statuses(),
        "only_refused": bag.only_refused(),
        "seconds": round(time.monotonic() - began_s, 1),
    }
    print(json.dumps(told))
