"""What a page of a stranger tries: each attack is a function in JavaScript that returns all that it could read.

It is given `box`, the address of the box, and `own`, that of the stranger. What it throws is a refusal of the browser.
"""

from collections.abc import Mapping

_COMMAND = """'{"do": "park"}'"""


def _fetch(path: str, options: str) -> str:
    """A request, and what can be read of its answer."""
    return f"async ({{box, own}}) => await (await fetch(box + '{path}', {options})).text()"


def _post(options: str, path: str = "/api/commands") -> str:
    return _fetch(path, f"{{method: 'POST', body: {_COMMAND}, {options}}}")


def _element(tag: str, attributes: str, read: str = "''") -> str:
    """An element that fetches the box, and what is to be read of it once that has succeeded or failed."""
    return f"""async ({{box, own}}) => {{
      const it = document.createElement('{tag}');
      const done = new Promise(resolve => it.onload = it.onerror = resolve);
      Object.assign(it, {{{attributes}}});
      document.body.append(it);
      await done;
      return String({read});
    }}"""


def _form(attributes: str, name: str = "do", value: str = "park") -> str:
    """A form that is sent, in the place of the page."""
    return f"""async ({{box, own}}) => {{
      const form = Object.assign(document.createElement('form'), {{method: 'POST', {attributes}}});
      form.append(Object.assign(document.createElement('input'), {{name: `{name}`, value: `{value}`}}));
      document.body.append(form);
      form.submit();
      return '';
    }}"""


def _socket(url: str, protocols: str = "[]") -> str:
    """A WebSocket, and the first that is heard on it."""
    return f"""({{box, own}}) => new Promise((resolve, reject) => {{
      const socket = new WebSocket({url}, {protocols});
      socket.onmessage = event => resolve(event.data);
      socket.onerror = socket.onclose = reject;
    }})"""


_SNAPSHOTS = "box.replace('http', 'ws') + '/api/snapshots'"
# Of no origin at all: `Origin: null`.
_SANDBOXED = """({box, own}) => new Promise(resolve => {
  addEventListener('message', event => resolve(event.data));
  const script = `ATTACK.then(text => parent.postMessage(text, '*'), () => parent.postMessage('', '*'))`;
  const html = '<script>const box = "' + box + '"; ' + script + '</' + 'script>';
  document.body.append(Object.assign(document.createElement('iframe'), {sandbox: 'allow-scripts', srcdoc: html}));
})"""

ATTACKS: Mapping[str, str] = {
    # reading
    "fetch": _fetch("/api/state", "{}"),
    "fetch with cookies": _fetch("/api/state", "{credentials: 'include'}"),
    "fetch without cors": _fetch("/api/state", "{mode: 'no-cors', credentials: 'include'}"),
    "fetch with a header of its own": _fetch("/api/state", "{headers: {'X-Requested-With': 'page'}}"),
    "fetch with a token": _fetch("/api/state", "{headers: {Authorization: 'Bearer x'}}"),
    "the old way": """({box, own}) => new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('GET', box + '/api/state');
      request.withCredentials = true;
      request.onload = () => resolve(request.responseText);
      request.onerror = reject;
      request.send();
    })""",
    "event source": """({box, own}) => new Promise((resolve, reject) => {
      const source = new EventSource(box + '/api/state', {withCredentials: true});
      source.onmessage = event => resolve(event.data);
      source.onerror = () => { source.close(); reject(); };
    })""",
    "script": _element("script", "src: box + '/api/state'", "Object.keys(window).join()"),
    "module": _element("script", "type: 'module', src: box + '/api/state'"),
    "style sheet": _element("link", "rel: 'stylesheet', href: box + '/api/state'", "document.styleSheets.length"),
    "picture": _element("img", "src: box + '/api/state'", "it.width"),
    "picture with cors": _element("img", "crossOrigin: 'use-credentials', src: box + '/api/state'", "it.width"),
    "video": """({box, own}) => new Promise(resolve => {
      const video = Object.assign(document.createElement('video'), {src: box + '/api/state'});
      video.onerror = video.onloadeddata = () => resolve('');
      document.body.append(video);
    })""",
    "frame": _element("iframe", "src: box + '/api/state'", "it.contentDocument?.body.innerText ?? ''"),
    "object": _element("object", "type: 'text/html', data: box + '/api/state'", "it.contentDocument?.body?.innerText"),
    "window": """async ({box, own}) => {
      const opened = window.open(box + '/api/state');
      for (let tries = 0; tries < 20; tries++) {
        await new Promise(resolve => setTimeout(resolve, 10));
        const text = opened?.document?.body?.innerText;
        if (text) return text;
      }
      return '';
    }""",
    "worker": "({box, own}) => { new Worker(box + '/api/state'); return ''; }",
    "service worker of the box": """async ({box, own}) => {
      await navigator.serviceWorker.register(box + '/api/state');
      return '';
    }""",
    "web socket": _socket(_SNAPSHOTS),
    "web socket with a protocol": _socket(_SNAPSHOTS, "['shutbox']"),
    "from no origin: fetch": _SANDBOXED.replace(
        "ATTACK", "fetch(box + '/api/state', {credentials: 'include'}).then(answer => answer.text())"
    ),
    "from no origin: web socket": _SANDBOXED.replace(
        "ATTACK",
        "new Promise((resolve, reject) => {"
        "  const socket = new WebSocket(box.replace('http', 'ws') + '/api/snapshots');"
        "  socket.onmessage = event => resolve(event.data); socket.onerror = reject; })",
    ),
    # changing
    "post json": _post("headers: {'Content-Type': 'application/json'}, credentials: 'include'"),
    "post json without cors": _post(
        "mode: 'no-cors', headers: {'Content-Type': 'application/json'}, credentials: 'include'"
    ),
    "post text": _post("headers: {'Content-Type': 'text/plain'}, mode: 'no-cors', credentials: 'include'"),
    "post text that calls itself json": _post(
        "headers: {'Content-Type': 'text/plain; application/json'}, mode: 'no-cors', credentials: 'include'"
    ),
    "post without a type": """async ({box, own}) => await (await fetch(box + '/api/commands', {
      method: 'POST', mode: 'no-cors', credentials: 'include', body: new Blob(['{"do": "park"}'])})).text()""",
    "post a form": """async ({box, own}) => await (await fetch(box + '/api/commands', {
      method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams({do: 'park'})})).text()""",
    "post parts": """async ({box, own}) => {
      const form = new FormData();
      form.append('do', 'park');
      const sent = {method: 'POST', mode: 'no-cors', credentials: 'include', body: form};
      return await (await fetch(box + '/api/commands', sent)).text();
    }""",
    "post when the page is gone": _post("mode: 'no-cors', keepalive: true, credentials: 'include'"),
    "beacon": """async ({box, own}) => {
      navigator.sendBeacon(box + '/api/commands', new Blob(['{"do": "park"}'], {type: 'text/plain'}));
      return '';
    }""",
    "sit down": _post("mode: 'no-cors', credentials: 'include'", "/api/seats"),
    "stand up": _fetch("/api/seats", "{method: 'DELETE', credentials: 'include'}"),
    "put": _fetch("/api/commands", f"{{method: 'PUT', body: {_COMMAND}, credentials: 'include'}}"),
    "post by a detour": """async ({box, own}) => {
      const sent = {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"do": "park"}'};
      return await (await fetch(own + '/to/' + encodeURIComponent(box + '/api/commands'), sent)).text();
    }""",
    "form": _form("action: box + '/api/commands'"),
    "form of text that is json": _form(
        "action: box + '/api/commands', enctype: 'text/plain'", '{"do": "park", "key": "', '"}'
    ),
    "form of parts": _form("action: box + '/api/commands', enctype: 'multipart/form-data'"),
    "form into a window": _form("action: box + '/api/commands', enctype: 'text/plain', target: '_blank'"),
    "form by a detour": _form(
        "action: own + '/to/' + encodeURIComponent(box + '/api/commands'), enctype: 'text/plain'"
    ),
    "from no origin: post": _SANDBOXED.replace(
        "ATTACK",
        "fetch(box + '/api/commands', {method: 'POST', mode: 'no-cors', body: JSON.stringify({do: 'park'})})"
        ".then(answer => answer.text())",
    ),
}

# From a page whose name was the stranger's and is now the box's address: for the browser it is the box's own page.
REBOUND: Mapping[str, str] = {
    "look": "({box, own}) => document.body?.innerText ?? ''",
    "fetch": _fetch("/api/state", "{}"),
    "post json": _post("headers: {'Content-Type': 'application/json'}"),
    "web socket": _socket(_SNAPSHOTS),
    "service worker": """async ({box, own}) => {
      await navigator.serviceWorker.register(box + '/api/state', {scope: '/'});
      return 'registered';
    }""",
}
