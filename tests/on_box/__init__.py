"""A real box tested with a person beside it: `pytest -m box` asks, measures, and writes the report from hardware."""
