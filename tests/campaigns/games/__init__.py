"""Campaigns of whole games: amid breakage, every halt and answer, power cuts, things taken back, thousands in a row."""
