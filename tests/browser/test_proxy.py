"""The box behind a TLS proxy: Caddy with the file of docs/howto/https.md."""

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from controller.game.table.snapshot import Snapshot
from controller.runtime.machine import open_port
from controller.settings import Web
from tests.browser.box_thread import FAST, BoxThread, serve_box
from tests.browser.chromium import PROXIED
from tests.browser.pages.device import PHONE, Device, use
from tests.browser.pages.states import ANN, BEN, start

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CADDY = shutil.which("caddy")
pytestmark = [pytest.mark.long, pytest.mark.skipif(CADDY is None, reason="needs Caddy: apt install caddy")]

_FILE = Path(__file__).parents[2] / "docs" / "samples" / "Caddyfile"
# Nothing of this computer's is changed: no certificate is trusted, no port but its own is opened.
_OURS = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
_PATIENCE_S = 30.0
_NOTE_LOCKS = """
  window.locks = [];
  navigator.wakeLock.request = async kind => {
    const lock = { kind, released: false, release() { this.released = true; } };
    window.locks.push(lock);
    return lock;
  };
"""


@dataclass(frozen=True)
class Proxied:
    """A box as those see it who come through the proxy."""

    box: BoxThread
    url: str
    folder: Path

    @property
    def snapshot(self) -> Snapshot:
        """The table as it stands."""
        return self.box.snapshot

    def code(self) -> str:
        """The code by which players join the game."""
        return self.box.code()

    def post_from(self, origin: str) -> int:
        """Sit down as a page of that origin would; return the status of the answer."""
        authority = ssl.create_default_context(cafile=self.folder / "caddy/pki/authorities/local/root.crt")
        host = self.url.removeprefix("https://")
        with httpx.Client(verify=authority, timeout=_PATIENCE_S) as client:
            asked = client.build_request(
                "POST",
                f"https://127.0.0.1:{host.partition(':')[2]}/api/seats",
                json={"names": [], "door": "page", "code": self.code()},
                headers={"Host": host, "Origin": origin},
                extensions={"sni_hostname": PROXIED},
            )
            return client.send(asked).status_code


@contextmanager
def serve_behind_proxy(folder: Path, web: Web) -> Iterator[Proxied]:
    """Serve a box, and Caddy before it."""
    with open_port("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    with serve_box(folder, pace=FAST, web=web) as box:
        url = f"https://{PROXIED}:{port}"
        file = folder / "Caddyfile"
        file.write_text(_OURS + _FILE.read_text().replace(PROXIED, url).replace(":8080", f":{box.port}"))
        surroundings = {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        command = [str(CADDY), "run", "--config", str(file), "--adapter", "caddyfile"]
        with subprocess.Popen(command, env=surroundings, stderr=subprocess.DEVNULL) as caddy:
            try:
                _wait_for(port, caddy)
                yield Proxied(box, url, folder)
            finally:
                caddy.terminate()


def _wait_for(port: int, caddy: "subprocess.Popen[bytes]") -> None:
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        assert caddy.poll() is None
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert time.monotonic() < until_s
        else:
            return


def use_phone(browser: "Browser", box: Proxied) -> AbstractContextManager[Device]:
    """A phone at the proxy."""
    return use(browser, box, PHONE, ignore_https_errors=True)  # the authority is Caddy's own


@pytest.fixture
def proxied(browser: "Browser", tmp_path: Path) -> Iterator[Proxied]:
    """A box whose settings name the proxy."""
    with serve_behind_proxy(tmp_path, Web(name=PROXIED, proxies=("127.0.0.1",))) as proxied:
        yield proxied


def test_two_phones_play_a_whole_game_by_https(browser: "Browser", proxied: Proxied) -> None:
    start(proxied.box, ANN, BEN)
    with use_phone(browser, proxied) as one, use_phone(browser, proxied) as other:
        opened: list[str] = []
        one.page.on("websocket", lambda each: opened.append(each.url))
        one.page.add_init_script(_NOTE_LOCKS)
        one.come_in(proxied.box.link(), "Ann")
        other.come_in(proxied.box.link(), "Ben")
        proxied.box.hands.plan((1,), (2,), *3 * ((1, 1),))
        one.catch_up()
        assert [lock["released"] for lock in one.page.evaluate("window.locks")] == [False]
        one.play_on((other,))
        assert proxied.snapshot.phase == "ended"
        one.page.wait_for_function("window.locks.every(lock => lock.released)")
        assert {each.partition(":")[0] for each in opened} == {"wss"}
        [cookie] = [each for each in one.context.cookies() if "seat" in each["name"]]
        assert (cookie["name"], cookie["secure"], cookie["httpOnly"]) == ("__Host-shutbox-seat", True, True)


def test_the_code_on_the_page_leads_to_it_by_https(browser: "Browser", proxied: Proxied) -> None:
    with use_phone(browser, proxied) as phone:
        phone.open(proxied.box.link()).open("/join")
        assert proxied.url.removeprefix("https://") in phone.page.locator("main").inner_text()


def test_a_page_of_another_origin_can_do_nothing_through_the_proxy(proxied: Proxied) -> None:
    assert proxied.post_from(proxied.url) == 200
    for origin in (proxied.url.replace("https", "http"), f"{proxied.url}.example", f"https://{PROXIED}", "null"):
        assert proxied.post_from(origin) == 403


def test_what_a_proxy_says_that_the_settings_do_not_name_is_ignored(browser: "Browser", tmp_path: Path) -> None:
    with serve_behind_proxy(tmp_path, Web(name=PROXIED)) as unnamed:
        assert unnamed.post_from(unnamed.url) == 403
        assert unnamed.post_from(unnamed.url.replace("https", "http")) == 200
        with use_phone(browser, unnamed) as phone:
            told: list[int] = []
            phone.page.on("response", lambda each: told.append(each.status))
            phone.open("/kiosk")
            assert 403 in told  # scripts; the page stands still
