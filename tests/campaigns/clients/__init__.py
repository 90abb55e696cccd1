"""Campaign of several clients at one daemon, over its socket: lost answers, repeated commands, restarts."""
