import cv2
import numpy as np

from hardware.box import load_box
from tools.evaluation.baseline import cluster, read_blobs
from tools.evaluation.timing import one_core, stage_times
from vision.capture.frame import Pixels
from vision.reading import Reason


def table(*pips: tuple[int, int]) -> Pixels:
    picture = np.full((720, 1280, 3), 200, np.uint8)
    for place in pips:
        cv2.circle(picture, place, 7, (20, 20, 20), -1, cv2.LINE_AA)
    return picture


def test_blobs_near_each_other_are_one_die_and_chains_join() -> None:
    reading = read_blobs(table((200, 200), (230, 200), (260, 200), (600, 400)))
    assert reading.values == (1, 3)
    assert [len(members) for members in cluster(np.array([(0, 0), (9, 0), (3, 0), (6, 0)], np.float32), 3)] == [4]


def test_blobs_on_markers_are_left_out_and_no_blobs_are_no_dice() -> None:
    marker = np.array([(180.0, 180.0), (220.0, 180.0), (220.0, 220.0), (180.0, 220.0)])
    assert read_blobs(table((200, 200), (600, 400)), [marker]).values == (1,)
    assert read_blobs(table()).reason is Reason.NO_DICE


def test_stages_are_timed_on_one_core_which_is_given_back() -> None:
    before = cv2.getNumThreads()
    times = stage_times([np.zeros((40, 60, 3), np.uint8)], load_box("two-level-9").field, 16.0)
    assert {"health", "whole", "baseline"} <= times.keys()
    assert all(ms >= 0 for ms in times.values())
    with one_core():
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == before
