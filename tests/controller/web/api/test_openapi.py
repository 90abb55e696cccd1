"""The description of the API: valid, complete, with examples that the routes would take and give."""

from typing import Any

from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from controller.web.api.state import PATH
from controller.web.app import ROUTES as SERVED
from controller.web.refusals import REFUSALS, UPLOAD
from controller.web.roles import LEAST, WEBSOCKET
from tests.support.routes import addresses, description
from tests.support.together import together

# Pages are for people and are not described to programs.
OF_PAGES = set(addresses(route for route in SERVED if not getattr(route, "include_in_schema", True)))
ROUTES = sorted(address for address in LEAST if address[0] != WEBSOCKET and address not in OF_PAGES)
# One takes a file, and two nothing.
_NO_JSON = (UPLOAD, ("POST", "/api/restart"), ("POST", "/api/throw/second-look"))
BODIES = [address for address in ROUTES if address[0] in ("POST", "PUT", "PATCH") and address not in _NO_JSON]


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = description()["paths"][path][method.lower()]
    return found


def examples_in(told: dict[str, Any]) -> list[object]:
    """The examples of what is sent or answered: one, or one of each kind."""
    return [each["value"] for each in told["examples"].values()] if "examples" in told else [told["example"]]


def complaints(schema: dict[str, Any], example: object) -> list[str]:
    """What is wrong with an example, by the schema that the document has for it."""
    whole = {**schema, "components": description()["components"]}
    return [error.message for error in Draft202012Validator(whole).iter_errors(example)]


def test_it_is_valid() -> None:
    assert description()["openapi"].startswith("3.1.")
    validate(description())


def test_every_address_of_the_table_is_described_and_no_other() -> None:
    described = {(method.upper(), path) for path, methods in description()["paths"].items() for method in methods}
    assert described == set(ROUTES)
    assert PATH in description()["info"]["description"]


def test_operations_have_names_of_their_own() -> None:
    names = [operation(*address)["operationId"] for address in ROUTES]
    assert len(set(names)) == len(names)


@together("address", ROUTES)
def test_a_route_tells_its_role_and_every_answer_that_refuses(address: tuple[str, str]) -> None:
    told = operation(*address)
    assert told["x-role"] == LEAST[address]
    assert set(map(str, REFUSALS)) <= set(told["responses"])
    assert {"422": "#/components/responses/Refused422"}.items() <= {
        status: answer.get("$ref") for status, answer in told["responses"].items()
    }.items()


@together("address", ROUTES)
def test_a_route_has_examples_of_what_it_answers_and_of_its_address(address: tuple[str, str]) -> None:
    told = operation(*address)
    for parameter in told.get("parameters", ()):
        assert not complaints(parameter["schema"], parameter["example"])
    answer = told["responses"].get("200", {}).get("content", {}).get("application/json", {})
    if answer.get("schema"):
        for example in examples_in(answer):
            assert not complaints(answer["schema"], example)


@together("address", BODIES)
def test_a_route_has_an_example_of_what_it_takes(address: tuple[str, str]) -> None:
    body = operation(*address)["requestBody"]["content"]["application/json"]
    for example in examples_in(body):
        assert not complaints(body["schema"], example)
    assert complaints(body["schema"], {"no such": "field"})


def test_the_one_route_that_takes_a_file_says_so() -> None:
    assert operation(*UPLOAD)["requestBody"]["content"].keys() == {"application/gzip"}


def test_refusals_have_one_shape() -> None:
    for status in REFUSALS:
        answer = description()["components"]["responses"][f"Refused{status}"]["content"]["application/json"]
        assert answer["schema"] == {"$ref": "#/components/schemas/Refusal"}
        assert not complaints(answer["schema"], answer["example"])
