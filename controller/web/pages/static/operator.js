// The page of operators: the requests of its forms and buttons, and the wait for a confirmation at the box.

import { send } from "./commands.js";
import { request } from "./page.js";

const LOOK_EVERY_MS = 2000;

/**
 * @param {HTMLElement} at has the method and the path
 * @param {unknown} [body]
 */
async function ask(at, body) {
  if (await request(at.dataset.send ?? "", at.dataset.path ?? "", body)) location.reload();
}

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  ask(form, Object.fromEntries(new FormData(form)));
});

document.addEventListener("click", (event) => {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  if (at?.dataset.send) ask(at);
});

if (document.body.hasAttribute("data-waits")) {
  setInterval(async () => {
    const me = await send("GET", "/api/access/me");
    if (me.ok && !me.body.pairing) location.reload();
  }, LOOK_EVERY_MS);
}
