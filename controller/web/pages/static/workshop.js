// Guided work on a page: begins a job, keeps its part of the page in step, and gives its answers.

import { makeLike } from "./live.js";
import { request, setLanguage } from "./page.js";

const LOOK_MS = 400; // while it runs; afterwards only others may begin another
const REST_MS = 3000;
const HOLD = "job-hold"; // the secret by which the box knows this device again, also after the page was closed

const part = /** @type {HTMLElement} */ (document.getElementById("job"));
const order = document.getElementById("order");
const eye = document.getElementById("eye");
const picture = /** @type {HTMLImageElement | null} */ (eye?.querySelector("img") ?? null);
const hold = keptHold();
let timer = 0;
let wasRunning = false;

/** What this browser has kept; it may keep nothing. @param {string} name */
function keptText(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} text null: no longer */
function keepText(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Then it is asked for again the next time.
  }
}

/** The secret of this browser; one that keeps nothing has another each time, and takes over what it began. */
function keptHold() {
  const fresh = [...crypto.getRandomValues(new Uint8Array(18))].map((each) => each.toString(16)).join("");
  const kept = keptText(HOLD) ?? fresh;
  keepText(HOLD, kept);
  return kept;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function tell(method, path, body) {
  const answer = await request(method, path, body, { "Job-Hold": hold });
  await look();
  return answer;
}

async function look() {
  clearTimeout(timer);
  let runs = wasRunning;
  try {
    const answer = await fetch("/workshop/job", { headers: { "Job-Hold": hold } });
    if (answer.ok) {
      const wanted = document.createElement("template");
      wanted.innerHTML = await answer.text();
      runs = draw(wanted.content);
    }
  } catch {
    // The box does not answer: it is asked again, and ends the job by itself if nobody comes back.
  }
  timer = setTimeout(look, runs ? LOOK_MS : REST_MS);
}

/** @param {DocumentFragment} wanted */
function draw(wanted) {
  const work = wanted.querySelector("#work");
  // The last job of another page says nothing here.
  if (work && work.getAttribute("data-kind") !== document.body.dataset.kind && !work.hasAttribute("data-runs")) {
    work.remove();
  }
  const runs = work?.hasAttribute("data-runs") ?? false;
  const sees = work?.hasAttribute("data-sees") ?? false;
  makeLike(part, wanted);
  if (wasRunning && !runs && part.querySelector("[data-well]")) showNext();
  wasRunning = runs;
  order?.toggleAttribute("hidden", runs);
  document.getElementById("next")?.toggleAttribute("hidden", runs);
  eye?.toggleAttribute("hidden", !sees);
  // The next picture is fetched once the last one has come, however slow the line is.
  if (sees && picture?.complete) picture.src = `/api/job/picture?at=${Date.now()}`;
  return runs;
}

/** The step of a first start is done: its tick and the link to the next one say so. */
function showNext() {
  document.getElementById("due")?.setAttribute("hidden", "");
  document.querySelector(".stages [aria-current] [hidden]")?.removeAttribute("hidden");
  const next = document.getElementById("next");
  if (!next) return;
  next.textContent = next.dataset.done ?? "";
  next.classList.add("go");
  // Above what may be a long result.
  if (next.parentElement) part.before(next.parentElement);
}

/** @param {HTMLFormElement} form */
function orderOf(form) {
  const given = new FormData(form);
  const text = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
  switch (form.dataset.order) {
    case "servos":
      return { tiles: given.getAll("tiles") };
    case "camera":
      return { mains_hz: Number(text("mains_hz")) };
    case "dice":
      return {
        name: text("name"),
        sides: Number(text("sides")),
        labels: given.getAll("label").map((label, place) => [place + 1, String(label).trim()]),
        colours: text("colours").split(",").map((each) => each.trim()).filter(Boolean),
        // A simulated set is laid by itself.
        ask: !form.hasAttribute("data-simulated"),
      };
    default:
      return {};
  }
}

/** @param {string} box @param {string} next the page afterwards */
async function choose(box, next) {
  if (await request("PUT", "/api/box/profile", { profile: box })) location.assign(next);
}

/** @param {string} language @param {string} next the page afterwards */
function speak(language, next) {
  setLanguage(language);
  location.assign(next);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const by = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (form.dataset.order) {
    event.preventDefault();
    const byHand = by?.name === "by_hand" ? { by_hand: true } : {};
    tell("POST", "/api/job", { kind: form.dataset.order, ...orderOf(form), ...byHand });
  } else if (form.dataset.asked) {
    event.preventDefault();
    const names = by?.dataset.name ? [by.dataset.name] : new FormData(form).getAll("names");
    tell("POST", "/api/job/answer", { asked: Number(form.dataset.asked), answer: by?.value, names });
  }
});

document.addEventListener("click", (event) => {
  const at = event.target instanceof Element ? event.target.closest("button") : null;
  if (at?.hasAttribute("data-cancel")) tell("DELETE", "/api/job");
  if (at?.dataset.speak) speak(at.dataset.speak, at.dataset.next ?? "");
  if (at?.dataset.box) choose(at.dataset.box, at.dataset.next ?? "");
  if (at?.hasAttribute("data-take")) tell("POST", "/api/job/hold", { hold });
});

// A die of twenty sides has more faces to name.
for (const each of document.querySelectorAll("input[name=sides]")) {
  each.addEventListener("change", () => {
    const sides = Number(/** @type {HTMLInputElement} */ (each).value);
    document.querySelectorAll(".faces label").forEach((label, place) => {
      label.toggleAttribute("hidden", place >= sides);
      label.querySelector("input")?.toggleAttribute("disabled", place >= sides);
    });
  });
}

// The steps of the first power-up that are ticked off stay so on this device.
for (const each of document.querySelectorAll("[data-tick]")) {
  const box = /** @type {HTMLInputElement} */ (each);
  const name = `tick ${box.dataset.tick}`;
  box.checked = keptText(name) !== null;
  box.addEventListener("change", () => keepText(name, box.checked ? "yes" : null));
}

look();
