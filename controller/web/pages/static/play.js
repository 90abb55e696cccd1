// The page of the table: tiles are chosen on the drawn box or from the list, everything else by a button.

import { ask } from "./commands.js";
import { follow } from "./live.js";

/** The tiles that are chosen so far. @type {Set<string>} */
const chosen = new Set();

/** @returns {string[][]} */
function moves() {
  return [...document.querySelectorAll("[data-tiles]")].map((chip) => tilesOf(chip));
}

/** @param {Element} chip */
function tilesOf(chip) {
  return (chip.getAttribute("data-tiles") ?? "").split(" ");
}

/** @param {string[]} move */
function isOpen(move) {
  return [...chosen].every((tile) => move.includes(tile));
}

/** Shows what is chosen, and what can still be. */
function show() {
  const open = moves().filter(isOpen);
  if (!open.length) chosen.clear();
  for (const tile of document.querySelectorAll(".tile[data-s=open]")) {
    const on = chosen.has(tile.id);
    const can =
      !on &&
      moves()
        .filter(isOpen)
        .some((move) => move.includes(tile.id));
    tile.toggleAttribute("data-can", can);
    tile.setAttribute("aria-pressed", String(on));
    tile.setAttribute("aria-disabled", String(!on && !can));
  }
  for (const chip of document.querySelectorAll("[data-tiles]")) {
    const move = tilesOf(chip);
    chip.setAttribute("aria-pressed", String(move.length === chosen.size && isOpen(move)));
    chip.setAttribute("aria-disabled", String(!isOpen(move)));
  }
  const whole = open.some((move) => move.length === chosen.size);
  document.querySelector("[data-confirm]")?.setAttribute("aria-disabled", String(!whole));
}

document.addEventListener("click", async (event) => {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  if (!at || at.getAttribute("aria-disabled") === "true") return;
  if (at.matches(".tile")) {
    if (!chosen.delete(at.id)) chosen.add(at.id);
    show();
  } else if (at.matches("[data-tiles]")) {
    const wasChosen = at.getAttribute("aria-pressed") === "true";
    chosen.clear();
    if (!wasChosen) tilesOf(at).forEach((tile) => chosen.add(tile));
    show();
  } else if (at.matches("[data-confirm]")) {
    await ask({ do: "choose", tiles: [...chosen] });
  } else if (at.dataset.do) {
    await ask({ do: at.dataset.do });
  }
});

follow(
  document.body.dataset.view ?? "play",
  () => {
    chosen.clear();
    show();
  },
  (connected) => document.body.toggleAttribute("data-away", !connected),
);
