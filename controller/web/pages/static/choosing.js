// Choosing tiles, on the drawn box or from the list: only legal moves; a complete move asks for confirmation.

import { send } from "./commands.js";
import { moment } from "./live.js";
import { fill, sayTiles } from "./phrases.js";

/** The tiles chosen so far. @type {Set<string>} */
const chosen = new Set();
/** The known moves. @type {string[][]} */
let moves = [];
/** False while not all moves of a large box are known yet: then the box judges the choice. */
let allKnown = true;
/** The event after which the known moves can be chosen. */
let when = "";

/** @returns {string[]} */
export function chosenTiles() {
  return [...chosen];
}

/** Takes in changes of the page; the choice is kept as long as nothing has happened in the game. */
export function takeUp() {
  const now = moment();
  const listed = [...document.querySelectorAll("[data-tiles]")].map(tilesOf);
  // A client that takes over a chair may choose from now on, though nothing has happened in the game.
  const then = `${now?.daemon} ${now?.game_id} ${now?.event} ${listed.length}`;
  if (then !== when) {
    when = then;
    chosen.clear();
    moves = listed;
    const count = Number(document.querySelector("[data-moves]")?.getAttribute("data-moves") ?? moves.length);
    allKnown = moves.length >= count;
    if (!allKnown) fetchMoves(then, count);
  }
  show();
}

/** @param {Element} tile */
export function toggleTile(tile) {
  if (!chosen.delete(tile.id)) chosen.add(tile.id);
  show();
}

/** @param {Element} chip */
export function toggleMove(chip) {
  const wasChosen = chip.getAttribute("aria-pressed") === "true";
  chosen.clear();
  if (!wasChosen) tilesOf(chip).forEach((tile) => chosen.add(tile));
  show();
}

/** The reason why a tile cannot be chosen now; empty if its state says it. @param {HTMLElement} tile */
export function whyNot(tile) {
  const box = document.querySelector(".box");
  const reason = box?.matches("[data-turn]")
    ? "turn"
    : { open: chosen.size ? "no-more" : "no-move", hidden: "hidden", shut: "shut" }[tile.dataset.s ?? ""];
  const said = fill(box?.getAttribute(`data-${reason}`) ?? "", {
    tile: tile.dataset.called ?? "",
    tiles: sayTiles(chosen),
  });
  return said.charAt(0).toLocaleUpperCase() + said.slice(1);
}

/** Clears the choice. */
export function chooseNothing() {
  chosen.clear();
  show();
}

/**
 * Moves the focus to the next tile that can be chosen, in the direction of an arrow key.
 * @param {Element} from
 * @param {string} key
 */
export function step(from, key) {
  const along = key === "ArrowLeft" || key === "ArrowRight";
  const forth = key === "ArrowRight" || key === "ArrowUp" ? 1 : -1;
  const here = placeOf(from);
  const ahead = [...document.querySelectorAll(".tile[tabindex='0']")]
    .filter((tile) => tile !== from)
    .map((tile) => ({ tile, place: placeOf(tile) }))
    .map(({ tile, place }) => ({
      tile,
      far: forth * (along ? place.column - here.column : place.row - here.row),
      aside: Math.abs(along ? place.row - here.row : place.column - here.column),
    }))
    .filter(({ far }) => far > 0)
    .sort((a, b) => (along ? a.far - b.far || a.aside - b.aside : a.aside - b.aside || a.far - b.far));
  const next = ahead[0]?.tile;
  if (next instanceof HTMLElement) next.focus();
}

/** @param {Element} tile */
function placeOf(tile) {
  return { column: Number(tile.getAttribute("data-column")), row: Number(tile.getAttribute("data-row")) };
}

/** @param {Element} chip */
function tilesOf(chip) {
  return (chip.getAttribute("data-tiles") ?? "").split(" ");
}

/** @param {string[]} move */
function isOpen(move) {
  return [...chosen].every((tile) => move.includes(tile));
}

/**
 * @param {string} then
 * @param {number} count
 */
async function fetchMoves(then, count) {
  /** @type {string[][]} */
  const found = [];
  while (found.length < count) {
    const { ok, body } = await send("GET", `/api/moves?offset=${found.length}`);
    if (!ok || !body.moves.length || when !== then) return;
    found.push(...body.moves);
  }
  moves = found;
  allKnown = true;
  show();
}

/** Shows the choice, and the tiles that can still be added. */
function show() {
  const confirm = document.querySelector("[data-confirm]");
  if (!confirm) return;
  const open = moves.filter(isOpen);
  const possible = new Set(open.flat());
  for (const tile of document.querySelectorAll(".tile")) {
    const on = chosen.has(tile.id);
    const can = on || possible.has(tile.id) || (!allKnown && tile.getAttribute("data-s") === "open");
    tile.toggleAttribute("data-can", can && !on);
    tile.setAttribute("tabindex", can ? "0" : "-1");
    if (can) tile.setAttribute("aria-pressed", String(on));
    else tile.removeAttribute("aria-pressed");
    if (can) tile.removeAttribute("aria-disabled");
    else tile.setAttribute("aria-disabled", "true");
  }
  for (const chip of document.querySelectorAll("[data-tiles]")) {
    const move = tilesOf(chip);
    chip.setAttribute("aria-pressed", String(move.length === chosen.size && isOpen(move)));
  }
  const whole = chosen.size > 0 && (!allKnown || open.some((move) => move.length === chosen.size));
  confirm.setAttribute("aria-disabled", String(!whole));
  const pattern = confirm.getAttribute(whole ? "data-whole" : chosen.size ? "data-more" : "data-empty") ?? "";
  confirm.textContent = fill(pattern, { tiles: sayTiles(chosen) });
}
