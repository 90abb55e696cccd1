"""`make bench`: every benchmark, one line each."""

from benchmarks import pictures, rules

if __name__ == "__main__":
    rules.main()
    pictures.main()
