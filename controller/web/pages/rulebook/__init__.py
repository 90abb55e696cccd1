"""Pages of the rules of every game, in sentences and drawings made from its options."""
