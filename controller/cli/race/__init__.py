"""A race at the terminal: typed lines, hints, drawings."""
