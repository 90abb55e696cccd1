"""The table as pages show it: the audiences, the view of a moment for each, and its parts, drawn once per audience."""
