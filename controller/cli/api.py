"""`shutbox api`: the description of the API, for programs that make clients and for people who read it."""

import json as json_text
import sys

from controller.cli.options import Json
from controller.process import print_json
from controller.web import describe_api


def api(json: Json = False) -> None:
    """The API of the daemon as an OpenAPI 3.1 document; no daemon has to run."""
    described = describe_api()
    if json:
        print_json(described)
    else:
        sys.stdout.write(json_text.dumps(described, indent=1, ensure_ascii=False) + "\n")
