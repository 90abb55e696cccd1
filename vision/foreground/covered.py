"""What the dice that were read, and the markers, cover of the baize."""

from collections.abc import Sequence

import numpy as np

from vision.field.view import Places
from vision.foreground.background import Mask
from vision.foreground.segment import Survey, cover, survey_px

DIE_RIM_MM = 5.0  # twice how far beside its outline a die may be seen


def mask_of_dice(seen: Survey, dice: Sequence[Places], rim_mm: float) -> Mask:
    """1 where dice of these outlines lie, half of the rim more."""
    covered = np.zeros(seen.inside.shape, np.uint8)
    for outline in dice:
        cover(covered, survey_px(outline), rim_mm)
    return covered


def free_baize(seen: Survey, covered: Mask) -> Mask:
    """1 where the baize is neither `covered` nor under a marker."""
    return np.asarray(seen.inside & (1 - covered) & (1 - seen.all_markers), np.uint8)
