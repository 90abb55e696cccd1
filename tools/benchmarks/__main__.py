"""`make bench`: every benchmark, one line each."""

from tools.benchmarks import camera, first_page, odds, rules, taught, turns, vision

if __name__ == "__main__":
    rules.main()
    odds.main()
    turns.main()
    vision.main()
    camera.main(10)
    taught.main(50)
    first_page.main()
