"""`shutbox api`: the description of the API, for people and for programs that make clients."""

from controller.cli.options import Json
from controller.process.output import print_document, print_json
from controller.web.openapi import describe_api


def api(json: Json = False) -> None:
    (print_json if json else print_document)(describe_api())
