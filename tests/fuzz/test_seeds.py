"""Every input worth remembering goes to its reader again: files as they should be, and what fuzzing has found."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

SEEDS = Path(__file__).parent / "seeds"


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_takes_or_refuses_its_seeds_and_does_nothing_else(name: str) -> None:
    seeds = sorted((SEEDS / name).iterdir())
    assert seeds
    with TARGETS[name].ready() as feed:
        for seed in seeds:
            feed(seed.read_bytes())


def test_each_folder_of_seeds_is_of_a_target() -> None:
    assert {folder.name for folder in SEEDS.iterdir()} == set(TARGETS)
