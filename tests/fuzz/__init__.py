"""A lane of its own: bytes at every reader of what comes from outside, made by chance and guided by coverage.

`make fuzz` starts `__main__`, a process for each of the `targets`. What it found lies in `seeds`, which a test of the
suite has read again.
"""
