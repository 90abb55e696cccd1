"""What the watcher is made of: fresh frames, rest, agreement, and what lies there already."""
