"""What games of every family have in common."""
