// Has the camera read the throw on the baize once more, and tells what it sees.

import { request } from "./page.js";

const button = /** @type {HTMLButtonElement} */ (document.getElementById("look"));
const told = /** @type {HTMLElement} */ (document.getElementById("seen"));

button.addEventListener("click", async () => {
  button.disabled = true;
  told.textContent = "";
  const look = await request("POST", "/api/throw/second-look");
  button.disabled = false;
  if (!look) return;
  const seen = [...look.seen].reverse().join("·");
  const { reasons, same, corrected, unread } = button.dataset;
  if (look.is_corrected) {
    /** @type {HTMLElement} */ (document.getElementById("thrown")).textContent = seen;
    told.textContent = (corrected ?? "").replace("{seen}", seen);
  } else if (seen) told.textContent = same ?? "";
  else told.textContent = (unread ?? "").replace("{why}", JSON.parse(reasons ?? "{}")[look.why] ?? look.why);
});
