"""Pages that look back: the games that were played, one of them throw by throw, its players, and the dice."""
