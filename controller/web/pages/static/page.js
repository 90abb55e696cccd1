// Common to every page: the language of this device, a seat for an operator's device without one, and the place for
// the reason of a refusal.

import { send } from "./commands.js";

const YEAR_S = 365 * 24 * 3600;

/**
 * Sends a request to the API; if it refuses or does not answer, the page says so.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>} its answer; null if it refused
 */
export async function request(method, path, body, headers) {
  const place = /** @type {HTMLElement} */ (document.getElementById("refused"));
  place.textContent = "";
  const answer = await send(method, path, body, headers);
  if (!answer.ok) place.textContent = answer.body.error;
  return answer.ok ? answer.body : null;
}

/** Keeps the language in which this device is spoken to. @param {string} language */
export function setLanguage(language) {
  document.cookie = `shutbox-language=${language}; path=/; max-age=${YEAR_S}; samesite=strict`;
}

document.querySelector("[data-language]")?.addEventListener("change", (event) => {
  setLanguage(/** @type {HTMLSelectElement} */ (event.target).value);
  location.reload();
});

addEventListener("pageshow", (event) => {
  // A page from the cache of the browser shows an old table.
  if (event.persisted) location.reload();
});

// Without cookies no seat is kept: it would be taken again and again.
if (navigator.cookieEnabled && document.body.hasAttribute("data-sits-first")) {
  send("POST", "/api/seats", { door: "page" }).then((answer) => answer.ok && location.reload());
}

document.addEventListener("click", async (event) => {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  if (at?.dataset.send && (await request(at.dataset.send, at.dataset.path ?? ""))) location.reload();
});
