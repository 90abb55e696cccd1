"""Boxes with few tiles, for what takes long with eighteen."""

from hardware.box import Box, Motion, load_box, parse_box

SLOT, RIGID = 'link = "slot"\nopen_us = 820\nrest_us = 1655\nshut_us = 2090\n', 'link = "rigid"\n'


def small_box(rows: int = 2, columns: int = 2, *, sees_open: bool = True, motion: str = SLOT) -> Box:
    """A box with `rows` x `columns` tiles, all on one servo board."""
    names = {1: "front", 2: "back"}
    tiles = []
    for row in range(1, rows + 1):
        for number in range(1, columns + 1):
            place = (row - 1) * columns + number - 1
            opens = f', open = "0x20/{"AB"[place // 8]}{place % 8}"' if sees_open else ""
            name = f"{names.get(row, f'row{row}')}-{number}"
            tiles.append(f'{name} = {{ servo = "0x40/{place}", shut = "GPIO{4 + place}"{opens} }}')
    head = f'name = "small"\nsummary = "A small box"\nrows = {rows}\ncolumns = {columns}\n'
    panel = '[panel]\noutput_enable = "GPIO22"\nlid = "GPIO23"\n'
    return parse_box(f"{head}[motion]\n{motion}{panel}[tiles]\n" + "\n".join(tiles), "small.toml")


def rigid_box(name: str = "two-level-9") -> Box:
    """A shipped box whose rods were built rigid."""
    motion = {"link": "rigid", "open_us": 1000, "rest_us": None, "shut_us": 2000}
    box = load_box(name)
    return box.model_copy(update={"motion": Motion(**{**box.motion.model_dump(), **motion})})
