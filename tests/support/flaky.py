"""`make test-again`: run what failed last once more, by itself, and print what passes then.

Some tests run boxes in real time and may be held up by whatever else the machine does. A rerun that passes is printed.
"""

import json
import subprocess
import sys
from pathlib import Path

LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def last_failed() -> set[str]:
    """Return the names of the tests that failed last."""
    return set(json.loads(LAST_FAILED.read_text("utf-8"))) if LAST_FAILED.exists() else set()


def main() -> int:
    """Return pytest's exit status; a run with nothing to repeat is not a pass."""
    failed = last_failed()
    options = ["--last-failed", "--last-failed-no-failures=none", "--numprocesses=1"]
    status = subprocess.run([sys.executable, "-m", "pytest", *options], check=False).returncode
    for name in sorted(failed - last_failed()):
        print(f"flaky: {name}")
    return status


if __name__ == "__main__":
    sys.exit(main())
