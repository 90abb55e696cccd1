"""What makers of the box use and its owner does not need: training, benchmarks, evaluation, scenes."""
