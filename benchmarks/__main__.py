"""`make bench`: every benchmark, one line each."""

from benchmarks import odds, pictures, rules

if __name__ == "__main__":
    rules.main()
    odds.main()
    pictures.main()
