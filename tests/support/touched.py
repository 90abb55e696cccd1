"""`make test-touched`: the long tests of the rooms that a change touches, in random order, for a few minutes.

What time leaves out is skipped by name; `make nightly` runs all of it.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SECONDS = 150


def changed_files(base: str) -> list[Path]:
    """Return the files that differ between `base` and the work tree."""
    command = ["git", "diff", "--name-only", base]
    return [
        Path(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    ]


def folders_of(files: list[Path]) -> Iterator[str]:
    """Yield the folders of tests that mirror the folders of `files`."""
    for path in files:
        home = path.parent if path.parts[:1] == ("tests",) else Path("tests") / path.parent
        if len(home.parts) > 1 and home.parts[1] != "support" and any(home.glob("test_*.py")):
            yield str(home)


def main() -> int:
    """Return pytest's exit status, or 0 if no room was touched."""
    base = " ".join(sys.argv[1:])
    if not base:
        print("long tests of what changed: no earlier commit to compare with")
        return 0
    folders = sorted(set(folders_of(changed_files(base))))
    seed = os.environ.get("SHUTBOX_TEST_SEED") or str(random.randrange(10**6))
    print(f"long tests of what changed since {base}: {' '.join(folders) or 'nothing'}; seed {seed}")
    if not folders:
        return 0
    limits = {"SHUTBOX_TEST_SECONDS": str(SECONDS), "SHUTBOX_TEST_SEED": seed}
    status = subprocess.run(
        [sys.executable, "-m", "pytest", "-m", "long", *folders], env=os.environ | limits, check=False
    )
    return 0 if status.returncode == 5 else status.returncode  # 5: none of these folders has a long test


if __name__ == "__main__":
    sys.exit(main())
