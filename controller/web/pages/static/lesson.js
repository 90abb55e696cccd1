// Learning by playing: begins the lesson, and shows the new ideas of each moment until the learner stops it.

import { ask, send } from "./commands.js";
import { moment } from "./live.js";

const KEPT = "shutbox-lesson";
const TOLD = 200; // the status of an answer that says what to show

/**
 * The ideas that this device was told before in a game, and those it shows now.
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

/** Shows the ideas of this moment; ideas that no longer apply are not told again. */
async function look() {
  const now = moment();
  const card = document.getElementById("lesson");
  if (!lesson || !now || !card) return;
  if (lesson.game && lesson.game !== now.game_id) return leave();
  card.setAttribute("aria-busy", "true");
  const html = await fetchIdeas(lesson.before);
  // A newer moment has made its own request meanwhile.
  if (now !== moment()) return;
  card.removeAttribute("aria-busy");
  if (html === null || !lesson) return;
  // Drawing it again would lose the focus.
  if (html !== card.dataset.told) card.innerHTML = card.dataset.told = html;
  const ideas = card.querySelector("[data-ideas]")?.getAttribute("data-ideas")?.split(",") ?? [];
  if (ideas.length) speak(card);
  const over = lesson.now.filter((idea) => !ideas.includes(idea));
  // Ideas that are told again after an undo are told in their order from there on.
  const again = lesson.before.findIndex((idea) => ideas.includes(idea));
  const before = again < 0 ? [...lesson.before, ...over] : lesson.before.slice(0, again);
  lesson = { game: now.game_id, before, now: ideas };
  sessionStorage.setItem(KEPT, JSON.stringify(lesson));
}

/** The ideas to tell after these; null if the shown ones stay. @param {string[]} said */
async function fetchIdeas(said) {
  try {
    const answer = await fetch(`/lesson?said=${said.join(",")}`);
    return answer.status === TOLD ? (await answer.text()).trim() : null;
  } catch {
    return null; // with the connection comes the next moment
  }
}

/**
 * Shows the new ideas, and appends them to the sentence in the one live region for as long as they are shown.
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
  card.scrollIntoView({ block: "nearest" });
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
  // A simulated box is replaced to fit the game.
  const fit = await send("PUT", "/api/box", start);
  const refused = fit.ok ? await ask({ do: "start", players, ...start }, fit.body) : String(fit.body.error);
  sessionStorage.removeItem(KEPT);
  const told = form.querySelector("[data-refused]");
  if (refused && told) told.textContent = refused;
  else location.assign("/play?lesson");
});
