"""Decides: rules, game, journal, referee, web, daemon and command line."""
