"""Dice without pips: how they are shown, learnt, kept and read again."""
