"""When a throw counts: fresh frames, motion, stillness, readings that agree, and dice that were counted before."""

from vision.watching.box_reader import BoxReader
from vision.watching.capture import Eye
from vision.watching.watcher import Watcher

__all__ = ["BoxReader", "Eye", "Watcher"]
