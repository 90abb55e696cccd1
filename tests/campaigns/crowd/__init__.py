"""Campaign of a daemon in the network: many watchers, players, and a stranger who tries to keep the box from them."""
