"""A lane of its own: pages of strangers in a real Chromium, which try to read and to change a box.

It needs Debian's `chromium` and, by a list of its own, playwright.
"""
