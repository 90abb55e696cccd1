"""Looks of dice drawn within limits: white, vivid, black, drilled, Asian, translucent, marbled and so on."""

import colorsys
import random
from collections.abc import Callable
from dataclasses import replace

from hardware.sim.dice import Colour, DieLook
from vision.sim.drawings import ASIAN_RED

_READABLE = 75  # grey levels between body and pips that a person reads easily
_STANDS_OUT = 60  # levels of some colour between body and cloth

Span = tuple[float, float]
Draw = Callable[[random.Random], DieLook]


def colour(rng: random.Random, hue: Span, saturation: Span, value: Span) -> Colour:
    """Draw a colour (red, green, blue) in 0..255 within these spans of 0..1."""
    parts = colorsys.hsv_to_rgb(rng.uniform(*hue) % 1.0, rng.uniform(*saturation), rng.uniform(*value))
    red, green, blue = (round(255 * part) for part in parts)
    return red, green, blue


def grey_of(tint: Colour) -> float:
    """Return the brightness of a colour to the eye, 0..255 (ITU-R BT.601)."""
    return 0.299 * tint[0] + 0.587 * tint[1] + 0.114 * tint[2]


def white(rng: random.Random) -> DieLook:
    """Draw a whitish body with dark or coloured pips."""
    body = colour(rng, (0.08, 0.16), (0.0, 0.12), (0.88, 0.97))
    return _shape(rng, body, colour(rng, (0, 1), (0, 0.9), (0.02, 0.2)))


def vivid(rng: random.Random) -> DieLook:
    """Draw a body of any strong colour, with dark or light pips to match."""
    body = colour(rng, (0, 1), (0.6, 0.95), (0.3, 0.95))
    dark = grey_of(body) > 135
    pip = colour(rng, (0, 1), (0, 0.3), (0.02, 0.14)) if dark else colour(rng, (0, 1), (0, 0.12), (0.88, 1.0))
    return _shape(rng, body, pip)


def black(rng: random.Random) -> DieLook:
    """Draw a nearly black body with light pips."""
    body = colour(rng, (0, 1), (0, 0.6), (0.05, 0.2))
    return _shape(rng, body, colour(rng, (0, 1), (0, 0.5), (0.85, 1.0)))


def mixed(rng: random.Random) -> DieLook:
    """Draw a white, vivid or black die."""
    return rng.choice((white, vivid, vivid, black))(rng)


def drilled(rng: random.Random) -> DieLook:
    """Draw any of these with hollows for pips."""
    return replace(mixed(rng), drilled=True)


def asian(rng: random.Random) -> DieLook:
    """Draw a white die with a large red 1 and a red 4."""
    look = replace(white(rng), asian=True, drilled=True, rounding=rng.uniform(0.14, 0.22))
    return replace(look, pitch=rng.uniform(0.22, 0.25), pip_radius=rng.uniform(0.085, 0.1))


def translucent(rng: random.Random) -> DieLook:
    """Draw a clear coloured body with white pips."""
    body = colour(rng, (0, 1), (0.7, 0.95), (0.45, 0.85))
    look = _shape(rng, body, colour(rng, (0, 1), (0, 0.08), (0.93, 1.0)))
    return replace(look, material="translucent", rounding=rng.uniform(0.03, 0.12), gloss=rng.uniform(0.3, 0.8))


def marbled(rng: random.Random) -> DieLook:
    """Draw a dark body with lighter veins."""
    body = colour(rng, (0, 1), (0.3, 0.9), (0.15, 0.45))
    red, green, blue = (round(part + rng.uniform(0.2, 0.45) * (255 - part)) for part in body)
    pip = colour(rng, (0.1, 0.16), (0, 0.6), (0.92, 1.0))
    return replace(_shape(rng, body, pip), material="marbled", second=(red, green, blue), gloss=rng.uniform(0, 0.6))


def close_rows(rng: random.Random) -> DieLook:
    """Draw a die whose three pips of the 6 almost touch one another."""
    radius = rng.uniform(0.08, 0.095)
    return replace(
        mixed(rng), pip_radius=radius, pitch=rng.uniform(0.25, 0.29), six_pitch=rng.uniform(2.15, 2.4) * radius
    )


def glossy(rng: random.Random) -> DieLook:
    """Draw a large die that mirrors the lamps."""
    return replace(mixed(rng), gloss=rng.uniform(0.5, 1.0), edge_mm=rng.uniform(16, 20))


def mini(rng: random.Random) -> DieLook:
    """Draw a die of 12 to 14 mm."""
    return replace(mixed(rng), edge_mm=rng.uniform(12, 14))


def rounded(rng: random.Random, look: DieLook) -> DieLook:
    """The look as casinos do not have it: edges rounded by up to a third."""
    return replace(look, rounding=rng.uniform(0.2, 0.33), pitch=min(look.pitch, 0.24), six_pitch=0.22, pip_radius=0.085)


def anything(rng: random.Random) -> DieLook:
    """Draw any of these, left-handed half of the time."""
    kinds = (white, vivid, black, drilled, asian, translucent, marbled, close_rows, glossy, mini)
    return replace(rng.choice(kinds)(rng), left_handed=rng.random() < 0.5)


def _shape(rng: random.Random, body: Colour, pip: Colour) -> DieLook:
    return DieLook(
        rng.uniform(14, 18),
        body,
        pip,
        pip_radius=rng.uniform(0.085, 0.115),
        pitch=rng.uniform(0.24, 0.28),
        six_pitch=rng.uniform(0.24, 0.28),
        rounding=rng.uniform(0.06, 0.18),
        drilled=rng.random() < 0.35,
        left_handed=rng.random() < 0.1,
        gloss=rng.choice((0.0, 0.0, rng.uniform(0.1, 0.5))),
    )


def draw_readable(rng: random.Random, draw: Draw, cloth: Colour) -> DieLook:
    """Draw looks until the pips of one stand out from its body, and its body from the cloth."""
    while True:
        look = draw(rng)
        inks = (look.pip, ASIAN_RED) if look.asian else (look.pip,)
        veins = (look.body, look.second) if look.material == "marbled" else (look.body,)
        clear = all(abs(grey_of(ink) - grey_of(vein)) >= _READABLE for ink in inks for vein in veins)
        if clear and max(abs(a - b) for a, b in zip(look.body, cloth, strict=True)) >= _STANDS_OUT:
            return look
