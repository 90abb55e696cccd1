"""The file that keeps the angles of the simulated tiles while no program runs, as the real ones stay where they are."""

import json
import logging
import math
import os
from collections.abc import Mapping
from pathlib import Path

from hardware.errors import BoxError
from hardware.sim.servo import STOPS_DEG
from hardware.tiles import TileId

_log = logging.getLogger(__name__)

_FORMAT = 1


class TileStore:
    """Keeps the angles of one box's tiles in a JSON file, replaced as a whole at every change.

    Lifetime: any; nothing is held open. A process killed at any moment leaves the old or the new file.
    Concurrency: one world writes it.
    """

    def __init__(self, path: Path, box_name: str, tiles: tuple[TileId, ...]) -> None:
        self._path = path
        self._box_name = box_name
        self._tiles = tiles

    def load(self) -> dict[TileId, float]:
        """Angles in degrees (0 stands, 90 lies); a box without a file stands. Raises `BoxError`."""
        try:
            # A whole number may be too large for an angle; as a float it is infinite, and refused as that.
            data = json.loads(self._path.read_text("utf-8"), parse_int=float)
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
        return self._angles(data.get("tiles"))

    def save(self, angles_deg: Mapping[TileId, float]) -> None:
        """Replace the file by these angles. Where the disk does not take them that is only logged.

        It is no wire that fails: whoever moves the tile must not be told so.
        """
        try:
            self._write(angles_deg)
        except OSError as error:
            _log.warning("the simulated tiles are not kept: %s", error)

    def _write(self, angles_deg: Mapping[TileId, float]) -> None:
        tiles = {str(tile): round(angle, 3) for tile, angle in angles_deg.items()}
        text = json.dumps({"format": _FORMAT, "box": self._box_name, "tiles": tiles})
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, "utf-8")
        fresh.replace(self._path)

    def _angles(self, tiles: object) -> dict[TileId, float]:
        found = tiles if isinstance(tiles, dict) else {}
        least_deg, most_deg = STOPS_DEG
        angles = {tile: found.get(str(tile)) for tile in self._tiles}
        for tile, angle in angles.items():
            if not isinstance(angle, float) or not math.isfinite(angle):
                raise self._complaint(f"has no angle for {tile}")
        return {tile: max(least_deg, min(most_deg, found[str(tile)])) for tile in self._tiles}

    def _complaint(self, problem: str) -> BoxError:
        return BoxError(f"{self._path}: {problem}; delete the file to start with all tiles standing")
