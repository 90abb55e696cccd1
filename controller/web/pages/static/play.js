// The page of the table: the effects of taps and keys.

import { chooseNothing, chosenTiles, step, takeUp, toggleMove, toggleTile, whyNot } from "./choosing.js";
import { ask, send } from "./commands.js";
import { fold, toggleFold } from "./folds.js";
import { forgetOdds, tellOdds } from "./hints.js";
import { saidFaces, takeFaces } from "./keypad.js";
import { callNew } from "./listen.js";
import { follow } from "./live.js";
import { claimOf, showRace, tapPad, tellThrows, wordsOf } from "./race.js";

const sure = /** @type {HTMLDialogElement} */ (document.getElementById("sure"));

/** The request that is under way. */
let asked = "";
let answered = Promise.resolve();
/** The last event shown. */
let shown = -1;
/** The stage of the evening that is shown: another one begins at the top of the page, where it says what to do. */
let stage = "";
/** Why the last command was refused: told until the next act here, whatever others do meanwhile. @type {string | null} */
let refused = null;
/** True while a keyboard player is at the action buttons. */
let isAtActs = false;

/**
 * Sends commands one after the other; a refusal is shown in the usual place.
 * @param {Record<string, unknown>} command
 */
function perform(command) {
  const wish = JSON.stringify(command);
  // A trembling tap counts as one tap.
  if (wish === asked) return;
  asked = wish;
  answered = answered.then(async () => {
    notice("refused", (refused = await ask(command)));
    if (asked === wish) asked = "";
  });
}

/**
 * Shows a line next to the sentence, before what stands there already, or removes it.
 * @param {string} id
 * @param {string | null} line
 */
function notice(id, line) {
  const old = document.getElementById(id);
  if (old?.textContent === line) return;
  old?.remove();
  if (line) {
    const place = document.createElement("p");
    place.id = id;
    place.className = "notice";
    place.textContent = line;
    document.querySelector("#say h1")?.after(place);
  }
  fold(false);
}

/** @param {"here" | "lost"} name */
function words(name) {
  return document.querySelector("[data-connection]")?.getAttribute(`data-${name}`) ?? "";
}

/** @param {HTMLElement} button */
function act(button) {
  const { do: kind, count, dice } = button.dataset;
  const faces = dice?.split(" ").map(Number);
  const vouched = button.dataset.vouched === undefined ? {} : { vouched: true };
  return perform({
    do: kind,
    ...(count ? { count: Number(count) } : {}),
    ...(faces ? { dice: faces } : {}),
    ...vouched,
    ...wordsOf(button),
  });
}

/** Starts the game that has just ended again, with the same players and options. */
async function playAgain() {
  const { ok, body } = await send("GET", "/api/state");
  if (!ok) return notice("refused", String(body.error));
  const players = /** @type {{name: string, house: string | null}[]} */ (body.seats).map(({ name, house }) =>
    house ? { name, house: true, strength: house } : { name },
  );
  perform({ do: "start", game: body.game, options: body.options, marks: body.marks, players });
}

/**
 * Asks for confirmation of an act that cannot be undone; the cancel button comes first.
 * @param {HTMLElement} button
 * @param {string} yes the label of the confirming button
 */
function askOnce(button, yes) {
  const [what, lost, answer] = sure.querySelectorAll("h2, p, [value=yes]");
  what.textContent = button.textContent;
  lost.textContent = button.dataset.lost ?? "";
  answer.textContent = yes;
  sure.returnValue = "";
  sure.onclose = () => sure.returnValue === "yes" && act(button);
  sure.showModal();
}

/** @param {MouseEvent} event */
function onClick(event) {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  notice("why", at?.matches(".tile[aria-disabled=true]") ? whyNot(at) : null);
  // A tap on a button without effect shows the reason, one on anything else removes it.
  const noUndo = document.getElementById("why-no-undo");
  if (noUndo) noUndo.hidden = at?.id !== "act-undo";
  if (!at || at.getAttribute("aria-disabled") === "true") return;
  notice("refused", (refused = null));
  // The tiles fall and the dice roll at the top, out of sight of whoever was down at the moves.
  if (at.matches("[data-confirm], [data-do=roll]")) scrollTo(0, 0);
  if (at.matches(".tile")) toggleTile(at);
  else if (at.matches("[data-tiles]")) toggleMove(at);
  else if (at.matches(".unfold")) toggleFold(at);
  else if (at.matches("[data-hint]")) tellOdds(at);
  else if (at.dataset.question) tellThrows(at);
  else if (at.closest("[data-pad]")) tapPad(at);
  // The second of two quick taps would hit what has replaced the target of the first; in a race, throws are quick.
  else if (event.detail > 1 && at.dataset.do !== "throw") return;
  else if (at.matches("[data-confirm]")) perform({ do: "choose", tiles: chosenTiles() });
  else if (at.matches("[data-again]")) playAgain();
  else if (at.dataset.asks) askOnce(at, at.dataset.asks);
  else if (at.dataset.do) act(at);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const at = event.target instanceof Element ? event.target : null;
  if (at?.matches("button") && event.repeat) {
    event.preventDefault();
  } else if (at?.matches(".tile") && event.key.startsWith("Arrow")) {
    event.preventDefault();
    step(at, event.key);
  } else if (event.key === "Escape") {
    if (sure.open) return;
    const open = at?.closest("details[open]");
    if (!open) return chooseNothing();
    open.removeAttribute("open");
    open.querySelector("summary")?.focus();
  }
}

/** @param {SubmitEvent} event */
function onKeypad(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.method === "dialog") return;
  event.preventDefault();
  const claim = form.dataset.pad === undefined ? null : claimOf(form);
  if (claim) return perform(claim);
  if (!form.dataset.keypad) return;
  const dice = saidFaces(form);
  if (dice) perform({ do: form.dataset.keypad, dice });
}

/** Moves the focus to the next action if the button that had it is gone. */
function keepFocus() {
  if (!isAtActs || document.activeElement !== document.body) return;
  const next = document.querySelector("#fault .go, #acts .go");
  if (next instanceof HTMLElement) next.focus();
}

document.addEventListener("focusin", (event) => {
  isAtActs = event.target instanceof Element && event.target.closest("#acts, #fault") !== null;
});
document.addEventListener("click", onClick);
document.addEventListener("keydown", onKey);
document.addEventListener("submit", onKeypad);
document.addEventListener("change", (event) => {
  const form = event.target instanceof Element ? event.target.closest("form") : null;
  if (form?.dataset.keypad) takeFaces(form);
});

follow(
  document.body.dataset.view ?? "play",
  (moment) => {
    fold(moment.event !== shown);
    if (moment.event !== shown) {
      notice("why", null);
      sure.close();
      forgetOdds();
    }
    shown = moment.event;
    notice("refused", refused);
    takeUp();
    for (const form of document.forms) if (form.dataset.keypad) takeFaces(form);
    showRace();
    keepFocus();
    const next = document.querySelector("[data-stage]")?.getAttribute("data-stage") ?? "";
    if (stage && next !== stage) scrollTo(0, 0);
    stage = next;
    callNew();
  },
  (connected) => {
    document.body.toggleAttribute("data-away", !connected);
    const place = document.querySelector("[data-connection]");
    if (place) place.textContent = words(connected ? "here" : "lost");
    if (!connected !== !!document.getElementById("away")) notice("away", connected ? null : words("lost"));
  },
);
