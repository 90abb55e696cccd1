"""The errors of campaigns."""

from controller.errors import ShutboxError


class BadTrial(ShutboxError):
    """A name or number that none of a campaign's trials has."""

    code = "C-314"
