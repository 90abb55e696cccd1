// What a player of a race does at his own dice: which he keeps, and what they show where people say it.

import { send } from "./commands.js";
import { fill, sayList } from "./phrases.js";

const SET_SIZE = 6;

/** What was named last on this device, by player: the box keeps it to itself until all have. @type {Map<string, string>} */
const named = new Map();
/** The faces that are said so far, by their pad. @type {Map<string, string[]>} */
const said = new Map();
/** What was told of the odds, by what was asked: another throw is another question. @type {Map<string, string>} */
const told = new Map();

/**
 * The words of a command that are about one player: whose it is, and what he names or keeps.
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
 * The faces that are kept; the dice then lie as the box says, and nothing is marked any more.
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

/** A tap on a pad: one face more, or one less. @param {HTMLElement} button */
export function tapPad(button) {
  const pad = button.closest("[data-pad]");
  if (!pad) return;
  const faces = said.get(pad.id) ?? [];
  if (button.dataset.face && faces.length < SET_SIZE) faces.push(button.dataset.face);
  if (button.dataset.fewer !== undefined) faces.pop();
  said.set(pad.id, faces);
  showPad(pad);
}

/** What was said at a pad, as a command; null as long as a face lacks. @param {HTMLFormElement} pad */
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
 * The odds on request: which dice to keep, or how long it takes where the box does not know them.
 * @param {HTMLElement} button which has the question and the sentences
 */
export async function tellThrows(button) {
  const { question = "", counting = "" } = button.dataset;
  told.set(question, counting);
  showRace();
  const { ok, body } = await send("POST", "/api/odds", JSON.parse(question));
  told.set(question, ok ? sayThrows(button.dataset, body) : String(body.error));
  showRace();
  // Whoever asked hears the answer so; the page has one place only that speaks by itself.
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

/** Marks again what the box does not tell: what was named here, and the faces that are said so far. */
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
