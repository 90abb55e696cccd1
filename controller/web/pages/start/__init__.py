"""The page on which a game is started: every game, the options of one, and its players."""
