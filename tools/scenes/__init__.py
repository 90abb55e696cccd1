"""Scenes by chance, for test pictures and for training."""
