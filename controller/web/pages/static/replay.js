// A game played again: steps by buttons, links, arrow keys or by itself, without loading the page anew.

import { placeDice } from "./dice.js";
import { makeLike } from "./live.js";

const STEP_MS = 1600;
const LOOK_AGAIN_MS = 2500;

/** What steps on by itself, while it does. @type {number | undefined} */
let running;
/** What looks again whether the odds are worked out. @type {number | undefined} */
let waiting;
/** The address that was asked for last. */
let wanted = "";

/** Where a step leads; null where there is none. @param {string} rel */
function link(rel) {
  return /** @type {HTMLAnchorElement | null} */ (document.querySelector(`#steps [rel=${rel}][href]`));
}

/** Shows the page of another throw in place of this one. @param {string} address */
async function show(address) {
  wanted = address;
  // Another look at the page that is shown would come between this step and its answer.
  clearTimeout(waiting);
  const html = await load(address);
  // Answers may come in another order than they were asked for.
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
 * @returns {Promise<string>} empty where it cannot be had
 */
async function load(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

/** Puts the dice where they lie, and shows the button that a page without script has no use for. */
function offer() {
  placeDice();
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
    // From its end a game is played again from its beginning.
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
