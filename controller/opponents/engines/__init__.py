"""Engines: programs that choose for a player, each a process of its own. docs/reference/engine.md is their manual."""
