"""The box as a device of Home Assistant: one discovery message with all its entities. Pure.

Source: home-assistant.io/integrations/mqtt, "Device discovery payload" (Home Assistant 2024.11 and later).
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from controller.cli.bridge.facts import EVENT_TYPES

ONLINE, OFFLINE = "online", "offline"


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one box. id: its name at the broker, of letters, digits and `_`."""

    prefix: str
    discovery: str
    id: str

    @property
    def available(self) -> str:
        return f"{self.prefix}/{self.id}/available"

    @property
    def state(self) -> str:
        return f"{self.prefix}/{self.id}/state"

    @property
    def event(self) -> str:
        return f"{self.prefix}/{self.id}/event"

    @property
    def command(self) -> str:
        return f"{self.prefix}/{self.id}/set"

    @property
    def config(self) -> str:
        return f"{self.discovery}/device/shutbox_{self.id}/config"

    @property
    def birth(self) -> str:
        """Where Home Assistant says that it has started."""
        return f"{self.discovery}/status"


def id_of(name: str) -> str:
    """Return a name as topics and ids may have it."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "box"


def discovery_of(topics: Topics, name: str, model: str, version: str, allowed: Collection[str]) -> dict[str, Any]:
    """Return the discovery message. allowed: the commands that the settings allow, of `start` and `pause`."""
    found: dict[str, dict[str, Any]] = {
        "say": _sensor("What is going on", "{{ value_json.say[:255] }}", icon="mdi:message-text"),
        "turn": _sensor("Turn", _or_none("turn"), icon="mdi:account"),
        "game": _sensor("Game", _or_none("game"), icon="mdi:dice-multiple"),
        "phase": _sensor("Phase", "{{ value_json.phase }}", icon="mdi:state-machine"),
        "throw": _sensor("Throw", "{{ value_json.throw | join(' ') or 'none' }}", icon="mdi:dice-5"),
        "total": _sensor("Total of the dice", "{{ value_json.total or 0 }}", icon="mdi:sigma"),
        "board": _sensor("Board", _or_none("board"), icon="mdi:view-week"),
        "score": _sensor("Score now", "{{ value_json.score_now or 0 }}", icon="mdi:counter"),
        "winners": _sensor("Winners", "{{ value_json.winners | join(', ') or 'none' }}", icon="mdi:trophy"),
        "on": _binary("Game on", "{{ 'ON' if value_json.on else 'OFF' }}"),
        "help": _binary("Help needed", "{{ 'ON' if value_json.help else 'OFF' }}", device_class="problem"),
        "lid": _binary("Lid", "{{ 'ON' if value_json.lid == 'open' else 'OFF' }}", device_class="opening"),
        "event": {"p": "event", "name": "What happens", "event_types": list(EVENT_TYPES), "state_topic": topics.event},
    }
    for command, label in (("start", "Start a game"), ("pause", "Pause")):
        if command in allowed:
            found[command] = {
                "p": "button",
                "name": label,
                "command_topic": topics.command,
                "payload_press": command,
            }
    for key, entity in found.items():
        entity["unique_id"] = f"shutbox_{topics.id}_{key}"
    return {
        "dev": {"ids": [f"shutbox_{topics.id}"], "name": name, "mf": "shutbox", "mdl": model, "sw": version},
        "o": {"name": "shutbox", "sw": version},
        "cmps": found,
        "state_topic": topics.state,
        "availability_topic": topics.available,
        "qos": 1,
    }


def _sensor(name: str, template: str, **more: str) -> dict[str, Any]:
    return {"p": "sensor", "name": name, "value_template": template, **more}


def _binary(name: str, template: str, **more: str) -> dict[str, Any]:
    return {"p": "binary_sensor", "name": name, "value_template": template, **more}


def _or_none(key: str) -> str:
    return f"{{{{ value_json.{key} or 'none' }}}}"
