"""Learning by playing: the page that begins a lesson, and the explanations at each moment of it."""
