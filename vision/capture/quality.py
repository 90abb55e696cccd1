"""Decides whether a picture is too dark, too bright (glare) or too blurred to be read."""

from dataclasses import replace

from hardware.phrase import phrase
from vision.capture.frame import Pixels
from vision.libraries import cv2, np
from vision.reading import Reading, Reason, refused

_DARK = 34  # the brightest hundredth of a picture that is too dark to read
# Light is measured in the brightest of the three channels, because a red or blue cloth is dark in a grey picture.
# Levels of the brightest hundredth and of three quarters of a picture: first those of one so dark that this may be why
# it was not read, then those of one in which nothing that was found is certain. Of 425 pictures in good light, our own
# and path-traced, one in fifty was below 109, and below 59.
_DIM, _DARKER = (98, 55), (82, 38)
WHITE = 250  # pixels this bright are washed out
_GLARE_PART = 0.35  # a picture with a larger washed-out part is not read
# The sharpness of an edge is its steepest step from pixel to pixel as a part of its height. In our own pictures it was
# 0.14 where they could still be read, 0.12 where the markers were lost; in sharp ones at least 0.23, in path-traced
# ones 0.25, and in photographs by three cameras mostly 0.20 to 0.29. A picture below the second limit is so soft that
# this may be why it was not read.
_BLURRED, _SOFT, SHARP = 0.135, 0.18, 0.23
_SOFT_PX = 1.0  # standard deviation of the blur that keeps noise from counting as edges
_ABOUT_PX = 25  # an edge is no wider
_EDGE_LEVELS, _LEAST_EDGES_PX = 60, 500  # height of an edge in grey levels, and the least number of pixels near edges
# A picture far out of focus has no edges. The steepest thousandth of its steps was at most 0.11 of the range from dark
# to light, in sharp ones at least 0.15; a picture with a smaller range, in grey levels, is flat.
_LEAST_RANGE = 25

# Refusals that dim light may cause for dice that lie flat and still: their pips are hard to see in the dark.
_DARK_MAY_BE_WHY = (Reason.UNSURE, Reason.MOVING)
_NOTHING_CERTAIN = (*_DARK_MAY_BE_WHY, Reason.UNEXPLAINED, Reason.COCKED, Reason.STACKED)

DARK_SAY = phrase("It is too dark to read the dice: switch the lamp on.")
GLARE_SAY = phrase("The light is too bright to read the dice: turn the lamp away.")
BLURRED_SAY = phrase("The picture is blurred: keep the dice still and wipe the lens.")


def refuse_bad_light(pixels: Pixels) -> Reading | None:
    """Return a refusal (`dark`, `glare`) for a picture far too dark or far too bright to be read, else None."""
    grey = np.asarray(cv2.cvtColor(_small(pixels), cv2.COLOR_BGR2GRAY), np.uint8)
    if float(np.percentile(grey, 99)) < _DARK:
        return refused(Reason.DARK, DARK_SAY)
    if float((grey >= WHITE).mean()) > _GLARE_PART:
        return refused(Reason.GLARE, GLARE_SAY)
    return None


def blame_light_or_blur(pixels: Pixels, refusal: Reading) -> Reading:
    """Return the refusal, with dim light or blur as its reason where it only says that something was not recognised.

    Neither prevents a reading by itself: they are checked only after it failed.
    """
    if refusal.reason not in _NOTHING_CERTAIN:
        return refusal
    # In dim light the things found do lie there; in a darker or blurred picture not even that is certain.
    brightest, mostly = _DIM if refusal.reason in _DARK_MAY_BE_WHY else _DARKER
    # Two limits, because white paper and the reflection of a lamp are bright in a picture that is far too dark.
    hundredth, quarter = np.percentile(_small(pixels).max(axis=2), (99, 75))
    if hundredth < brightest or quarter < mostly:
        return replace(refusal, reason=Reason.DARK, say=DARK_SAY)
    if sharpness_of(pixels) < _SOFT:
        return replace(refusal, reason=Reason.BLURRED, say=BLURRED_SAY)
    return refusal


def _small(pixels: Pixels) -> Pixels:
    """Shrink a picture: a hundredth of its pixels is enough to judge the light."""
    return np.asarray(cv2.resize(pixels, (160, 120), interpolation=cv2.INTER_LINEAR), np.uint8)


def is_blurred(pixels: Pixels) -> bool:
    """Return True when no edge across, or none down, is sharp: a shaken picture keeps those along its way.

    A flat picture is not called blurred, nor is a narrow strip.
    """
    return sharpness_of(pixels) < _BLURRED


def sharpness_of(pixels: Pixels) -> float:
    """Return the steepness 0..1 of the edges, across or down, whichever is less; 1 in a flat picture or a strip."""
    if min(pixels.shape[:2]) < _ABOUT_PX:
        return 1.0
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (0, 0), _SOFT_PX)
    about = np.ones((_ABOUT_PX, _ABOUT_PX), np.uint8)
    heights = cv2.subtract(cv2.dilate(grey, about), cv2.erode(grey, about))
    down, across = cv2.absdiff(grey[1:], grey[:-1]), cv2.absdiff(grey[:, 1:], grey[:, :-1])
    if np.count_nonzero(heights > _EDGE_LEVELS) < _LEAST_EDGES_PX:
        # No step is high enough for an edge: compare the steepest thousandth of them with the range of the picture.
        dark, light = np.percentile(grey, (1, 99))
        steps = np.maximum(down[:, 1:], across[1:])
        return float(np.percentile(steps, 99.9) / (light - dark)) if light - dark > _LEAST_RANGE else 1.0
    return min(_steepness(down, heights[:-1]), _steepness(across, heights[:, :-1]))


def _steepness(steps: "cv2.typing.MatLike", heights: "cv2.typing.MatLike") -> float:
    """Return the steps from pixel to pixel (h, w) as parts of the heights (h, w) of edges: their 99th percentile."""
    edges = heights > _EDGE_LEVELS
    return float(np.percentile(steps[edges] / heights[edges].astype(np.float32), 99))
