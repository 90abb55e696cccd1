"""The parts of the table that a page draws, as plain values: tiles and marks, dice and their luck, moves, seats."""
