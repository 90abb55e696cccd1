"""Install the program on a box, and replace one version with another, as lists of small effects."""
