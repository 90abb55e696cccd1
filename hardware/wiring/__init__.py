"""How a box is wired, as data and as a drawing: header pins, chips, parts, checklist, one SVG sheet."""
