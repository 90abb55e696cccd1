"""The games of the Shut the Box family: their options and presets, legal moves and scores."""
