// The page of operators: the requests of its forms, and the wait for a confirmation at the box.

import { send } from "./commands.js";
import { request } from "./page.js";

const LOOK_EVERY_MS = 2000;

document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { send: method = "", path = "" } = form.dataset;
  if (await request(method, path, Object.fromEntries(new FormData(form)))) location.reload();
});

if (document.body.hasAttribute("data-waits")) {
  setInterval(async () => {
    const me = await send("GET", "/api/access/me");
    if (me.ok && !me.body.pairing) location.reload();
  }, LOOK_EVERY_MS);
}
