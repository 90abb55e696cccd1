"""The pages by which an operator looks after the box."""
