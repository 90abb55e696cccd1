"""Memory cards that are mounted as folders, which not every machine lets one do."""

import pytest

from tests.campaigns.crashes.mount import NoMount, check_mount


def why_no_card() -> str:
    """What keeps this machine from mounting a card; empty if nothing does."""
    try:
        check_mount()
    except NoMount as error:
        return str(error)
    return ""


needs_card = pytest.mark.skipif(bool(why_no_card()), reason=why_no_card() or "a card can be mounted")
