"""The pages by which an operator sets up, tests and looks after the box."""
