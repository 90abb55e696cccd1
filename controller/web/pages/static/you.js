// A phone tells the hand that holds it when its player's turn comes.

const TELLS_MS = 200;
let was = true;

document.addEventListener("drawn", () => {
  const is = document.querySelector("[data-your-turn]") !== null;
  // A browser lets only a page move its device that was touched.
  if (is && !was && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TELLS_MS);
  was = is;
});
