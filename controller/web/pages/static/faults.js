// Faults on the page: marks beside the tiles they are about, and a hand that reaches into a simulated box.

import { send } from "./commands.js";

/** What the hand does to the tile that is tapped next; empty while it does nothing. */
const MODE = "hand";

/**
 * Has a hand do something at the box, and says where that does not go.
 * @param {Record<string, unknown>} deed
 * @returns {Promise<boolean>} whether it was done
 */
async function reach(deed) {
  const { ok } = await send("POST", "/api/simulated/deeds", deed);
  document.body.toggleAttribute("data-refused", !ok);
  return ok;
}

/** @param {string} [mode] what the hand is there for; nothing: it leaves */
function hold(mode) {
  if (mode) document.body.dataset[MODE] = mode;
  else delete document.body.dataset[MODE];
  document.body.removeAttribute("data-refused");
  offerTiles();
  if (!mode) return;
  // What the hand waits for is read out with the tile at which it begins.
  const first = /** @type {HTMLElement | null} */ (document.querySelector('.tile[data-s="open"]'));
  first?.setAttribute("aria-describedby", "hand");
  first?.focus();
}

/**
 * Where a tile is to be that the box asks about, and whose mark says that a hand may put it there.
 * @param {Element} tile
 */
function rightPlace(tile) {
  return document.querySelector(`.flag[data-tip][data-tile="${tile.id}"]`)?.getAttribute("data-tip");
}

/**
 * What a tap on a tile does to it now: without power nothing holds it, and every tap is a hand's.
 * @param {Element} tile
 */
function mode(tile) {
  const isFree = document.querySelector('[data-out] [data-do="park"]') || rightPlace(tile);
  return document.body.dataset[MODE] ?? (isFree ? "tip" : "");
}

/** A hand reaches every tile, by keys too; otherwise those of a move are enough. */
function offerTiles() {
  for (const tile of document.querySelectorAll(".tile")) {
    const isOffered = mode(tile) !== "" || tile.matches("[data-can], [aria-pressed=true]");
    tile.setAttribute("tabindex", isOffered ? "0" : "-1");
    if (isOffered) tile.removeAttribute("aria-disabled");
    else if (!tile.hasAttribute("aria-pressed")) tile.setAttribute("aria-disabled", "true");
  }
}

/**
 * Does to a tile what the hand is there for.
 * @param {HTMLElement} tile
 * @param {string} mode
 */
async function touch(tile, mode) {
  if (mode !== "tip") {
    hold();
    await reach({ do: "break", fault: `${mode}:${tile.id}` });
    return;
  }
  const lies = tile.dataset.s === "shut";
  const tipped = await reach({ do: "tip", tile: tile.id, position: rightPlace(tile) ?? (lies ? "OPEN" : "SHUT") });
  // Without power the box sees nothing, but whoever tips a tile does.
  if (tipped && document.querySelector("[data-out]")) tile.dataset.s = lies ? "open" : "shut";
}

/**
 * Cuts the power until somebody puts it on again; the drawer leaves the view to the tiles.
 * @param {HTMLElement} button
 */
async function cut(button) {
  button.closest("details")?.removeAttribute("open");
  hold();
  await reach({ do: "cut", seconds: null });
}

/** @param {HTMLElement} button */
async function press(button) {
  const { mode: wanted, break: fault, lift } = button.dataset;
  if (wanted) {
    button.closest("details")?.removeAttribute("open");
    hold(wanted);
  } else if (fault) await reach({ do: "break", fault });
  else if (lift) await reach({ do: "lift", fault: lift });
  else if (button.matches("[data-cut]")) await cut(button);
  else if (button.matches("[data-leave]")) hold();
}

// Before the page's own: a tile that a hand is there for is not chosen.
document.addEventListener(
  "click",
  (event) => {
    const at = event.target instanceof Element ? event.target.closest("button") : null;
    // The drawer lies over other things: who reaches past it has done with it.
    const isInside = event.target instanceof Element && event.target.closest("#drawer") !== null;
    if (!isInside) document.querySelector("#drawer > details")?.removeAttribute("open");
    if (!at) return;
    const does = at.matches(".tile") && mode(at);
    if (does) {
      event.stopPropagation();
      touch(at, does);
    } else if (event.detail <= 1) press(at); // after a tap that trembles another button may stand there
  },
  true,
);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hold();
});

/** Puts every mark beside its tile, and says of a tile how it should be. */
function mark() {
  for (const tile of document.querySelectorAll(".tile[data-ghost]")) tile.removeAttribute("data-ghost");
  const flags = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".flag"));
  for (const flag of flags) {
    const tile = document.getElementById(flag.dataset.tile ?? "");
    if (!tile) continue;
    place(flag, tile, flags.length > 1);
    if (flag.dataset.ghost) tile.dataset.ghost = flag.dataset.ghost;
  }
}

/**
 * @param {HTMLElement} flag
 * @param {HTMLElement} tile
 * @param {boolean} isOneOfMany only its sign fits on the box then
 */
function place(flag, tile, isOneOfMany) {
  const table = document.querySelector(".table")?.getBoundingClientRect();
  if (!table) return;
  flag.toggleAttribute("data-placed", true);
  flag.toggleAttribute("data-many", isOneOfMany);
  const at = tile.getBoundingClientRect();
  const half = flag.offsetWidth / 2;
  const middle = at.left + at.width / 2 - table.left;
  flag.style.setProperty("--at-x", `${Math.max(half, Math.min(middle, table.width - half))}px`);
  // On the baize, so that it hides no tile.
  const baize = document.querySelector(".brass")?.getBoundingClientRect() ?? at;
  flag.style.setProperty("--at-y", `${(isOneOfMany ? at.top : baize.bottom) - table.top}px`);
}

document.addEventListener("drawn", () => {
  mark();
  offerTiles();
});
// Tiles tip for a while, and what is beside them follows.
document.addEventListener("transitionend", mark);
addEventListener("resize", mark);
mark();
