"""The rules as a library: boards, throws, moves, scores. Standard library only; every value is immutable."""
