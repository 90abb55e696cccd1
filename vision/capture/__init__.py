"""Pictures from a camera, a film or a file, and whether they are too dark, too bright or too blurred to be read."""
