"""Names for arrays of NumPy by what they hold."""

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Real32 = NDArray[np.float32]
Flags = NDArray[np.bool_]

Place = NDArray[np.float64]
"""One place: its x and y, (2,)."""

Places = NDArray[np.float64]
"""Places as rows of x and y: (n, 2)."""

Grey = NDArray[np.uint8]
"""A grey picture: (h, w)."""

Mask = NDArray[np.uint8]
"""A mask (h, w) of 0 and 1."""
