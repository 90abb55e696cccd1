"""`shutbox api`: the description of the API, for programs that make clients and for people who read it."""

from controller.cli.options import Json
from controller.process import print_document, print_json
from controller.web import describe_api


def api(json: Json = False) -> None:
    """The API of the daemon as an OpenAPI 3.1 document; no daemon has to run."""
    (print_json if json else print_document)(describe_api())
