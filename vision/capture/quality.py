"""Decides whether a picture is too dark, too bright (glare) or too blurred to be read."""

from dataclasses import replace

from vision.capture.frame import Pixels
from vision.capture.libraries import cv2, np
from vision.reading import Reading, Reason, refused

_DARK = 34  # the brightest hundredth of a picture that is too dark to read
# Light is told by the brightest of the three channels, for a red or a blue cloth is dark to the eye of a grey picture.
# The brightest hundredth of a picture dark enough to be why it was not read, with the level below which three quarters
# of it are; then of one in which not even what seems to lie there is certain. Of 425 in good light, our own and
# path-traced, one of fifty was below 109, and below 59.
_DIM, _DARKER = (98, 55), (82, 38)
WHITE = 250  # what is as bright is washed out
_GLARE_PART = 0.35  # part of a picture that is washed out from which on it is not read
# Edges are looked at one by one: the steepest step from pixel to pixel as a part of the whole height of an edge. Of
# our own pictures it was 0.14 where they could still be read, 0.12 where the markers were lost; of sharp ones 0.23 at
# least, of path-traced ones 0.25, and of photographs by three cameras mostly 0.20 to 0.29. A picture below the second
# one is so soft that this may be why it was not read.
_SHARP, _SOFT = 0.135, 0.18
_SOFT_PX = 1.0  # deviation of the blur that keeps noise from counting as edges
_ABOUT_PX = 25  # an edge is no wider
_EDGE_LEVELS, _LEAST_EDGES_PX = 60, 500  # grey levels of an edge, and how much of a picture must be beside some
# A picture far out of focus has no edge. The steepest thousandth of its steps was 0.11 of what lies between dark and
# light at most, of sharp ones 0.15 at least; a picture with less between them, in grey levels, is flat.
_LEAST_RANGE = 25

# What may be said of dice that lie flat and still: how steep their sides are is hard to see in the dark.
_DARK_MAY_BE_WHY = (Reason.UNSURE, Reason.MOVING, Reason.COCKED)
_NOTHING_CERTAIN = (*_DARK_MAY_BE_WHY, Reason.UNEXPLAINED, Reason.STACKED)

DARK_SAY = "It is too dark to read the dice: switch the lamp on."
GLARE_SAY = "The light is too bright to read the dice: turn the lamp away."
BLURRED_SAY = "The picture is blurred: keep the dice still and wipe the lens."


def refuse_bad_light(pixels: Pixels) -> Reading | None:
    """A refusal (`dark`, `glare`) when a picture is far too dark or far too bright to look at it further, else None."""
    grey = np.asarray(cv2.cvtColor(_small(pixels), cv2.COLOR_BGR2GRAY), np.uint8)
    if float(np.percentile(grey, 99)) < _DARK:
        return refused(Reason.DARK, DARK_SAY)
    if float((grey >= WHITE).mean()) > _GLARE_PART:
        return refused(Reason.GLARE, GLARE_SAY)
    return None


def blame_light_or_blur(pixels: Pixels, refusal: Reading) -> Reading:
    """The refusal; one that says no more than that something was not made out, with dim light or blur as its reason.

    Both alone do not hinder a reading: they are looked for only after it failed.
    """
    if refusal.reason not in _NOTHING_CERTAIN:
        return refusal
    # What was found lies there in dim light as well; in a darker or blurred picture nothing that was found is certain.
    if _is_darker(pixels, *(_DIM if refusal.reason in _DARK_MAY_BE_WHY else _DARKER)):
        return replace(refusal, reason=Reason.DARK, say=DARK_SAY)
    if _sharpness(pixels) < _SOFT:
        return replace(refusal, reason=Reason.BLURRED, say=BLURRED_SAY)
    return refusal


def _is_darker(pixels: Pixels, brightest: int, mostly: int) -> bool:
    """True when all but a hundredth of the picture is below the level `brightest`, or three quarters are below
    `mostly`: white paper and a lamp's reflection are bright in a picture that is far too dark.
    """
    hundredth, quarter = np.percentile(_small(pixels).max(axis=2), (99, 75))
    return bool(hundredth < brightest or quarter < mostly)


def _small(pixels: Pixels) -> Pixels:
    """The picture made small: a hundredth of all pixels says enough about the light."""
    return np.asarray(cv2.resize(pixels, (160, 120), interpolation=cv2.INTER_LINEAR), np.uint8)


def is_blurred(pixels: Pixels) -> bool:
    """True when no edge across, or none down, is sharp: a shaken picture keeps those along its way. A flat picture is
    not called blurred, nor a mere strip.
    """
    return _sharpness(pixels) < _SHARP


def _sharpness(pixels: Pixels) -> float:
    """How steep the edges are, across or down, whichever is less: 0..1, and 1 in a flat picture, or a mere strip."""
    if min(pixels.shape[:2]) < _ABOUT_PX:
        return 1.0
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (0, 0), _SOFT_PX)
    about = np.ones((_ABOUT_PX, _ABOUT_PX), np.uint8)
    heights = cv2.subtract(cv2.dilate(grey, about), cv2.erode(grey, about))
    down, across = cv2.absdiff(grey[1:], grey[:-1]), cv2.absdiff(grey[:, 1:], grey[:, :-1])
    if np.count_nonzero(heights > _EDGE_LEVELS) < _LEAST_EDGES_PX:
        return _steepness_all_over(grey, np.maximum(down[:, 1:], across[1:]))
    return min(_steepness(down, heights[:-1]), _steepness(across, heights[:, :-1]))


def _steepness_all_over(grey: "cv2.typing.MatLike", steps: "cv2.typing.MatLike") -> float:
    """The steps from pixel to pixel as parts of what lies between dark and light, where nothing is high enough for an
    edge: what a thousandth of them exceed.
    """
    dark, light = np.percentile(grey, (1, 99))
    return float(np.percentile(steps, 99.9) / (light - dark)) if light - dark > _LEAST_RANGE else 1.0


def _steepness(steps: "cv2.typing.MatLike", heights: "cv2.typing.MatLike") -> float:
    """The steps from pixel to pixel (h, w) as parts of the heights (h, w) of edges: what a hundredth of them exceed."""
    edges = heights > _EDGE_LEVELS
    return float(np.percentile(steps[edges] / heights[edges].astype(np.float32), 99))
