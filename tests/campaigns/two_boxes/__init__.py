"""Campaign `two-boxes`: two boxes play matches over a broker, and boxes, broker and network are cut at random."""
