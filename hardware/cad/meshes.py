"""Solids as closed triangle meshes: for STL files, for collisions and for pictures."""

import numpy as np
from build123d import Location, Part
from manifold3d import Manifold, Mesh
from numpy.typing import NDArray
from trimesh import Trimesh

# A chord leaves its arc by no more than this, in mm; a printer's nozzle is twenty times as wide.
_CHORD_MM, _ANGLE_RAD = 0.02, 0.2

Floats = NDArray[np.float64]


def mesh_of(solid: Part) -> Trimesh:
    """Return a solid's mesh: equal vertices are one, so that a closed solid has a closed mesh."""
    vertices, faces = solid.tessellate(_CHORD_MM, _ANGLE_RAD)
    mesh = Trimesh([tuple(vertex) for vertex in vertices], faces, process=False)
    mesh.merge_vertices(digits_vertex=5)
    mesh.update_faces(mesh.nondegenerate_faces(height=1e-7))
    return mesh


def manifold_of(mesh: Trimesh) -> Manifold:
    """Return the mesh as a body for collisions. Raises `ValueError` if it is not closed."""
    body = Manifold(Mesh(np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32)))
    if body.is_empty():
        raise ValueError(f"not closed: {body.status()}")
    return body


def matrix_of(at: Location) -> Floats:
    """Return a place as a 4 x 4 matrix."""
    values = at.wrapped.Transformation()
    rows = [[values.Value(row, column) for column in range(1, 5)] for row in range(1, 4)]
    return np.array([*rows, [0.0, 0.0, 0.0, 1.0]])
