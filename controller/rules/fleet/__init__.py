"""The rules of Fleet! and Flash! (S003) as a library: dice, combinations, cards, claims. Standard library only."""
