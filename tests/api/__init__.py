"""A lane of its own: requests by chance, made of the description of the API, at every door of a box."""
