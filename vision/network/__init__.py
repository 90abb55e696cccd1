"""Networks beside the pips: what a face shows, in a field or anywhere, whether a die lies flat, where dice may lie."""
