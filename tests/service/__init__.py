"""The service's lane: the units of systemd/ under a real systemd, in Debian trees that boot in systemd-nspawn.

`make test-service` makes the trees, installs the program into them and starts these tests, in real time.
"""
