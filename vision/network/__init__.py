"""Networks beside the pips: what a face shows, whether a die lies flat, where dice may lie."""
