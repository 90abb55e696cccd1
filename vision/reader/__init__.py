"""A picture becomes a reading: regions are read, dice checked for leaning, and whatever is in doubt is refused."""
