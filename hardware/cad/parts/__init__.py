"""The parts of the box: a file for each kind, each part as a solid with its material and how it is made."""
