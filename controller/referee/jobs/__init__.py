"""Jobs that the box does by itself in each phase: their choice, their work and their outcomes."""
