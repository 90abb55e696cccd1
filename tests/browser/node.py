"""What the lane runs in Node: the packages that tests/browser/package-lock.json pins."""

import shutil
from pathlib import Path

NODE = shutil.which("node")
HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules"
AXE = PACKAGES / "axe-core" / "axe.min.js"
TSC = PACKAGES / "typescript" / "bin" / "tsc"
NEEDS_PACKAGES = "needs the packages of tests/browser/package.json: apt install npm, then make lanes"
