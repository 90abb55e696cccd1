// The live table: keeps the page's parts in step with those that the box sends, across lost connections.

import { keepAwake, letSleep } from "./awake.js";
import { placeDice } from "./dice.js";

/**
 * The message to a page after every change. A changed part is its lines, or from where to where they were there before.
 * @typedef {{daemon: string, number: number, game_id: number, event: number, seen: string,
 *   parts: Record<string, (string | [number, number])[]>}} Moment
 */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
const CANNOT_DRAW = 1011; // the code with which the box closes a page that it fails to draw
const SEEN = "seen"; // what the box said last to be kept, which it is shown again: its memory card may lose it

/** The last message; commands are meant for it. @type {Moment | null} */
let now = null;

/** @returns {Moment | null} */
export function moment() {
  return now;
}

/** The last event that this device saw as stored; the browser may store nothing. @param {string} [seen] to store now */
function seenLast(seen) {
  try {
    if (seen) localStorage.setItem(SEEN, seen);
    return localStorage.getItem(SEEN) ?? "";
  } catch {
    return seen ?? "";
  }
}

/**
 * Follows a view for as long as the page is open.
 * @param {string} view
 * @param {(moment: Moment) => void} onChange called after the parts were drawn
 * @param {(connected: boolean) => void} onConnection
 */
export function follow(view, onChange, onConnection) {
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = FIRST_WAIT_MS;
  let timer = 0;
  const connect = () => {
    clearTimeout(timer);
    const known = /** @type {Record<string, string[]>} */ ({}); // the lines of each part, as told on this connection
    // A connection that a sleeping phone holds up would go unnoticed for a minute.
    const mine = new WebSocket(`${location.origin.replace("http", "ws")}/live/${view}?seen=${seenLast()}`);
    socket?.close();
    socket = mine;
    mine.addEventListener("message", (event) => {
      if (socket !== mine) return;
      wait = FIRST_WAIT_MS;
      onConnection(true);
      const told = /** @type {Moment} */ (JSON.parse(event.data));
      // Another daemon no longer knows seats without a name, and may have other parts, style sheets and scripts.
      if (now && now.daemon !== told.daemon) return location.reload();
      now = told;
      seenLast(told.seen);
      for (const [name, lines] of Object.entries(told.parts)) {
        known[name] = lines.flatMap((each) => (typeof each === "string" ? each : known[name].slice(...each)));
        draw(name, known[name].join("\n"));
      }
      placeDice();
      onChange(told);
      keepAwake();
      document.dispatchEvent(new CustomEvent("drawn", { detail: told }));
    });
    mine.addEventListener("close", (event) => {
      if (socket !== mine) return;
      onConnection(false);
      letSleep();
      if (event.code === CANNOT_DRAW) return sayBroken();
      timer = setTimeout(connect, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    });
  };
  addEventListener("offline", () => onConnection(false));
  addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") connect();
  });
  placeDice();
  connect();
}

/** Says, in place of the lost connection, that the page does not recover by itself. */
function sayBroken() {
  for (const place of document.querySelectorAll("[data-connection], #away")) {
    place.textContent = document.documentElement.dataset.broken ?? "";
  }
}

/** Says on the page that the connection is lost, as long as it is. @param {boolean} connected */
export function showConnection(connected) {
  document.body.toggleAttribute("data-away", !connected);
  document.querySelector("[data-connection]")?.toggleAttribute("hidden", connected);
}

/**
 * @param {string} name
 * @param {string} html
 */
function draw(name, html) {
  const part = document.getElementById(name);
  if (!part) return;
  const wanted = document.createElement("template");
  wanted.innerHTML = html;
  // A fault is announced at once, everything else politely.
  const isUrgent = wanted.content.querySelector("[data-urgent]") !== null;
  if (part.hasAttribute("aria-atomic")) {
    part.setAttribute("role", isUrgent ? "alert" : "status");
    // Another sentence is not the same one elsewhere.
    const [before, after] = [part, wanted.content].map((each) => each.querySelector("h1"));
    if (before?.textContent !== after?.textContent) before?.remove();
  }
  makeLike(part, wanted.content);
}

/**
 * Makes the children of an element equal to the wanted ones, and keeps every element that stays, so animations go on.
 * @param {Element} old
 * @param {Element | DocumentFragment} wanted
 */
export function makeLike(old, wanted) {
  const kept = new Map([...old.children].filter((each) => each.id).map((each) => [each.id, each]));
  let place = old.firstChild;
  for (const next of [...wanted.childNodes]) {
    const same = next instanceof Element && next.id ? kept.get(next.id) : place && isLike(place, next) ? place : null;
    if (!same) {
      old.insertBefore(next, place);
      continue;
    }
    if (same === place) place = place.nextSibling;
    else old.insertBefore(same, place);
    if (same instanceof Element && next instanceof Element) {
      copyAttributes(same, next);
      makeLike(same, next);
    } else if (same.nodeValue !== next.nodeValue) same.nodeValue = next.nodeValue;
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    gone.remove();
  }
}

/**
 * @param {Node} old
 * @param {Node} wanted
 */
function isLike(old, wanted) {
  return old.nodeName === wanted.nodeName && !(old instanceof Element && old.id);
}

// Left alone: what people have opened or typed, and positions that a script has set.
const KEPT = new Set(["open", "value", "checked", "style"]);

/**
 * @param {Element} old
 * @param {Element} wanted
 */
function copyAttributes(old, wanted) {
  for (const name of old.getAttributeNames()) {
    if (!wanted.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name) ?? "";
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}
