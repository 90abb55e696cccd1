"""An engine that shuts the highest tiles that fit."""

import sys

for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("hello 1 Highest", flush=True)
    elif word == "position":
        board, turn, dice = rest.split(" ; ")
        standing = [int(tile) for tile in board.split("} ")[1].split() if tile != "."]
    elif word == "go" and "dice=" in rest:
        print("best dice", rest.split("dice=")[1][0], flush=True)
    elif word == "go":
        sets = {0: ""}
        for tile in sorted(standing, reverse=True):
            for total, tiles in list(sets.items()):
                sets.setdefault(total + tile, tiles + str(tile))
        print("best", sets[sum(map(int, dice))], flush=True)
