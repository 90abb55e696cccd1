"""The simulated camera (`camera`) renders a `scene`."""
