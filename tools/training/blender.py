"""Renders tables with Blender's path tracer: `PYTHON training/blender.py`, where PYTHON has `bpy` and NumPy 1.26.

Reads names of table files (`training.traced` writes them) from standard input, one a line, renders each beside itself
as a PNG and answers with a line. Apart from the package, because `bpy` and the package need different NumPys.
"""

import sys
from pathlib import Path
from typing import Any

import bpy
import mathutils
import numpy as np

_SAMPLES = 4  # its noise is that of a camera in a living room; 8 take twice as long
_SIZE_MM = 0.1  # Blender's unit is a centimetre here: its bevels and rays are tuned for such sizes


def render(path: Path) -> None:
    """Render one table file."""
    table = np.load(path, allow_pickle=False)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    _settings(scene, table)
    _camera(scene, table)
    _lights(scene, table)
    _ground(scene, table)
    for index in range(int(table["boxes"])):
        _mesh(scene, table, f"box{index}")
    for index in range(int(table["markers"])):
        _mesh(scene, table, f"marker{index}")
    for index in range(int(table["dice"])):
        _mesh(scene, table, f"die{index}")
    scene.render.filepath = str(path.with_suffix(".png"))
    bpy.ops.render.render(write_still=True)


def _settings(scene: Any, table: Any) -> None:
    width, height = (int(side) for side in table["size_px"])
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.cycles.device, scene.cycles.samples = "CPU", _SAMPLES
    scene.cycles.use_adaptive_sampling, scene.cycles.use_denoising = True, False
    # Light that has met two matt bodies adds no shape; clear dice need more surfaces than that.
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.transmission_bounces = 8, 2, 6
    scene.cycles.sample_clamp_indirect = 4.0
    # What is not near the field stays black: nobody looks at it.
    scene.render.use_border = True
    left, low, right, high = (float(part) for part in table["part"])
    scene.render.border_min_x, scene.render.border_max_x = left, right
    scene.render.border_min_y, scene.render.border_max_y = low, high


def _camera(scene: Any, table: Any) -> None:
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    width, height = table["size_px"]
    focal, across, down = table["lens"]
    camera.lens = focal * 36.0 / width
    camera.shift_x, camera.shift_y = (width / 2 - across - 0.5) / width, (down + 0.5 - height / 2) / width
    camera.clip_start, camera.clip_end = 0.1, 1000
    body = bpy.data.objects.new("camera", camera)
    body.matrix_world = mathutils.Matrix(table["camera"].tolist())
    body.location = body.location * _SIZE_MM
    scene.collection.objects.link(body)
    scene.camera = body


def _lights(scene: Any, table: Any) -> None:
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*table["sky"][:3], 1.0)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = float(table["sky"][3])
    scene.world = world
    for x, y, z, size, red, green, blue, power, aim_x, aim_y in table["lamps"]:
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.shape, lamp.size = "DISK", size * _SIZE_MM
        lamp.color, lamp.energy = (red, green, blue), power * _SIZE_MM**2
        body = bpy.data.objects.new("lamp", lamp)
        place = mathutils.Vector((x, y, z)) * _SIZE_MM
        body.location = place
        aim = mathutils.Vector((aim_x, aim_y, 0.0)) * _SIZE_MM - place
        body.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(body)


def _ground(scene: Any, table: Any) -> None:
    _plane(scene, table["wood"], table["wood_colour"], -1.0, (0.3, 0.8), 0.02)
    _plane(scene, table["cloth"], table["cloth_colour"], 0.0, tuple(table["grain"][:2]), float(table["grain"][2]))


def _plane(scene: Any, corners: Any, colours: Any, z: float, grain: tuple[float, float], bump: float) -> None:
    (left, near), (right, far) = corners
    mesh = bpy.data.meshes.new("plane")
    places = [(left, near, z), (right, near, z), (right, far, z), (left, far, z)]
    mesh.from_pydata([tuple(part * _SIZE_MM for part in place) for place in places], [], [(0, 1, 2, 3)])
    body = bpy.data.objects.new("plane", mesh)
    scene.collection.objects.link(body)
    material, nodes, link, shader = _material("cloth")
    where = nodes.new("ShaderNodeTexCoord")
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = grain[1] / _SIZE_MM, 4.0
    link(where.outputs["Object"], noise.inputs["Vector"])
    mix = nodes.new("ShaderNodeMixRGB")
    mix.inputs["Color1"].default_value, mix.inputs["Color2"].default_value = (
        (*colours[0], 1.0),
        (*colours[1], 1.0),
    )
    ramp = nodes.new("ShaderNodeMapRange")
    ramp.inputs["From Min"].default_value, ramp.inputs["From Max"].default_value = 0.3, 0.7
    ramp.inputs["To Max"].default_value = grain[0]
    link(noise.outputs["Fac"], ramp.inputs["Value"])
    link(ramp.outputs["Result"], mix.inputs["Fac"])
    link(mix.outputs["Color"], shader.inputs["Base Color"])
    rise = nodes.new("ShaderNodeBump")
    rise.inputs["Strength"].default_value, rise.inputs["Distance"].default_value = min(1.0, 20 * bump), bump
    link(noise.outputs["Fac"], rise.inputs["Height"])
    link(rise.outputs["Normal"], shader.inputs["Normal"])
    shader.inputs["Roughness"].default_value = 0.95
    mesh.materials.append(material)


def _material(name: str) -> tuple[Any, Any, Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    return material, tree.nodes, tree.links.new, tree.nodes["Principled BSDF"]


def _mesh(scene: Any, table: Any, name: str) -> None:
    """A body of quads with a texture (n, h, w, 4) for each of n faces; alpha is 1 where ink lies."""
    places, quads, uvs = (table[f"{name}/{part}"] for part in ("places", "quads", "uvs"))
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(places))
    mesh.vertices.foreach_set("co", (places * _SIZE_MM).astype(np.float32).ravel())
    mesh.loops.add(quads.size)
    mesh.loops.foreach_set("vertex_index", quads.astype(np.int32).ravel())
    mesh.polygons.add(len(quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    mesh.update(calc_edges=True)
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", uvs[quads.ravel()].astype(np.float32).ravel())
    for index, skin in enumerate(table[f"{name}/skins"]):
        mesh.materials.append(_skin(f"{name}/{index}", skin, table[f"{name}/gloss"]))
    mesh.polygons.foreach_set("material_index", table[f"{name}/faces"].astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.full(len(quads), bool(table[f"{name}/gloss"][3])))
    scene.collection.objects.link(bpy.data.objects.new(name, mesh))


def _skin(name: str, skin: Any, gloss: Any) -> Any:
    height, width = skin.shape[:2]
    image = bpy.data.images.new(name, width, height, alpha=True)
    image.alpha_mode = "CHANNEL_PACKED"
    image.pixels.foreach_set(np.ascontiguousarray(skin[::-1].astype(np.float32) / 255).ravel())
    image.update()
    material, nodes, link, shader = _material(name)
    picture = nodes.new("ShaderNodeTexImage")
    picture.image, picture.extension = image, "EXTEND"
    link(picture.outputs["Color"], shader.inputs["Base Color"])
    rough, clear, coat, _ = (float(part) for part in gloss)
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Coat Weight"].default_value = coat
    shader.inputs["IOR"].default_value = 1.49
    if clear > 0:
        share = nodes.new("ShaderNodeMapRange")
        share.inputs["To Min"].default_value, share.inputs["To Max"].default_value = clear, 0.0
        link(picture.outputs["Alpha"], share.inputs["Value"])
        link(share.outputs["Result"], shader.inputs["Transmission Weight"])
    return material


if __name__ == "__main__":
    for line in sys.stdin:
        render(Path(line.strip()))
        print("rendered", line.strip(), flush=True)
