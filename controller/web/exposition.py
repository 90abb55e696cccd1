"""Figures in the text format that Prometheus reads: "Text-based format" of its documentation, version 0.0.4.

The library for it would keep a megabyte in a daemon that has none to spare; the format is these lines.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure, by the values of its label; `about` says what it is, with its unit.

    samples: by value of `label`; without a label one value by the empty word. One that is not known has none.
    """

    name: str
    kind: Literal["counter", "gauge"]
    about: str
    samples: Mapping[str, float] = field(default_factory=dict)
    label: str = ""


def expose(metrics: Iterable[Metric]) -> str:
    """The figures as text; those of which nothing is known are left out."""
    return "".join(_tell(metric) for metric in metrics if metric.samples)


def _tell(metric: Metric) -> str:
    head = f"# HELP {metric.name} {metric.about}\n# TYPE {metric.name} {metric.kind}\n"
    lines = (f"{metric.name}{_label(metric, value)} {amount}\n" for value, amount in metric.samples.items())
    return head + "".join(lines)


def _label(metric: Metric, value: str) -> str:
    return f'{{{metric.label}="{value.translate(_ESCAPES)}"}}' if metric.label else ""
