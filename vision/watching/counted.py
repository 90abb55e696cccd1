"""Is the number of dice in a reading one that this throw allows?"""

import numpy as np

from vision.reading import Reading, Reason, refused


def counted(reading: Reading, allowed: frozenset[int]) -> Reading:
    """The reading, or a refusal when the number of its dice is not allowed."""
    seen = len(reading.dice)
    if not reading.is_read or seen in allowed:
        return reading
    wanted = " or ".join(_dice(number) for number in sorted(allowed))
    reason = Reason.TOO_FEW if seen < min(allowed) else Reason.TOO_MANY
    x, y = (float(part) for part in np.mean([die.center_px for die in reading.dice], axis=0))
    return refused(reason, f"I see {_dice(seen)}, this throw needs {wanted}.", at_px=(x, y))


def _dice(number: int) -> str:
    return "one die" if number == 1 else f"{number} dice"
