// The dice of the drawn box: their places, and their way there.

let areComing = false;

/** Puts every die in its place; dice that have rolled on this page come to rest there. */
export function placeDice() {
  const dice = document.querySelector(".dice");
  for (const die of document.querySelectorAll(".die[data-x]")) {
    if (!(die instanceof HTMLElement)) continue;
    for (const name of ["x", "y", "turn"]) die.style.setProperty(`--${name}`, die.dataset[name] ?? "0");
  }
  const areRolling = dice?.matches(".tumbling") ?? false;
  dice?.classList.toggle("roll", areComing && !areRolling);
  areComing = areRolling;
}
