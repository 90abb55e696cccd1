// Learn by playing: begins the lesson, and shows who learns what is new at each moment, until he has had enough.

import { ask } from "./commands.js";
import { moment } from "./live.js";

const KEPT = "shutbox-lesson";

/**
 * What this device was told in a game: before, and what it is shown now.
 * @typedef {{game: number, before: string[], now: string[]}} Lesson
 */

/** @type {Lesson | null} */
let lesson = new URLSearchParams(location.search).has("lesson") ? kept() : null;
let isAsking = false;

/** @returns {Lesson} */
function kept() {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? "null") ?? { game: 0, before: [], now: [] };
}

function leave() {
  lesson = null;
  sessionStorage.removeItem(KEPT);
  history.replaceState(null, "", location.pathname);
  document.getElementById("lesson")?.replaceChildren();
}

/** Asks what is new; what was told last stays until something is. */
async function look() {
  const now = moment();
  const card = document.getElementById("lesson");
  if (!lesson || !now || !card || isAsking) return;
  if (lesson.game && lesson.game !== now.game_id) return leave();
  isAsking = true;
  const isBlank = !card.hasChildNodes();
  const said = isBlank ? lesson.before : [...lesson.before, ...lesson.now];
  const html = await fetchIdeas(said);
  isAsking = false;
  if (moment() !== now) return look();
  if (!html || !lesson) return;
  card.innerHTML = html;
  const ideas = card.querySelector("[data-ideas]")?.getAttribute("data-ideas")?.split(",") ?? [];
  lesson = { game: now.game_id, before: said, now: ideas };
  sessionStorage.setItem(KEPT, JSON.stringify(lesson));
}

/** @param {string[]} said */
async function fetchIdeas(said) {
  try {
    const answer = await fetch(`/lesson?said=${said.join(",")}`);
    return answer.ok ? (await answer.text()).trim() : "";
  } catch {
    return ""; // with the connection comes the next moment
  }
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
  const refused = await ask({ do: "start", game: form.dataset.learn, players, options: { first: "chosen" } });
  sessionStorage.removeItem(KEPT);
  const told = form.querySelector("[data-refused]");
  if (refused && told) told.textContent = refused;
  else location.assign("/play?lesson");
});
