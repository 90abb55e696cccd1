// The odds on request: the best moves, or what the turn is worth before a throw.

import { send } from "./commands.js";
import { moment } from "./live.js";
import { fill, sayTiles } from "./phrases.js";

/** @param {Element} button which has the sentences */
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

/** Takes back what was told: it was about another moment. */
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
  // Whoever asked hears the answer so; the page has one place only that speaks by itself.
  place.focus();
}
