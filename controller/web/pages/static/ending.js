// The end of a game: its luck, as soon as the odds are computed.

const AGAIN_MS = 2000;
const TOLD = 200; // the status of an answer that has it

let isAsking = false;

/** Asks for it while its place on the page is empty, until it is filled or gone. */
async function tellLuck() {
  const place = document.querySelector("[data-luck]:empty");
  if (!place || isAsking) return;
  isAsking = true;
  const answer = await fetch(place.getAttribute("data-luck") ?? "").catch(() => null);
  const html = answer?.status === TOLD ? (await answer.text()).trim() : null;
  isAsking = false;
  if (html) place.innerHTML = html;
  else if (answer?.ok && html === null) setTimeout(tellLuck, AGAIN_MS);
}

document.addEventListener("drawn", tellLuck);
