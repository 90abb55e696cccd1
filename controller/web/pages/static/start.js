// The page that starts a game: the game, its options, its players.

import { ask } from "./commands.js";
import { follow, showConnection } from "./live.js";
import { request } from "./page.js";
import { fill } from "./phrases.js";

const KIOSK_GOES_BACK_MS = 180_000;

const form = /** @type {HTMLFormElement} */ (document.getElementById("start"));
const players = /** @type {HTMLElement} */ (document.getElementById("players"));
const terms = /** @type {HTMLElement} */ (document.getElementById("terms"));
const refused = /** @type {HTMLElement} */ (document.getElementById("refused"));
const isKiosk = document.body.hasAttribute("data-kiosk");

/** The players added to the list because they sat down; a player removed from it is not added again. */
const seen = new Set();
/** The request for the options of the last chosen game. */
let changing = Promise.resolve();
const isGameOn = () => document.querySelector("[data-game-on]") !== null;
/** A game that was on when the page was opened does not lead away from it. */
let wasOn = isGameOn();
let isStarting = false;

const names = () => [...players.querySelectorAll("input")];

/**
 * @param {string} template
 * @param {string} name if empty, that of the template; one that is taken gets a number
 */
function addPlayer(template, name) {
  const taken = new Set(names().map((each) => each.value.trim()));
  players.append(/** @type {HTMLTemplateElement} */ (document.getElementById(template)).content.cloneNode(true));
  const added = names()[names().length - 1];
  const wanted = (added.value = name || added.value);
  for (let number = 2; taken.has(added.value); number++) added.value = `${wanted} ${number}`;
  checkNames();
  if (!name && !isKiosk) added.select();
}

/** Reports a duplicate name at the second player, labels every button of a player with the name, and offers no name twice. */
function checkNames() {
  const given = names().map((each) => each.value.trim());
  for (const add of form.querySelectorAll("[data-add]")) add.toggleAttribute("hidden", given.includes(add.textContent ?? ""));
  for (const [number, input] of names().entries()) {
    input.setCustomValidity(given.indexOf(given[number] ?? "") < number ? (players.dataset.twice ?? "") : "");
    for (const button of input.closest("[data-player]")?.querySelectorAll("[data-says]") ?? []) {
      button.setAttribute("aria-label", (button.getAttribute("data-says") ?? "").replace("{name}", input.value));
    }
  }
}

/**
 * Lets a person into the list: in the place of the first who only stands in for somebody. With a second person there,
 * the house that played because one was alone leaves.
 * @param {string} name
 */
function seat(name) {
  if (names().some((input) => input.value.trim() === name)) return;
  const free = names().find((input) => input.closest("[data-stands-in]:not([data-house])"));
  free?.closest("[data-player]")?.removeAttribute("data-stands-in");
  if (free) free.value = name;
  else addPlayer("person", name);
  const people = players.querySelectorAll("[data-player]:not([data-house])");
  if (people.length > 1) players.querySelectorAll("[data-house][data-stands-in]").forEach((each) => each.remove());
  checkNames();
}

/** Lets those in who sit down at their phones. */
function addWaiting() {
  for (const each of document.querySelectorAll("[data-waiting]")) {
    const name = each.getAttribute("data-waiting") ?? "";
    if (!seen.has(name)) seat(name);
    seen.add(name);
  }
}

/** Hides options without effect, and the value of the document where it is the chosen one. */
function showTerms() {
  for (const option of terms.querySelectorAll("[data-unless]")) {
    const other = /** @type {HTMLSelectElement | null} */ (
      terms.querySelector(`[name="${option.getAttribute("data-unless")}"]`)
    );
    const values = (option.getAttribute("data-values") ?? "").split(" ");
    const isHidden = option.toggleAttribute("hidden", other !== null && values.includes(other.value));
    // Hidden options are not sent, nor is what was typed into them before.
    option.querySelector("select, input")?.toggleAttribute("disabled", isHidden);
  }
  for (const said of terms.querySelectorAll("[data-default]")) {
    const field = /** @type {HTMLInputElement | undefined} */ (said.closest("label")?.querySelector("select, input"));
    said.toggleAttribute("hidden", field?.value === said.getAttribute("data-default"));
  }
}

/** Shows the options of another game, and names it on the button that starts it. @param {string} game */
async function changeGame(game) {
  // The options may take a moment, but the game is known.
  const button = form.querySelector(".go-on [data-says]");
  const title = chosenGame().dataset.title ?? game;
  if (button) button.textContent = fill(button.getAttribute("data-says") ?? "", { game: title });
  const answer = await fetch(`/start/${game}`).catch(() => null);
  if (chosenGame().value !== game) return;
  // Options of another game do not apply; without any, the game is played as in its document.
  terms.innerHTML = answer?.ok ? await answer.text() : "";
  refused.textContent = answer?.ok ? "" : (document.documentElement.dataset.lost ?? "");
  showTerms();
}

const chosenGame = () => /** @type {HTMLInputElement} */ (form.querySelector("[name=game]:checked"));

async function startGame() {
  await changing;
  const given = /** @type {[string, string][]} */ ([...new FormData(form)]);
  // Where nothing is named, what is usual follows from the other options.
  const { game, name: _name, strength: _strength, marks: set, ...options } = Object.fromEntries(given.filter(([, value]) => value));
  const seats = [...players.querySelectorAll("[data-player]")].map((each) => {
    const name = /** @type {HTMLInputElement} */ (each.querySelector("input")).value.trim();
    const strength = each.querySelector("select")?.value;
    return strength ? { name, house: true, strength } : { name };
  });
  // A simulated box is replaced to fit the game.
  const fit = await request("PUT", "/api/box", { game, options });
  const drawn = `/start/${game}/marks/${set}?${new URLSearchParams(options)}`;
  const marks = fit && (set ? await request("GET", drawn) : {});
  const line = marks ? await ask({ do: "start", game, options, players: seats, marks }, fit) : refused.textContent;
  if (line) showRefused(line);
}

/** Shows why the box does not start the game, at the option that causes it if there is one. @param {string} line */
function showRefused(line) {
  refused.textContent = line;
  const wrong = [...terms.querySelectorAll("[name]")].find((each) => line.startsWith(`${each.getAttribute("name")}=`));
  if (!(wrong instanceof HTMLElement)) return refused.focus();
  wrong.setAttribute("aria-invalid", "true");
  wrong.setAttribute("aria-describedby", refused.id);
  wrong.closest("details")?.setAttribute("open", "");
  wrong.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  // A double tap starts one game.
  if (isStarting) return;
  isStarting = true;
  await startGame();
  isStarting = false;
});

players.addEventListener("input", (event) => {
  // Whoever is named, or told how well to play, was chosen.
  if (event.target instanceof Element) event.target.closest("[data-player]")?.removeAttribute("data-stands-in");
  checkNames();
});

// Only a visible field can report an error.
terms.addEventListener(
  "invalid",
  (event) => event.target instanceof Element && event.target.closest("details")?.setAttribute("open", ""),
  true,
);

form.addEventListener("change", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name === "game") changing = changeGame(field.value);
  else if (terms.contains(field)) showTerms();
});

form.addEventListener("click", (event) => {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  const player = at?.closest("[data-player]");
  if (player && at?.matches("[data-remove]")) {
    player.remove();
    checkNames();
    players.focus();
  } else if (player && at?.matches("[data-earlier]")) {
    player.previousElementSibling?.before(player);
    at.focus();
  } else if (at?.dataset.add) {
    seat(at.dataset.add);
  } else if (at?.dataset.addFrom) {
    addPlayer(at.dataset.addFrom, at.dataset.name ?? "");
  }
});

if (isKiosk) {
  // The kiosk has no keyboard; a player who leaves makes room for the next one.
  const calm = () => names().forEach((each) => (each.inputMode = "none"));
  calm();
  new MutationObserver(calm).observe(players, { childList: true });
  let back = 0;
  const wait = () => {
    clearTimeout(back);
    back = setTimeout(() => location.assign("/kiosk"), KIOSK_GOES_BACK_MS);
  };
  wait();
  document.addEventListener("pointerdown", wait);
}

showTerms();
// A browser that returns to a page restores the choices made there, after its scripts have run.
addEventListener("pageshow", () => {
  checkNames();
  if (!chosenGame().defaultChecked) changing = changeGame(chosenGame().value);
});
follow(
  "start",
  () => {
    const isOn = isGameOn();
    if (isOn && !wasOn) location.assign(isKiosk ? "/kiosk" : "/");
    wasOn = isOn;
    addWaiting();
  },
  showConnection,
);
