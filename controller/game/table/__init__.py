"""The table: whatever is played there, who may do what, and the snapshot of it."""
