"""Campaign that tries from outside whether anything is lost that the box has acknowledged."""
