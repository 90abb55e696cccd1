"""The checks that every request passes before the application sees it: host, origin, kind and size of the body."""
