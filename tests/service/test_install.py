"""`shutbox install` in a plain Debian: repeatable, and undone without a trace."""

from tests.service.conftest import Installation

# Debian's own tools keep a copy of each file of accounts that they change, and the lock by which they take turns. A
# tree that was only unpacked has no shadow files: they make them.
_OF_DEBIAN = {f"etc/{name}-" for name in ("passwd", "group", "shadow", "gshadow")} | {"etc/.pwd.lock"}
_OF_DEBIAN |= {"etc/shadow", "etc/gshadow"}


def test_the_undo_leaves_the_tree_as_it_was(installation: Installation) -> None:
    names = (installation.before.keys() | installation.after_undo.keys()) - _OF_DEBIAN
    changed = {
        name: (installation.before.get(name), installation.after_undo.get(name))
        for name in sorted(names)
        if installation.before.get(name) != installation.after_undo.get(name)
    }
    assert changed == {}


def test_said_again_it_changes_nothing(installation: Installation) -> None:
    assert "nothing" in installation.said_again
