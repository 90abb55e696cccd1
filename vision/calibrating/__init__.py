"""The camera measured: a printed sheet in view after view, exposure, and whether it still hangs where it did."""
