// The dice of the drawn box: their places, and their way there.

const COMING = new Set(["waiting", "rolling", "reading"]);

let lay = false;
/** The last state of the camera. */
let eye = "off";

/** Puts every die in its place; dice whose throw this page has just seen tumble there. */
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
