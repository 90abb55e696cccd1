"""The system's Chromium: where it is, and how it is started."""

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

CHROMIUM = shutil.which("chromium")
NEEDS_CHROMIUM = "needs Chromium: apt install chromium"
# Both stand for this computer; in the second one's name, a stranger has led the browser to the box.
STRANGER, REBOUND_NAME = "stranger.example", "rebound.example"
PROXIED = "shutbox.home.arpa"  # a box behind a proxy


def launch(playwright: "Playwright") -> "Browser":
    """Start it; for root, as on continuous integration, without a sandbox that it would not get."""
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in (STRANGER, REBOUND_NAME, PROXIED))
    arguments = [f"--host-resolver-rules={rules}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
