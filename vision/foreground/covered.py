"""Mask the baize that is covered by the dice that were read and by markers."""

from collections.abc import Sequence

import numpy as np

from vision.field.view import Places
from vision.foreground.background import Mask
from vision.foreground.segment import Survey, cover, survey_px

DIE_RIM_MM = 5.0  # twice how far outside its outline a die may show


def mask_of_dice(seen: Survey, dice: Sequence[Places], rim_mm: float) -> Mask:
    """Return a mask of the dice with these outlines, widened by half of the rim."""
    covered = np.zeros(seen.inside.shape, np.uint8)
    for outline in dice:
        cover(covered, survey_px(outline), rim_mm)
    return covered


def free_baize(seen: Survey, covered: Mask) -> Mask:
    """Return a mask of the baize that is neither `covered` nor under a marker."""
    return np.asarray(seen.inside & (1 - covered) & (1 - seen.all_markers), np.uint8)
