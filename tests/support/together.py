"""Many cases of one kind as one test, which names every case that fails: a test of its own for each costs more."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def together(
    names: str | tuple[str, ...], cases: Iterable[Any], shown: Callable[[Any], str] = repr
) -> Callable[[Test], Test]:
    """Run a test with every case, like `pytest.mark.parametrize`, but as one test; it may be used several times.

    Only for what leaves nothing behind: the cases share the test's fixtures. `shown` names a case.
    """
    several = isinstance(names, tuple)
    called = names if isinstance(names, tuple) else (names,)
    every = list(cases)

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run_all(**fixtures: Any) -> None:
            assert every, "no case at all"
            failed: list[str] = []
            for case in every:
                try:
                    test(**dict(zip(called, case if several else (case,), strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
                    failed.append(f"{', '.join(called)} = {shown(case)}:\n{kind}{error}")
            if failed:
                raise AssertionError(f"{len(failed)} of {len(every)} cases:\n" + "\n".join(failed))

        asked = inspect.signature(test)
        run_all.__signature__ = asked.replace(  # type: ignore[attr-defined]
            parameters=[each for name, each in asked.parameters.items() if name not in called]
        )
        return run_all

    return decorate
