"""Campaigns of chance: games looked back on by the exact odds, and the verdict on dice that are fair or loaded."""
