"""A lane of its own: pages in a real Chromium, those of the table and those of strangers who try to read and change it.

It needs Debian's `chromium`, by a list of its own playwright, and by another one axe-core and TypeScript in Node.
"""
