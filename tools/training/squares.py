"""Dice as squares on the table: fast and near enough to lay many of them side by side."""

import math
import random
from dataclasses import replace

from hardware.sim.dice import SimulatedDie


def gap_mm(one: SimulatedDie, other: SimulatedDie) -> float:
    """How far two dice are apart at least; negative when they overlap (separating axis theorem)."""
    x, y = other.x_mm - one.x_mm, other.y_mm - one.y_mm
    return max(abs(x * a + y * b) - _reach(one, a, b) - _reach(other, a, b) for a, b in _axes(one, other))


def touching(rng: random.Random, one: SimulatedDie, other: SimulatedDie) -> SimulatedDie:
    """`other` moved until it touches `one`: half of the time face to face."""
    towards = rng.uniform(0, 2 * math.pi)
    if rng.random() < 0.5:
        other = replace(other, angle_rad=one.angle_rad)
        towards = one.angle_rad + rng.randrange(4) * math.pi / 2 + rng.uniform(-0.5, 0.5)
    x, y = math.cos(towards), math.sin(towards)
    away = min((_reach(one, a, b) + _reach(other, a, b)) / max(1e-6, abs(x * a + y * b)) for a, b in _axes(one, other))
    away += rng.choice((0.0, rng.uniform(0, 1.5)))
    return replace(other, x_mm=one.x_mm + away * x, y_mm=one.y_mm + away * y)


def _axes(one: SimulatedDie, other: SimulatedDie) -> list[tuple[float, float]]:
    turns = [die.angle_rad + quarter for die in (one, other) for quarter in (0.0, math.pi / 2)]
    return [(math.cos(turn), math.sin(turn)) for turn in turns]


def _reach(die: SimulatedDie, a: float, b: float) -> float:
    """Half the die's width along an axis; a leaning die is as wide as its diagonal at most."""
    half = die.look.edge_mm / 2 * (math.cos(die.lean_rad) + math.sin(die.lean_rad))
    cosine, sine = math.cos(die.angle_rad), math.sin(die.angle_rad)
    return half * (abs(a * cosine + b * sine) + abs(b * cosine - a * sine))
