"""The card of a box, booted in systemd-nspawn: make test-card."""
