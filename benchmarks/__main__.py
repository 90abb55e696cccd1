"""`make bench`: every benchmark, one line each."""

from benchmarks import odds, pictures, rules, turns

if __name__ == "__main__":
    rules.main()
    odds.main()
    turns.main()
    pictures.main()
