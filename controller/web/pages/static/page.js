// What every page has: the language of this device, the seat of an operator's device that has none yet, and the place
// where it is said why something was not done.

import { send } from "./commands.js";

const YEAR_S = 365 * 24 * 3600;

/**
 * Speaks to the API; where it refuses, or does not answer, the page says so.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} its answer; null where it refused
 */
export async function request(method, path, body) {
  const place = /** @type {HTMLElement} */ (document.getElementById("refused"));
  place.textContent = "";
  const answer = await send(method, path, body);
  if (!answer.ok) place.textContent = answer.body.error;
  return answer.ok ? answer.body : null;
}

document.querySelector("[data-language]")?.addEventListener("change", (event) => {
  const language = /** @type {HTMLSelectElement} */ (event.target).value;
  document.cookie = `shutbox-language=${language}; path=/; max-age=${YEAR_S}; samesite=strict`;
  location.reload();
});

addEventListener("pageshow", (event) => {
  // A page that the browser has kept shows the table of then.
  if (event.persisted) location.reload();
});

// Without cookies nobody keeps a seat: it would be taken again and again.
if (navigator.cookieEnabled && document.body.hasAttribute("data-sits-first")) {
  send("POST", "/api/seats", { door: "page" }).then((answer) => answer.ok && location.reload());
}
