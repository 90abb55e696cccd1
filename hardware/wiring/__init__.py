"""The wiring of a box: its wires as data, parts list, checklist for the first power-up, and one SVG sheet."""
