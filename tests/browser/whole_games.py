"""Whether the lane plays whole games by chance, as `make test-browser` does, or short ones, as the suite does."""

import os

WHOLE_GAMES = bool(os.environ.get("WHOLE_GAMES"))
