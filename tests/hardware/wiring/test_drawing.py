"""The drawing of every profile: complete, connected, legible and the same each time."""

import itertools
import math
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import reportlab
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from hardware.box import Box, box_names, load_box
from hardware.wiring import style
from hardware.wiring.canvas import Area, text_width
from hardware.wiring.drawing import Drawing, draw_box
from hardware.wiring.plan import EXPANDER, Chip, Plan, Role, expander_leg, plan_of
from tests.support.together import together

_SVG = "{http://www.w3.org/2000/svg}"
_SHARED = (Role.SERVO_POWER, Role.GROUND, Role.OUTPUT_ENABLE, Role.CLOCK, Role.DATA, Role.LOGIC, Role.INTERRUPT)
_CARD = "#fbfbfa"


@dataclass(frozen=True)
class Words:
    """A text of the picture and where it is."""

    text: str
    x: float
    y: float


@lru_cache(maxsize=2)
def root_of(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314  the text is our own


def elements(drawing: Drawing, tag: str) -> Iterator[ET.Element]:
    return root_of(drawing.svg).iter(_SVG + tag)


def words_of(drawing: Drawing) -> list[Words]:
    texts = elements(drawing, "text")
    return [Words(each.text or "", float(each.attrib["x"]), float(each.attrib["y"])) for each in texts]


@pytest.fixture(scope="module", params=box_names())
def box(request: pytest.FixtureRequest) -> Box:
    return load_box(request.param)


@pytest.fixture(scope="module")
def drawing(box: Box) -> Drawing:
    return draw_box(box)


def labels(plan: Plan) -> list[str]:
    chips = (outlet.use for chip in (*plan.boards, *plan.expanders) for outlet in chip.used)
    return [*(pin.use for pin in plan.header if pin.use), *chips]


def test_every_wire_is_on_the_sheet_exactly_once(box: Box, drawing: Drawing) -> None:
    written = Counter(each.text for each in words_of(drawing))
    wires = labels(plan_of(box))

    assert {label: written[label] for label in wires} == dict.fromkeys(wires, 1)
    supplies = [label for label in wires if label.startswith(("GND", "3.3 V", "I2C"))]
    assert len(wires) - len(supplies) == len(list(box.wires()))


def test_a_label_stands_beside_the_pin_that_it_belongs_to(box: Box, drawing: Drawing) -> None:
    words = words_of(drawing)
    for pin in plan_of(box).header:
        [number] = [each for each in words if each.text == str(pin.number) and near_header(each, words)]
        beside = sorted(
            (each for each in words if math.isclose(each.y, number.y, abs_tol=0.3)), key=lambda each: each.x
        )
        side = 1 if pin.number % 2 == 0 else -1
        outwards = [each.text for each in beside if (each.x - number.x) * side > 0][::side]
        in_order = [text for text in outwards if not text.isdigit()]
        assert in_order[0] == pin.name
        assert not pin.use or in_order[1] == pin.use


def near_header(words: Words, every: list[Words]) -> bool:
    [title] = [each for each in every if each.text == "Raspberry Pi, 40-pin header"]
    return abs(words.x - title.x) < 3 and words.y > title.y


def test_a_tile_stands_beside_its_channel_on_the_board_of_its_address(box: Box, drawing: Drawing) -> None:
    words = words_of(drawing)
    plan = plan_of(box)
    for chip in (*plan.boards, *plan.expanders):
        [address] = [each for each in words if each.text == chip.name]
        for place, outlet in enumerate(chip.outlets):
            if outlet.use:
                name, *others = channel_of(outlet.use, address, words)
                assert name == outlet.name
                assert chip.kind != EXPANDER or others == [f"({expander_leg(place)})"]


def channel_of(label: str, address: Words, words: list[Words]) -> list[str]:
    """The channel's name (and leg) to the left of a label, if that is in the block under `address`."""
    [tag] = [each for each in words if each.text == label]
    assert 0 < tag.x - address.x < 40
    assert 0 < tag.y - address.y < 80
    row = [each for each in words if abs(each.y - tag.y) < 0.3 and address.x - 12 < each.x < tag.x]
    return [each.text for each in sorted(row, key=lambda each: -each.x)]


def test_jumpers_are_drawn_as_the_address_needs_them(box: Box, drawing: Drawing) -> None:
    plan = plan_of(box)
    golden = [each for each in elements(drawing, "rect") if each.get("stroke") == style.GOLD]
    bridged = sum(each.get("fill") == style.GOLD for each in golden)

    # One golden square is pin 1 of the header.
    chips: tuple[Chip, ...] = (*plan.boards, *plan.expanders)
    assert len(golden) - 1 == 6 * len(plan.boards) + 3 * len(plan.expanders)
    assert bridged == sum(sum(chip.jumpers) for chip in chips)


def in_card(x: float, y: float, cards: list[ET.Element]) -> bool:
    return any(
        0 <= x - float(card.attrib["x"]) <= float(card.attrib["width"])
        and 0 <= y - float(card.attrib["y"]) <= float(card.attrib["height"])
        for card in cards
    )


Wire = list[tuple[float, float]]


def shared_wires(drawing: Drawing, role: Role) -> list[Wire]:
    cards = [each for each in elements(drawing, "rect") if each.get("fill") == _CARD]
    found = []
    for line in elements(drawing, "polyline"):
        points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.attrib["points"].split())]
        is_thin = float(line.attrib["stroke-width"]) < style.THIN
        if line.get("stroke") == style.COLOURS[role] and not is_thin and not in_card(*points[0], cards):
            found.append(points)
    return found


def touch(one: Wire, other: Wire) -> bool:
    """Whether an end of one wire lies on the other: a mere crossing is no joint."""
    return any(lies_on(end, b) for a, b in ((one, other), (other, one)) for end in (a[0], a[-1]))


def lies_on(point: tuple[float, float], wire: Wire) -> bool:
    def between(place: float, a: float, b: float) -> bool:
        return min(a, b) - 0.02 <= place <= max(a, b) + 0.02

    return any(between(point[0], a[0], b[0]) and between(point[1], a[1], b[1]) for a, b in itertools.pairwise(wire))


def in_pieces(drawing: Drawing, role: Role) -> list[Wire]:
    """The wires of a shared line that do not hang together with the first."""
    wires = shared_wires(drawing, role)
    reached, rest = wires[:1], wires[1:]
    while joined := [wire for wire in rest if any(touch(wire, known) for known in reached)]:
        reached += joined
        rest = [wire for wire in rest if wire not in joined]
    return rest


@together("role", _SHARED)
def test_each_shared_line_is_one_piece_and_reaches_every_chip(box: Box, drawing: Drawing, role: Role) -> None:
    assert in_pieces(drawing, role) == []

    wires = shared_wires(drawing, role)
    plan = plan_of(box)
    only_boards, only_expanders = (Role.SERVO_POWER, Role.OUTPUT_ENABLE), (Role.INTERRUPT,)
    chips = 0 if role in only_expanders else len(plan.boards)
    chips += 0 if role in only_boards else len(plan.expanders)
    [title] = [each for each in words_of(drawing) if each.text == "Raspberry Pi, 40-pin header"]
    drops = [wire for wire in wires if len(wire) == 2 and wire[0][0] == wire[1][0] and is_pad(wire[1], drawing)]
    assert len(drops) == chips
    assert role is Role.SERVO_POWER or any(wire[0][1] > title.y and len(wire) == 3 for wire in wires)


def is_pad(point: tuple[float, float], drawing: Drawing) -> bool:
    gold = (each for each in elements(drawing, "circle") if each.get("fill") == style.GOLD and each.get("r") == "1")
    centres = [(float(each.attrib["cx"]), float(each.attrib["cy"]) - 1.3) for each in gold]
    return any(math.dist(centre, point) < 0.05 for centre in centres)


def meet(a: Area, b: Area) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def clashes(drawing: Drawing) -> list[str]:
    """Words over words, words over wires, words beside the sheet."""
    found = [f"{a.words} | {b.words}" for a, b in itertools.combinations(drawing.texts, 2) if meet(a, b)]
    found += [text.words for text in drawing.texts for wire in drawing.wires if meet(text, wire)]
    sheet = drawing.view
    return found + [
        text.words
        for text in drawing.texts
        if text.left < sheet.left or text.right > sheet.right or text.top < sheet.top or text.bottom > sheet.bottom
    ]


def test_no_words_lie_on_others_or_on_a_wire_or_beside_the_sheet(drawing: Drawing) -> None:
    assert clashes(drawing) == []


def test_a_current_sensor_is_drawn_without_clashes(box: Box) -> None:
    drawing = draw_box(box.model_copy(update={"supply": box.supply.model_copy(update={"current_sensor": 0x4F})}))

    assert clashes(drawing) == []
    assert [each.text for each in words_of(drawing) if "0x4f" in each.text] == ["INA260 0x4f"]
    assert not in_pieces(drawing, Role.SERVO_POWER)


def test_cards_hold_their_words_and_do_not_overlap(drawing: Drawing) -> None:
    frames = [each for each in elements(drawing, "rect") if each.get("fill") == _CARD]
    boxes = []
    for frame in frames:
        x, y, wide, high = (float(frame.attrib[name]) for name in ("x", "y", "width", "height"))
        boxes.append((x, y, x + wide, y + high))
        for text in drawing.texts:
            if x <= text.left < x + wide and y <= text.top < y + high:
                assert text.right <= x + wide
                assert text.bottom <= y + high
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_letters_are_legible_in_print(drawing: Drawing) -> None:
    scale = drawing.paper_mm[0] / (drawing.view.right - drawing.view.left)
    sizes = [float(each.attrib["font-size"]) for each in elements(drawing, "text")]

    assert drawing.paper_mm in ((420, 297), (297, 210))
    assert scale * statistics.median(sizes) >= 1.95  # mm: 5.5 points
    assert scale * min(sizes) >= 1.3


def test_widths_of_words_are_not_underrated(drawing: Drawing) -> None:
    fonts = Path(reportlab.__file__).parent / "fonts"
    for name in ("Vera", "VeraBd"):  # as wide as DejaVu Sans, the widest of the drawing's fonts
        pdfmetrics.registerFont(TTFont(name, fonts / f"{name}.ttf"))
    for element in elements(drawing, "text"):
        text, size, bold = element.text or "", float(element.attrib["font-size"]), element.get("font-weight") == "bold"
        assert pdfmetrics.stringWidth(text, "VeraBd" if bold else "Vera", size) <= text_width(text, size, bold=bold)


def test_the_same_box_gives_the_same_drawing(box: Box, drawing: Drawing) -> None:
    assert draw_box(box).svg == drawing.svg
    assert drawing.svg.isascii()
    assert not re.search(r"\d\.\d{3}", drawing.svg)


def test_the_picture_in_the_guide_is_what_the_program_draws() -> None:
    kept = files("hardware").joinpath("two-level-9.svg").read_text("ascii")

    assert kept == draw_box(load_box("two-level-9")).svg, "say: shutbox wiring --svg hardware/two-level-9.svg"


def test_words_of_a_profile_are_no_markup() -> None:
    box = load_box("classic-9").model_copy(update={"summary": '<script>"&µ\x01'})

    drawing = draw_box(box)

    assert "<script" not in drawing.svg
    assert any(each.text.startswith('<script>"&µ') for each in words_of(drawing))


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """Boxes wired in any order: tiles on any channel, sensors on any line or pin, parts of the panel there or not."""
    count = draw(st.integers(1, 28))
    chance = draw(st.randoms(use_true_random=False))
    addresses = chance.sample(range(0x40, 0x70), k=draw(st.integers(2, 9)))
    servos = chance.sample([f"0x{address:02x}/{channel}" for address in addresses for channel in range(16)], k=count)
    lines = chance.sample([f"GPIO{number}" for number in range(4, 28)], k=24)
    parts = ["output_enable", "lid", "button", "led", "speaker", "expander_interrupt"]
    panel = dict(zip(parts[: draw(st.integers(1, 6))], lines, strict=False))
    pins = [f"0x{address:02x}/{port}{bit}" for address in range(0x20, 0x28) for port in "AB" for bit in range(8)]
    sensors = chance.sample([*lines[6:], *pins], k=2 * count)
    has_open = draw(st.booleans())
    tiles = {
        f"front-{n + 1}": {"servo": servos[n], "shut": sensors[n]} | ({"open": sensors[n + count]} if has_open else {})
        for n in range(count)
    }
    content = {"name": "odd", "summary": "Any", "rows": 1, "columns": count, "panel": panel, "tiles": tiles}
    return Box.model_validate(content)


@settings(max_examples=8, deadline=None)
@given(boxes())
def test_boxes_wired_in_any_way_are_drawn_without_clashes(box: Box) -> None:
    drawing = draw_box(box)
    written = Counter(each.text for each in words_of(drawing))

    assert clashes(drawing) == []
    assert not [role for role in _SHARED if in_pieces(drawing, role)]
    assert all(written[label] == 1 for label in labels(plan_of(box)))
