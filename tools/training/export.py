"""Writes a trained network as ONNX, with operators that the dnn modules of OpenCV 4.11 and 5 read."""

from pathlib import Path

import onnx
from onnx import TensorProto, helper, numpy_helper

from tools.training.net import Plain, Shape

_OPSET = 11


def save(shape: Shape, plain: Plain, path: Path) -> None:
    """Write folded weights: input (n, planes, side, side), output (n, classes, 1, 1) logits."""
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


def load(shape: Shape, path: Path) -> Plain:
    """The folded weights of a file that `save` wrote, for this shape or for one of fewer channels."""
    stored = {each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    return {name: (stored[f"{name}_kernel"], stored[f"{name}_bias"]) for name, *_ in shape.layers}


def _write(shape: Shape, nodes: list[onnx.NodeProto], output: str, plain: Plain, path: Path) -> None:
    stored = [
        numpy_helper.from_array(values, f"{name}_{part}")
        for name, pair in plain.items()
        for part, values in zip(("kernel", "bias"), pair, strict=True)
    ]
    shown = [
        helper.make_tensor_value_info("crops", TensorProto.FLOAT, ["n", shape.planes, shape.side_px, shape.side_px])
    ]
    given = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", shape.classes, 1, 1])]
    graph = helper.make_graph(nodes, "dice", shown, given, stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = 6
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
