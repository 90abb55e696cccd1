"""The route of a page: its templates are compiled in a thread when the first page in a language is opened."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response

from controller.settings import Language
from controller.web.gate import AuthorizedRoute
from controller.web.languages import language_of
from controller.web.pages.templates import compile_in

_compiled: set[Language] = set()


class PageRoute(AuthorizedRoute):
    """An authorized route that waits until its templates are compiled."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_compiled(request: Request) -> Response:
            await ensure_compiled(language_of(request))
            return await handle(request)

        return handle_compiled


async def ensure_compiled(language: Language) -> None:
    """Compile all templates of a language once, in a thread: it takes a tenth of a second or more."""
    if language not in _compiled:
        await asyncio.to_thread(compile_in, language)
        _compiled.add(language)
