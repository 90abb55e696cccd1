"""The description of the API in the form of OpenAPI 3.1, made of the routes, their roles and their examples."""

import asyncio
import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from inspect import getdoc
from typing import Any

from fastapi import APIRouter, FastAPI, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from controller.web.api import (
    access,
    box,
    evening,
    games,
    history,
    job,
    metrics,
    odds,
    pictures,
    restore,
    seats,
    settings,
    simulated,
    state,
    statistics,
    throw,
)
from controller.web.api.examples import example_of, refusal_examples
from controller.web.refusals import REFUSALS, Refusal
from controller.web.roles import WEBSOCKET, Least, least_role, reaches
from controller.web.security.principal import AuthorizedRoute

_TOKEN = "token"  # noqa: S105  the name of the scheme
_WHO: Mapping[Least, str] = {
    "spectator": "For everybody.",
    "player": "For players, with the token of a seat, and for operators.",
    "operator": "For operators.",
    "terminal": "For the box's own terminal, which is its Unix socket.",
}

router = APIRouter(route_class=AuthorizedRoute)

# In the order of the document.
_NOUNS = (
    state,
    seats,
    access,
    games,
    odds,
    history,
    evening,
    statistics,
    settings,
    pictures,
    throw,
    box,
    restore,
    simulated,
    job,
    metrics,
)
ROUTERS = (*(noun.router for noun in _NOUNS), router)


@router.get("/api/openapi.json", response_class=JSONResponse)
async def openapi() -> Response:
    """The OpenAPI 3.1 document of this API."""
    return Response(await asyncio.to_thread(_as_json), media_type="application/json")


def describe_api() -> dict[str, Any]:
    """Return the whole API as an OpenAPI document. No box is needed: only the routes are read."""
    websocket = (
        f"**{state.PATH} is a WebSocket.** {getdoc(state.snapshots)} A token is sent in the header of the"
        f" handshake; once it is no longer valid, the connection is closed (1008). Each message is one `Snapshot`, as"
        f" `GET /api/state` returns it; clients send nothing."
        f" {_WHO[least_role(WEBSOCKET, state.PATH)]}"
    )
    app = FastAPI(
        title="shutbox",
        version=version("shutbox"),
        summary="An automated Shut the Box table: games, dice, tiles and all that is known of them.",
        description=(
            "Snapshots contain everything there is to know about the table; commands change it. Every refusal has the"
            " shape of `Refusal`. Each address says which role may use it; at the Unix socket of the box everybody is"
            f" an operator.\n\n{websocket}"
        ),
        generate_unique_id_function=lambda route: route.name,
    )
    for each in ROUTERS[:-1]:
        app.include_router(each)
    # Only here: declared for every status of every route, the framework would keep a validator for each, which takes
    # 300 kB of memory.
    app.include_router(router, responses={"default": {"model": Refusal}})
    document = app.openapi()
    refused = _declare_refusals(document)
    for each in ROUTERS:
        for route in each.routes:
            if isinstance(route, APIRoute):
                for method in route.methods or ():
                    operation, least = document["paths"][route.path][method.lower()], least_role(method, route.path)
                    operation["description"] = f"{operation.get('description', '')}\n\n{_WHO[least]}".strip()
                    operation["summary"] = operation["description"].partition("\n")[0]
                    operation["x-role"] = least
                    operation["security"] = [{_TOKEN: []}] if reaches(least, "player") else [{}, {_TOKEN: []}]
                    # The tag is the noun of the address: the file of its route, unless the route names another.
                    operation["tags"] = operation.pop("tags", [route.endpoint.__module__.rpartition(".")[2]])
                    if (example := example_of(route.endpoint)) is not None:
                        example.put_into(operation)
                    operation["responses"] |= refused
    return document


@cache
def _as_json() -> bytes:
    return json.dumps(describe_api(), ensure_ascii=False, separators=(",", ":")).encode()


def _declare_refusals(document: dict[str, Any]) -> dict[str, Any]:
    """Declare the refusing answers once; return references to them by status, for every route."""
    components, examples = document["components"], refusal_examples()
    components["securitySchemes"] = {
        _TOKEN: {"type": "http", "scheme": "bearer", "description": "The token of a seat, or of an operator."}
    }
    for unused in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(unused, None)  # the framework's own shape, which is never answered
    shape = document["paths"]["/api/openapi.json"]["get"]["responses"].pop("default")["content"]["application/json"]
    components["responses"] = {
        f"Refused{status}": {
            "description": meaning,
            "content": {"application/json": {**shape, "example": examples.get(str(status))}},
        }
        for status, meaning in REFUSALS.items()
    }
    return {str(status): {"$ref": f"#/components/responses/Refused{status}"} for status in REFUSALS}
