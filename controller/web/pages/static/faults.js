// Faults on the page: marks next to their tiles, and a hand that reaches into a simulated box.

import { send } from "./commands.js";

/** The act of the hand on the tile that is tapped next; empty if there is none. */
const MODE = "hand";

/**
 * Makes a hand act on the box, and shows a refusal.
 * @param {Record<string, unknown>} deed
 * @returns {Promise<boolean>} whether it was done
 */
async function reach(deed) {
  const { ok } = await send("POST", "/api/simulated/deeds", deed);
  document.body.toggleAttribute("data-refused", !ok);
  return ok;
}

/** @param {string} [mode] the act of the hand; without it, the hand leaves */
function hold(mode) {
  if (mode) document.body.dataset[MODE] = mode;
  else delete document.body.dataset[MODE];
  document.body.removeAttribute("data-refused");
  offerTiles();
  if (!mode) return;
  // A screen reader says the prompt together with the first tile.
  const first = /** @type {HTMLElement | null} */ (document.querySelector('.tile[data-s="open"]'));
  first?.setAttribute("aria-describedby", "hand");
  first?.focus();
}

/**
 * The expected position of a tile that the box asks about, if its mark says that a hand may restore it.
 * @param {Element} tile
 */
function rightPlace(tile) {
  return document.querySelector(`.flag[data-tip][data-tile="${tile.id}"]`)?.getAttribute("data-tip");
}

/**
 * The effect of a tap on a tile now: without power nothing holds it, and every tap acts as a hand.
 * @param {Element} tile
 */
function mode(tile) {
  const isFree = document.querySelector('[data-out] [data-do="park"]') || rightPlace(tile);
  return document.body.dataset[MODE] ?? (isFree ? "tip" : "");
}

/** Makes every tile reachable by keys while a hand acts; otherwise only the tiles of a move. */
function offerTiles() {
  for (const tile of document.querySelectorAll(".tile")) {
    const isOffered = mode(tile) !== "" || tile.matches("[data-can], [aria-pressed=true]");
    tile.setAttribute("tabindex", isOffered ? "0" : "-1");
    if (isOffered) tile.removeAttribute("aria-disabled");
    else if (!tile.hasAttribute("aria-pressed")) tile.setAttribute("aria-disabled", "true");
  }
}

/**
 * Carries out the act of the hand on a tile.
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
  // Without power the box sees nothing, but the person who tips a tile does.
  if (tipped && document.querySelector("[data-out]")) tile.dataset.s = lies ? "open" : "shut";
}

/**
 * Cuts the power until somebody turns it on again, and closes the drawer to show the tiles.
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

// Runs before the page's own handler: a tile that a hand acts on is not chosen.
document.addEventListener(
  "click",
  (event) => {
    const at = event.target instanceof Element ? event.target.closest("button") : null;
    // The drawer covers other things: a click outside closes it.
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

/** Puts every mark next to its tile, and shows the expected position of the tile. */
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
 * @param {boolean} isOneOfMany if so, only its sign fits on the box
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
  // On the baize, so that it covers no tile.
  const baize = document.querySelector(".brass")?.getBoundingClientRect() ?? at;
  flag.style.setProperty("--at-y", `${(isOneOfMany ? at.top : baize.bottom) - table.top}px`);
}

document.addEventListener("drawn", () => {
  mark();
  offerTiles();
});
// Tiles take a while to tip, and their marks follow them.
document.addEventListener("transitionend", mark);
addEventListener("resize", mark);
mark();
