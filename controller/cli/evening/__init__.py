"""`shutbox evening`: many matches on one or several boxes, each played as any game is. docs/howto/evening.md."""
