"""Brings rules, metal and players together: takes every command, and is the only writer of the game and its journal."""
