"""Metrics in the text format of Prometheus: "Text-based format" of its documentation, version 0.0.4.

The Prometheus library would take a megabyte of the daemon's scarce memory; the format is a few lines.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric with its samples.

    about: its meaning, with its unit.
    samples: values by value of `label`; without a label, one value under the empty string. Empty if not known.
    """

    name: str
    kind: Literal["counter", "gauge"]
    about: str
    samples: Mapping[str, float] = field(default_factory=dict)
    label: str = ""


def expose(metrics: Iterable[Metric]) -> str:
    """Return the metrics as text; those without samples are left out."""
    lines = []
    for metric in metrics:
        if metric.samples:
            lines += [f"# HELP {metric.name} {metric.about}", f"# TYPE {metric.name} {metric.kind}"]
        for value, amount in metric.samples.items():
            label = f'{{{metric.label}="{value.translate(_ESCAPES)}"}}' if metric.label else ""
            lines.append(f"{metric.name}{label} {amount}")
    return "".join(f"{line}\n" for line in lines)
