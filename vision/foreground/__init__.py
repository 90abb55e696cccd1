"""Foreground: whatever on the baize is no cloth, and intrusions across its edge."""
