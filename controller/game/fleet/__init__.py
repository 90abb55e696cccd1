"""Races with dice: Fleet!, Flash! and their variants."""
