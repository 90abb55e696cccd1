"""The games in which tiles are shut."""
