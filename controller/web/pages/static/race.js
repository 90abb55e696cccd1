// A race player's own dice: which to keep, and their faces if people enter them.

import { send } from "./commands.js";
import { fill, sayList } from "./phrases.js";

const SET_SIZE = 6;

/** The combination last named on this device, by player: the box hides it until all have named one. @type {Map<string, string>} */
const named = new Map();
/** The faces entered so far, by pad. @type {Map<string, string[]>} */
const said = new Map();
/** The odds, by question: another throw is another question. @type {Map<string, string>} */
const told = new Map();

/**
 * The fields of a command that concern one player: the player, and what they name or keep.
 * @param {HTMLElement} button
 * @returns {Record<string, unknown>}
 */
export function wordsOf(button) {
  const { player, combination, of: dice } = button.dataset;
  if (!player) return {};
  if (button.dataset.do === "name" && combination) named.set(player, combination);
  return { player, ...(combination ? { combination } : {}), ...(dice ? { keep: keep(dice) } : {}) };
}

/**
 * The kept faces; afterwards the dice are drawn as the box says, and nothing is marked.
 * @param {string} id
 */
function keep(id) {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById(id));
  const kept = [...(form?.querySelectorAll("input") ?? [])].filter((each) => each.checked);
  form?.reset();
  return kept.map((each) => face(each.value));
}

/** @param {string} value */
function face(value) {
  return Number(value) || value;
}

/** A tap on a pad adds or removes a face. @param {HTMLElement} button */
export function tapPad(button) {
  const pad = button.closest("[data-pad]");
  if (!pad) return;
  const faces = said.get(pad.id) ?? [];
  if (button.dataset.face && faces.length < SET_SIZE) faces.push(button.dataset.face);
  if (button.dataset.fewer !== undefined) faces.pop();
  said.set(pad.id, faces);
  showPad(pad);
}

/** The faces of a pad as a command; null while a face is missing. @param {HTMLFormElement} pad */
export function claimOf(pad) {
  const faces = said.get(pad.id) ?? [];
  if (faces.length < SET_SIZE) return null;
  said.delete(pad.id);
  showPad(pad);
  return { do: "claim", player: pad.dataset.player, dice: faces.map(face) };
}

/** @param {Element} pad */
function showPad(pad) {
  const faces = said.get(pad.id) ?? [];
  const line = /** @type {HTMLElement} */ (pad.querySelector(".said"));
  const names = faces.map((each) => pad.querySelector(`[data-face="${each}"]`)?.getAttribute("aria-label") ?? each);
  line.textContent = names.length ? names.join(" · ") : (line.dataset.none ?? "");
  pad.querySelector("[type=submit]")?.setAttribute("aria-disabled", String(faces.length < SET_SIZE));
}

/**
 * The odds on request: which dice to keep, or how long it takes if the box does not know the dice.
 * @param {HTMLElement} button carries the question and the sentences
 */
export async function tellThrows(button) {
  const { question = "", counting = "" } = button.dataset;
  told.set(question, counting);
  showRace();
  const { ok, body } = await send("POST", "/api/odds", JSON.parse(question));
  told.set(question, ok ? sayThrows(button.dataset, body) : String(body.error));
  showRace();
  // A screen reader says the answer this way; the page has only one live region.
  /** @type {HTMLElement | null} */ (document.querySelector(`#${button.parentElement?.id} .hint`))?.focus();
}

/** @param {DOMStringMap} sentences @param {Record<string, unknown>} answer */
function sayThrows(sentences, { value, best }) {
  if (value === 0) return sentences.has ?? "";
  if (typeof value !== "number") return sentences.never ?? "";
  const throws = value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
  const keep = /** @type {string[][] | undefined} */ (best)?.[0];
  const dice = sayList((keep ?? []).map((each) => (Number(each) ? String(each) : (sentences.joker ?? ""))), sentences.and ?? "");
  return fill((keep ? (keep.length ? sentences.keep : sentences.none) : sentences.throws) ?? "", { dice, throws });
}

/** Marks again what the box does not send: the combination named here, and the faces entered so far. */
export function showRace() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-question]"))) {
    const line = told.get(button.dataset.question ?? "") ?? "";
    Object.assign(button.nextElementSibling ?? {}, { textContent: line, hidden: !line });
  }
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-do=name]"));
  if (!buttons.length) named.clear();
  for (const button of buttons) {
    const isNamed = named.get(button.dataset.player ?? "") === button.dataset.combination;
    button.setAttribute("aria-pressed", String(isNamed));
  }
  const pads = document.querySelectorAll("[data-pad]");
  if (!pads.length) said.clear();
  pads.forEach(showPad);
}
