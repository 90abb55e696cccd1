// The button that starts the program of the box again, and the wait until it is back.

import { send } from "./commands.js";
import { request } from "./page.js";

const LOOK_EVERY_MS = 1000;

document.querySelector("[data-restart]")?.addEventListener("click", async () => {
  const before = await send("GET", "/api/state");
  if (!(await request("POST", "/api/restart"))) return;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-restarting]"))) {
    each.textContent = each.dataset.restarting ?? "";
  }
  setInterval(async () => {
    const now = await send("GET", "/api/state");
    if (now.ok && now.body.daemon !== before.body.daemon) location.reload();
  }, LOOK_EVERY_MS);
});
