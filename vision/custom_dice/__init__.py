"""Custom dice, whose faces are not pips: shown (`teaching`), learnt (`learning`), stored and read."""
