"""`python -m tools.reference FOLDER`: write the reference into a folder, and remove what is no longer made."""

import sys
from pathlib import Path

from tools.reference.files import write_pages
from tools.reference.pages import reference_pages


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.reference FOLDER")
    folder, pages = Path(sys.argv[1]), reference_pages()
    write_pages(folder, pages)
    print(f"{len(pages)} pages in {folder}")


if __name__ == "__main__":
    main()
