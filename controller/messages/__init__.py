"""What people read, in the language of each: sentences of the game, labels of pages, names of games and faults."""
