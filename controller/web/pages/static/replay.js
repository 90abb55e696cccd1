// The replay of a game: it steps by buttons, links, arrow keys or automatically, without reloading the page.

import { placeDice } from "./dice.js";
import { makeLike } from "./live.js";

const STEP_MS = 1600;
const LOOK_AGAIN_MS = 2500;

/** The timer of automatic steps, while they run. @type {number | undefined} */
let running;
/** The timer that checks again whether the odds are computed. @type {number | undefined} */
let waiting;
/** The last requested address. */
let wanted = "";

/** The link of a step; null if there is none. @param {string} rel */
function link(rel) {
  return /** @type {HTMLAnchorElement | null} */ (document.querySelector(`#steps [rel=${rel}][href]`));
}

/** Shows the page of another throw in place of this one. @param {string} address */
async function show(address) {
  wanted = address;
  // A pending check for the odds would come between this step and its answer.
  clearTimeout(waiting);
  const html = await load(address);
  // Answers may arrive in another order than their requests.
  if (wanted !== address) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  const [old, main] = [document.querySelector("main"), page.querySelector("main")];
  if (old && main) {
    makeLike(old, main);
    history.replaceState(null, "", address);
  }
  offer();
}

/**
 * @param {string} address
 * @returns {Promise<string>} empty if it cannot be loaded
 */
async function load(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

/** Puts the dice in their places, and shows the buttons that need a script. */
function offer() {
  placeDice();
  const share = document.getElementById("share");
  if (share) share.hidden = false;
  const button = document.getElementById("run");
  if (!button) return;
  if (!link("next")) stop();
  button.hidden = false;
  const label = running ? button.dataset.stop : button.dataset.run;
  if (label && button.textContent !== label) button.textContent = label;
  clearTimeout(waiting);
  if (document.querySelector("[data-waits]")) waiting = setTimeout(() => show(location.href), LOOK_AGAIN_MS);
}

function stop() {
  clearInterval(running);
  running = undefined;
}

async function run() {
  if (running) {
    stop();
  } else {
    running = setInterval(() => {
      const next = link("next");
      if (next) show(next.href);
    }, STEP_MS);
    // At the end of the game, the replay starts from the beginning.
    if (!link("next")) await show("?move=1");
  }
  offer();
}

document.addEventListener("click", (event) => {
  const at = event.target instanceof Element ? event.target : null;
  if (at?.closest("#run")) {
    run();
    return;
  }
  const to = at?.closest("a");
  if (!to?.href || to.hash || to.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  show(to.href);
});

document.addEventListener("keydown", (event) => {
  const at = event.target instanceof Element ? event.target : null;
  if (event.altKey || event.ctrlKey || event.metaKey || at?.closest(".scroll, select")) return;
  const on = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = document.documentElement.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  const to = event.key === on ? link("next") : event.key === back ? link("prev") : null;
  if (!to) return;
  event.preventDefault();
  stop();
  show(to.href);
});

offer();
