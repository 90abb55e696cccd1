"""`python -m tests.fuzz --runs 50000 [TARGET ...]`: so many inputs at each target, or at these."""

import argparse
import os
import sys
from pathlib import Path

import atheris

# What is not instrumented is not seen.
with atheris.instrument_imports(
    include=["controller", "firmware", "hardware", "vision", "tomllib", "tarfile", "h11", "uvicorn"]
):
    from tests.fuzz.targets import TARGETS

_SEEDS = Path(__file__).parent / "seeds"
_FOUND = Path(".cache/fuzz")
# Seconds that one input may take, and the memory of the process in MB.
_LIMITS = ("-timeout=10", "-rss_limit_mb=1000")


def main() -> int:
    """Run the targets one after the other; 1 if one failed."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description="Bytes by chance at every reader.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--runs", type=int, default=50_000)
    wanted = parser.parse_args()
    failed = [name for name in wanted.targets or TARGETS if not _fuzz_apart(name, wanted.runs)]
    print(f"failed: {', '.join(failed)}; the inputs lie in {_FOUND}" if failed else "nothing failed")
    return min(len(failed), 1)


def _fuzz_apart(name: str, runs: int) -> bool:
    """Fuzz one target in a process of its own, which libFuzzer ends; True if nothing failed."""
    print(f"== {name}", flush=True)
    child = os.fork()
    if child == 0:
        _fuzz(name, runs)
    return os.waitpid(child, 0)[1] == 0


def _fuzz(name: str, runs: int) -> None:
    corpus = _FOUND / name
    corpus.mkdir(parents=True, exist_ok=True)
    flags = (f"-runs={runs}", f"-artifact_prefix={_FOUND}/{name}-", "-print_final_stats=1", *_LIMITS)
    with TARGETS[name].ready() as feed:
        atheris.Setup([sys.argv[0], *flags, str(corpus), str(_SEEDS / name)], feed)
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
