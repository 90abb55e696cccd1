"""Writes a trained network as ONNX, with operators that the dnn modules of OpenCV 4.11 and 5 read."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from training.net import EPSILON, Shape, Weights

_OPSET = 11


def save(shape: Shape, plain: dict[str, tuple[np.ndarray, np.ndarray]], path: Path) -> None:
    """Write folded weights: input (n, 6, side, side), output (n, classes, 1, 1) logits."""
    nodes, flow, short = [], "crops", ""
    for name, kernel, stride, padding, _, _ in shape.layers:
        nodes.append(
            helper.make_node(
                "Conv",
                [flow, f"{name}_kernel", f"{name}_bias"],
                [f"{name}_sum"],
                kernel_shape=[kernel, kernel],
                strides=[stride, stride],
                pads=[padding] * 4,
            )
        )
        flow = f"{name}_sum"
        if name == "two":
            nodes.append(helper.make_node("Add", [flow, short], ["two_added"]))
            flow = "two_added"
        if name != "last":
            nodes.append(helper.make_node("Relu", [flow], [name]))
            flow = name
        if name == "down":
            short = flow
    _write(shape, nodes, flow, plain, path)


def load(shape: Shape, path: Path) -> tuple[Weights, Weights]:
    """The weights of a file that `save` wrote, and running figures that change nothing: normalising is folded in."""
    stored = {each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    weights: Weights = {}
    running: Weights = {}
    for name, *_, outward in shape.layers:
        kernel, bias = stored[f"{name}_kernel"].transpose(2, 3, 1, 0), stored[f"{name}_bias"]
        weights[name] = {"kernel": np.array(kernel), "bias": np.array(bias)}
        if name != "last":
            weights[name]["gain"] = np.ones(outward, np.float32)
            running[name] = {
                "mean": np.zeros(outward, np.float32),
                "spread": np.full(outward, 1 - EPSILON, np.float32),
            }
    return weights, running


def _write(
    shape: Shape,
    nodes: list[onnx.NodeProto],
    output: str,
    plain: dict[str, tuple[np.ndarray, np.ndarray]],
    path: Path,
) -> None:
    stored = [
        numpy_helper.from_array(values, f"{name}_{part}")
        for name, pair in plain.items()
        for part, values in zip(("kernel", "bias"), pair, strict=True)
    ]
    shown = [helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", 6, shape.side_px, shape.side_px])]
    given = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", shape.classes, 1, 1])]
    graph = helper.make_graph(nodes, "dice", shown, given, stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = 6
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
