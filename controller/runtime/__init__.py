"""Parts of any process, independent of games: clock, threads, signals, locks, the terminal."""
