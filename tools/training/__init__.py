"""How the weights of the face network are made. Not part of the package; see README.md."""
