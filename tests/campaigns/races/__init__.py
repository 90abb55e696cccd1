"""Races of a demonstration and of a campaign over the API, and a bookkeeper of a race that hears its events alone."""
