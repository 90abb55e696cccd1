"""Campaigns that try to break the box or measure it, over and over, and count what came of it."""
