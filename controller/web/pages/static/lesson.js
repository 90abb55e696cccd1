// Learn by playing: begins the lesson, and shows who learns what is new at each moment, until he has had enough.

import { ask, send } from "./commands.js";
import { moment } from "./live.js";

const KEPT = "shutbox-lesson";
const TOLD = 200; // the status of an answer that says what to show

/**
 * What this device was told in a game: before, and what it is shown now.
 * @typedef {{game: number, before: string[], now: string[]}} Lesson
 */

/** @type {Lesson | null} */
let lesson = new URLSearchParams(location.search).has("lesson") ? kept() : null;

/** @returns {Lesson} */
function kept() {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? "null") ?? { game: 0, before: [], now: [] };
}

function leave() {
  lesson = null;
  sessionStorage.removeItem(KEPT);
  history.replaceState(null, "", location.pathname);
  const card = document.getElementById("lesson");
  card?.replaceChildren();
  card?.removeAttribute("aria-busy");
}

/** Shows what is told at this moment; what does not apply any more is not told again. */
async function look() {
  const now = moment();
  const card = document.getElementById("lesson");
  if (!lesson || !now || !card) return;
  if (lesson.game && lesson.game !== now.game_id) return leave();
  card.setAttribute("aria-busy", "true");
  const html = await fetchIdeas(lesson.before);
  // What has come meanwhile has asked for itself.
  if (now !== moment()) return;
  card.removeAttribute("aria-busy");
  if (html === null || !lesson) return;
  // Drawn anew it would lose the focus.
  if (html !== card.dataset.told) card.innerHTML = card.dataset.told = html;
  const ideas = card.querySelector("[data-ideas]")?.getAttribute("data-ideas")?.split(",") ?? [];
  if (ideas.length) speak(card);
  const over = lesson.now.filter((idea) => !ideas.includes(idea));
  // What is told again, because somebody went back, is told in its order from there on.
  const again = lesson.before.findIndex((idea) => ideas.includes(idea));
  const before = again < 0 ? [...lesson.before, ...over] : lesson.before.slice(0, again);
  lesson = { game: now.game_id, before, now: ideas };
  sessionStorage.setItem(KEPT, JSON.stringify(lesson));
}

/** What there is to say to who has heard of these; null where that stays as it is. @param {string[]} said */
async function fetchIdeas(said) {
  try {
    const answer = await fetch(`/lesson?said=${said.join(",")}`);
    return answer.status === TOLD ? (await answer.text()).trim() : null;
  } catch {
    return null; // with the connection comes the next moment
  }
}

/**
 * Has what is told spoken behind the sentence, in the one place that speaks by itself, for as long as it is told.
 * @param {Element} card
 */
function speak(card) {
  const say = document.getElementById("say");
  const text = [...card.querySelectorAll("[data-spoken]")].map((each) => each.textContent).join(" ");
  const before = say?.querySelector(".lesson-said");
  if (before?.textContent === text) return;
  before?.remove();
  const spoken = document.createElement("p");
  spoken.className = "sr lesson-said";
  spoken.textContent = text;
  say?.append(spoken);
}

document.addEventListener("drawn", look);
document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-leave-lesson]")) leave();
});

document.querySelector("[data-learn]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  const name = String(new FormData(form).get("name")).trim();
  const players = [{ name }, { name: form.dataset.house, house: true, strength: "steady" }];
  const start = { game: form.dataset.learn, options: { first: "chosen" } };
  // On a simulated box the box comes with the game.
  const fit = await send("PUT", "/api/box", start);
  const refused = fit.ok ? await ask({ do: "start", players, ...start }, fit.body) : String(fit.body.error);
  sessionStorage.removeItem(KEPT);
  const told = form.querySelector("[data-refused]");
  if (refused && told) told.textContent = refused;
  else location.assign("/play?lesson");
});
