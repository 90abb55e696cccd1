"""Choices in a game, before and after: house players, answers about odds, look-backs on games, fairness of dice."""
