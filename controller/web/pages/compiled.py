"""Compiled templates, kept where Python keeps its own: whoever can change one can change the other."""

import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from stat import S_IMODE

from jinja2.bccache import Bucket, FileSystemBytecodeCache


class CompiledBeside(FileSystemBytecodeCache):
    """A cache beside the compiled files of this package. Where Python writes none, because it cannot or should not,
    this writes none either.
    """

    def __init__(self) -> None:
        super().__init__(str(Path(cache_from_source(__file__)).parent), "%s.template")

    def get_cache_key(self, name: str, _filename: str | None = None) -> str:
        """Return the key of a template, which stays the same where the package is moved."""
        return super().get_cache_key(name)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, for everybody who can read this module."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)
                Path(self.directory, self.pattern % bucket.key).chmod(S_IMODE(Path(__file__).stat().st_mode))
