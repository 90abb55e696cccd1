"""The daemon's door: state, commands and snapshots over HTTP and WebSocket. The web framework lives here."""
