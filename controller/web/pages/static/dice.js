// The dice of the drawn box: where they lie, and how they come there.

const COMING = new Set(["waiting", "rolling", "reading"]);

let lay = false;
/** What the camera did a moment ago. */
let eye = "off";

/** Puts every die where it lies; those that have just been thrown on the page's own eyes tumble there. */
export function placeDice() {
  const dice = document.querySelector(".dice");
  for (const die of document.querySelectorAll(".die")) {
    if (!(die instanceof HTMLElement)) continue;
    for (const name of ["x", "y", "turn"]) die.style.setProperty(`--${name}`, die.dataset[name] ?? "0");
  }
  dice?.classList.toggle("roll", !lay && COMING.has(eye));
  lay = dice !== null;
  eye = document.querySelector("[data-eye]")?.getAttribute("data-eye") ?? "off";
}
