"""Open the hardware, real or simulated, and hand it over as a table; this room knows rules, but no game."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.box.catalogue import EVERY_GAME, GameEntry, GameOption, choices_of, describe_game, list_games
    from controller.box.choose import choose_box, choose_table
    from controller.box.choose_rigs import Rigs
    from controller.box.chosen import ChosenBox
    from controller.box.claim_dice import ClaimDice
    from controller.box.computer import leaves_pulses_on, own_computer
    from controller.box.deeds import CutPower, Deed, LaySet, PressButton, TakeSet, read_deed, words_of
    from controller.box.dice import load_dice
    from controller.box.faults import apply_faults, check_faults, fault_kinds, parse_faults
    from controller.box.fit import can_show, check_box, default_box_for, known_boxes
    from controller.box.hands import FaultForm, Hands, SimulatedView
    from controller.box.joined import join_mock_box
    from controller.box.mock_box import serve_mock_box
    from controller.box.mock_link import ask_mock_box
    from controller.box.orders import (
        LEAST_SHOTS,
        LEAST_VIEWS,
        LONGEST_LABEL,
        MOST_COLOURS,
        MOST_SHOTS,
        MOST_VIEWS,
        CameraOrder,
        DiceOrder,
        JobOrder,
        SelftestOrder,
        ServoOrder,
        WiringOrder,
    )
    from controller.box.real_firmware import switch_off
    from controller.box.rigs import CameraRig, DiceRig, OpenServoRig, ServoRig
    from controller.box.saved import load_real_camera, load_real_servos, previous_servos
    from controller.box.selftest import examine, run_selftest
    from controller.box.simulated import check_calibration, open_simulated_world, open_table_on, simulated_throw
    from controller.box.simulated_claims import ClaimOrder, Disturbance, SimulatedClaims
    from controller.box.simulated_rigs import end_errors_deg, open_simulated_servo_rig
    from controller.box.table import Table, camera_reads, targets
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "EVERY_GAME",
    "LEAST_SHOTS",
    "LEAST_VIEWS",
    "LONGEST_LABEL",
    "MOST_COLOURS",
    "MOST_SHOTS",
    "MOST_VIEWS",
    "CameraOrder",
    "CameraRig",
    "ChosenBox",
    "ClaimDice",
    "ClaimOrder",
    "CutPower",
    "Deed",
    "DiceOrder",
    "DiceRig",
    "Disturbance",
    "FaultForm",
    "GameEntry",
    "GameOption",
    "Hands",
    "JobOrder",
    "LaySet",
    "OpenServoRig",
    "PressButton",
    "Rigs",
    "SelftestOrder",
    "ServoOrder",
    "ServoRig",
    "SimulatedClaims",
    "SimulatedView",
    "Table",
    "TakeSet",
    "WiringOrder",
    "apply_faults",
    "ask_mock_box",
    "camera_reads",
    "can_show",
    "check_box",
    "check_calibration",
    "check_faults",
    "choices_of",
    "choose_box",
    "choose_table",
    "default_box_for",
    "describe_game",
    "end_errors_deg",
    "examine",
    "fault_kinds",
    "join_mock_box",
    "known_boxes",
    "leaves_pulses_on",
    "list_games",
    "load_dice",
    "load_real_camera",
    "load_real_servos",
    "open_simulated_servo_rig",
    "open_simulated_world",
    "open_table_on",
    "own_computer",
    "parse_faults",
    "previous_servos",
    "read_deed",
    "run_selftest",
    "serve_mock_box",
    "simulated_throw",
    "switch_off",
    "targets",
    "words_of",
]
