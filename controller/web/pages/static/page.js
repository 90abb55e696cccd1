// What every page has: the language of this device, and the seat of an operator's device that has none yet.

import { send } from "./commands.js";

const YEAR_S = 365 * 24 * 3600;

document.querySelector("[data-language]")?.addEventListener("change", (event) => {
  const language = /** @type {HTMLSelectElement} */ (event.target).value;
  document.cookie = `shutbox-language=${language}; path=/; max-age=${YEAR_S}; samesite=strict`;
  location.reload();
});

if (document.body.hasAttribute("data-sits-first")) {
  send("POST", "/api/seats", { door: "page" }).then((answer) => answer.ok && location.reload());
}
