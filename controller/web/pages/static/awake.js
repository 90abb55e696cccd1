// Keeps the screen on, in browsers that can: those that reached the box by https, or run on it.

/** @type {WakeLockSentinel | null} */
let lock = null;
let isAsking = false;

/** Keeps it on while a game is on. A page that was hidden has lost that: it is to be called again once it is seen. */
export async function keepAwake() {
  if (!document.querySelector("h1[data-on]")) return letSleep();
  if (isAsking || (lock && !lock.released)) return;
  isAsking = true;
  lock = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null; // not on an empty battery
  isAsking = false;
}

/** Lets the screen go dark: the box may have been switched off. */
export function letSleep() {
  lock?.release();
}
