"""Races of a demonstration and of a campaign over the API, and a bookkeeper of a race that hears its events alone."""

from controller.bench.races.books import RaceBooks
from controller.bench.races.claims_seen import ClaimsSeen
from controller.bench.races.race import bench_race

__all__ = ["ClaimsSeen", "RaceBooks", "bench_race"]
