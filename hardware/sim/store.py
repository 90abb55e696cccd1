"""The file that keeps the angles of simulated tiles while no program runs, as real tiles keep their places."""

import json
import logging
import math
import os
from collections.abc import Mapping
from pathlib import Path

from hardware.column import TRAVEL_DEG
from hardware.errors import BoxError
from hardware.tiles import TileId
from hardware.toml_file import read_plain

_log = logging.getLogger(__name__)

_FORMAT = 1


class TileStore:
    """Keeps the angles of one box's tiles in a JSON file that is replaced as a whole at every change.

    Lifetime: any; nothing is held open. A process killed at any moment leaves the old or the new file.
    Concurrency: one world writes it.
    """

    def __init__(self, path: Path, box_name: str, tiles: tuple[TileId, ...]) -> None:
        self._path = path
        self._box_name = box_name
        self._tiles = tiles

    def load(self) -> dict[TileId, float]:
        """Load angles in degrees (0 stands, 95 lies); without a file all tiles stand. Raises `BoxError`."""
        try:
            # A huge whole number becomes an infinite float, which is refused below.
            data = json.loads(read_plain(self._path), parse_int=float)
        except FileNotFoundError:
            return dict.fromkeys(self._tiles, 0.0)
        except OSError as error:
            raise self._complaint(f"cannot be read ({error.strerror})") from error
        except (RecursionError, ValueError) as error:
            raise self._complaint("is damaged") from error
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise self._complaint(f"is not a file of simulated tiles, format {_FORMAT}")
        if data.get("box") != self._box_name:
            raise self._complaint(f"belongs to the box {data.get('box')!r}, not to {self._box_name!r}")
        tiles = data.get("tiles")
        found = tiles if isinstance(tiles, dict) else {}
        angles = {}
        for tile in self._tiles:
            angle = found.get(str(tile))
            if not isinstance(angle, float) or not math.isfinite(angle):
                raise self._complaint(f"has no angle for {tile}")
            angles[tile] = max(0.0, min(TRAVEL_DEG, angle))
        return angles

    def save(self, angles_deg: Mapping[TileId, float]) -> None:
        """Replace the file by these angles. A failed write is only logged, since no wire of the box has failed."""
        tiles = {str(tile): round(angle, 3) for tile, angle in angles_deg.items()}
        text = json.dumps({"format": _FORMAT, "box": self._box_name, "tiles": tiles})
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(text, "utf-8")
            fresh.replace(self._path)
        except OSError as error:
            _log.warning("simulated tiles not saved file=%s error=%s", self._path, error)

    def _complaint(self, problem: str) -> BoxError:
        return BoxError(f"{self._path}: {problem}; delete the file to start with all tiles standing")
