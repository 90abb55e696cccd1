"""Plays a whole game alone over the API: `python tools/play.py /run/shutbox/shutbox.sock` (docs/reference/api.md)."""

import asyncio
import json
import sys
from uuid import uuid4

import httpx
from websockets.asyncio.client import unix_connect


async def play(socket: str) -> str:
    """Begin a game at the box that listens at this Unix socket, and play it to its end; how it ended, in words."""
    # The ten lines.
    async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(uds=socket), base_url="http://box") as box:
        start = {"do": "start", "game": "pub", "options": {"first": "chosen"}, "players": [{"name": "Robot"}]}
        (await box.post("/api/commands", json=start)).raise_for_status()
        async with unix_connect(socket, "ws://box/api/snapshots") as snapshots:
            while (now := json.loads(await snapshots.recv()))["phase"] != "ended":
                can = {action["kind"] for action in now["actions"]} & {"roll", "choose", "accept"}
                for do in can:  # never two of them at once; what comes too late is refused, and that is no mistake
                    more = {"tiles": now["moves"][0]} if do == "choose" else {}
                    ids = {"game_id": now["game_id"], "event": now["event"], "key": uuid4().hex}
                    await box.post("/api/commands", json={"do": do, **ids, **more})
    return str(now["say"])


if __name__ == "__main__":
    print(asyncio.run(play(sys.argv[1])))
