"""A connection to an MQTT broker that may lie, flood, drop or say nothing: it is opened again for ever."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.settings import Bridge
from controller.web.security.rates import Bucket, Rate

# The broker gives a client up at the latest so long after its last word: 1.5 times this, by MQTT 5, 3.1.2.10.
KEEPALIVE_S = 15
MOST_BYTES = 4096  # of a message to this box
# Of all messages together so many are heard at once, and one more each second.
_HEARD = Rate(at_once=5, per_s=1)
_FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0  # between tries, each twice the one before
_LASTING_S = 30.0  # after which a connection that ends was a good one
_PATIENCE_S = 10.0
_AGAIN_S = 0.1  # until a task that has overheard its end is ended again
_TAKEN_OVER = 142  # MQTT 5, 3.14.2.1: "Session taken over"

_log = logging.getLogger(__name__)


async def stay_connected(
    settings: Bridge,
    name: str,
    talk: "Callable[[CarefulClient], Awaitable[None]]",
    *,
    will: aiomqtt.Will | None = None,
    longest_wait_s: float = LONGEST_WAIT_S,
) -> None:
    """Let `talk` talk to the broker on one connection after the other. name: of this client, at the broker.

    Raises nothing but what `tls_of` and `password_of` do, at once.
    """
    password, tls, wait_s = password_of(settings), tls_of(settings), _FIRST_WAIT_S
    now_s = asyncio.get_running_loop().time
    while True:
        began_s, client = now_s(), _make_client(settings, name, will, password, tls)
        try:
            async with client:
                _log.info("connected broker=%s", settings.host)
                _check_stopped()
                await talk(client)
        except (aiomqtt.MqttError, OSError, ValueError) as error:
            _check_stopped(error)
            wait_s = _FIRST_WAIT_S if now_s() - began_s > _LASTING_S else wait_s
            why = client.reason or error
            if client.was_taken_over:
                why, wait_s = f"another box has the name {name}; set name under [bridge]", longest_wait_s
            _log.warning("no broker broker=%s error=%s again_in_s=%g", settings.host, why, wait_s)
        finally:
            client.close()
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, longest_wait_s)


async def run_both(*jobs: Awaitable[None]) -> None:
    """Run jobs until one of them ends or fails, and end the others. Raises what the first one does.

    A group of tasks would lose a stop that comes together with an error.
    """
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            each.result()
    finally:
        while pending := [each for each in tasks if not each.done()]:
            for each in pending:
                each.cancel()
            await asyncio.wait(pending, timeout=_AGAIN_S)
        await asyncio.gather(*tasks, return_exceptions=True)


class Hearing:
    """Says which of many messages are heard. Lifetime: as one connection."""

    def __init__(self) -> None:
        self._now_s = asyncio.get_running_loop().time
        self._bucket = Bucket(_HEARD, self._now_s())

    def admits(self) -> bool:
        """Return True if the message that has come is to be heard."""
        if self._bucket.wait_s(self._now_s()):
            return False
        self._bucket.take(1)
        return True


def _make_client(
    settings: Bridge, name: str, will: aiomqtt.Will | None, password: str | None, tls: ssl.SSLContext | None
) -> "CarefulClient":
    properties = Properties(PacketTypes.CONNECT)
    properties.MaximumPacketSize = MOST_BYTES
    return CarefulClient(
        settings.host,
        settings.port,
        username=settings.user or None,
        password=password,
        identifier=f"shutbox_{name}",
        protocol=aiomqtt.ProtocolVersion.V5,
        properties=properties,
        will=will,
        keepalive=KEEPALIVE_S,
        timeout=_PATIENCE_S,
        tls_context=tls,
        max_queued_incoming_messages=20,
        max_queued_outgoing_messages=20,
        logger=_quiet(),
    )


def _check_stopped(error: BaseException | None = None) -> None:
    """Stop, if somebody has said so: `asyncio.wait_for` of Python 3.11 forgets it where what it waits for comes too."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from error


class CarefulClient(aiomqtt.Client):  # type: ignore[misc]
    """A client of the library that a hostile broker cannot fill, nor leave with a connection that nobody closes.

    Relies on methods of paho-mqtt 2: `_sock_recv`, by which it asks for the rest of a packet as soon as it knows how
    long that is, `loop_read`, which aiomqtt calls whenever there is something, and `_sock_close`.
    """

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        receive, read = self._client._sock_recv, self._client.loop_read

        def receive_little(most_bytes: int) -> bytes:
            if most_bytes > MOST_BYTES:
                raise ConnectionError(f"a message of {most_bytes} bytes")
            found: bytes = receive(most_bytes)
            return found

        def read_or_close() -> None:
            try:
                read()
            except Exception:
                # What cannot be read would be read again and again.
                self.close()
                raise

        self._client._sock_recv, self._client.loop_read = receive_little, read_or_close

    @property
    def reason(self) -> BaseException | None:
        """Why the connection has ended, as far as that is known."""
        return self._disconnected.exception() if self._disconnected.done() else None

    @property
    def was_taken_over(self) -> bool:
        """True if the broker gave the place of this client to another of its name (MQTT 5, 3.14.2.1)."""
        return getattr(getattr(self.reason, "rc", None), "value", None) == _TAKEN_OVER

    def close(self) -> None:
        """Close the socket, which the library leaves open after a packet that it cannot read."""
        self._client._sock_close()


def password_of(settings: Bridge) -> str | None:
    """Return the password from its file. Raises `OSError`, or `ValueError` for a file that is none."""
    if not settings.password_file:
        return None
    return Path(settings.password_file).read_text("utf-8").strip("\r\n")


def is_overheard(settings: Bridge) -> bool:
    """True if a password goes through a network as it is."""
    return bool(settings.password_file) and not settings.tls and settings.host not in ("localhost", "127.0.0.1", "::1")


def tls_of(settings: Bridge) -> ssl.SSLContext | None:
    """Return how the broker proves who it is. Raises `OSError` for a file of an authority that cannot be read."""
    if not settings.tls:
        return None
    return ssl.create_default_context(cafile=settings.ca or None)


def _quiet() -> logging.Logger:
    """Return a logger for the library, whose lines hold what is told to the broker."""
    quiet = logging.getLogger("controller.cli.bridge.mqtt")
    quiet.setLevel(logging.ERROR)
    return quiet
