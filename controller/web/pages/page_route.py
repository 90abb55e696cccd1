"""The route of a page: its templates are compiled beside the loop, for who opens the first one in a language."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response

from controller.web.gate import GatedRoute
from controller.web.languages import language_of
from controller.web.pages.templates import compile_in
from controller.words import Language

_compiled: set[Language] = set()


class PageRoute(GatedRoute):
    """A gated route that draws by templates, and waits until they are there."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind the gate, and behind the templates."""
        handle = super().get_route_handler()

        async def handle_compiled(request: Request) -> Response:
            await have_compiled(language_of(request))
            return await handle(request)

        return handle_compiled


async def have_compiled(language: Language) -> None:
    """Have all templates of a language compiled, once, while tiles move on: that takes a tenth of a second or more."""
    if language not in _compiled:
        await asyncio.to_thread(compile_in, language)
        _compiled.add(language)
