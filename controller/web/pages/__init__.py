"""The pages that the box serves, with their templates and the files that these load beside them."""
