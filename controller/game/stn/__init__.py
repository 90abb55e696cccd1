"""Games as text (STN, the Shut the Box notation): written, read back, and a position as one line."""
