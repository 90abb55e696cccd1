"""Decides when a throw counts, from fresh frames, stillness, agreement of frames and the dice counted before."""

from vision.watching.box_reader import BoxReader
from vision.watching.capture_thread import CaptureThread
from vision.watching.evidence import EvidenceFolder, Limits, find_evidence
from vision.watching.throw_watcher import Watcher

__all__ = ["BoxReader", "CaptureThread", "EvidenceFolder", "Limits", "Watcher", "find_evidence"]
