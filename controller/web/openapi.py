"""The description of the API in the form of OpenAPI 3.1."""

from typing import Any

from fastapi import APIRouter, Request

from controller.web.gate import GatedRoute

router = APIRouter(route_class=GatedRoute)


@router.get("/api/openapi.json")
async def openapi(request: Request) -> dict[str, Any]:
    """This description."""
    described: dict[str, Any] = request.app.openapi()
    return described
