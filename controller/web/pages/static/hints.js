// The odds on request: the best moves, or the value of the turn before a throw.

import { send } from "./commands.js";
import { moment } from "./live.js";
import { fill, sayTiles } from "./phrases.js";

/** @param {Element} button carries the sentences */
export async function tellOdds(button) {
  tell(button.getAttribute("data-counting") ?? "");
  const event = moment()?.event;
  const { ok, body } = await send("GET", "/api/odds");
  if (moment()?.event !== event) return;
  if (!ok) return tell(String(body.error));
  const [lang, maximumFractionDigits] = [document.documentElement.lang, 1];
  const points = Number(body.value).toLocaleString(lang, { maximumFractionDigits });
  const share = Number(body.value).toLocaleString(lang, { maximumFractionDigits, style: "percent" });
  const kind = body.aim === "win" ? "data-wins" : body.best ? "data-leaves" : "data-worth";
  const pattern = button.getAttribute(kind) ?? "";
  const best = /** @type {string[][]} */ (body.best ?? []);
  tell(fill(pattern, { points, share, moves: best.slice(0, 3).map(sayTiles).join("; ") }));
}

/** Removes the hint when its moment has passed. */
export function forgetOdds() {
  const place = document.getElementById("hint");
  if (place) place.hidden = true;
}

/** @param {string} line */
function tell(line) {
  const place = document.getElementById("hint");
  if (!place) return;
  place.textContent = line;
  place.hidden = false;
  // A screen reader says the answer this way; the page has only one live region.
  place.focus();
}
