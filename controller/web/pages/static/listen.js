// What the table says, aloud: the calls that the box sends, by the browser's voice, and a short sound before them.

/** Frequencies in hertz of the sounds, one after the other. @type {Record<string, number[]>} */
const SOUNDS = {
  throw: [660],
  move: [220],
  end: [523, 659],
  shut: [523, 659, 784, 1047],
  warning: [660, 440],
  help: [880, 660, 880],
};
const TONE_S = 0.12;
const LOUDNESS = 0.2;

const view = document.body.dataset.view ?? "play";
const switches = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-listen]"));
const language = document.documentElement.lang;
/** The pages of this browser, of which only the one speaks whose voice was switched on last: when that was. */
let since = 0;
const pages = orNothing(() => new BroadcastChannel("listen"));
/** The keys of each kind that came last. @type {Map<string, string[]>} */
const last = new Map();
let isFirst = true;
/** @type {AudioContext | null} */
let audio = null;

/** @param {string} name */
function isOn(name) {
  return [...switches].some((each) => each.dataset.listen === name && each.checked && !each.disabled);
}

/** True in the hours of the settings, such as 22:00-07:00, by this device's clock. */
function isQuiet() {
  const [from, to] = (document.querySelector("[data-quiet]")?.getAttribute("data-quiet") ?? "").split("-");
  if (!to) return false;
  const now = new Date().toTimeString().slice(0, 5);
  return from < to ? from <= now && now < to : from <= now || now < to;
}

/** Makes the calls that are new since the last time. At first none: the page shows what was before. */
export function callNew() {
  /** @type {Map<string, string[]>} */
  const now = new Map([["help", []]]);
  for (const call of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-call]"))) {
    const { call: kind = "", key = "" } = call.dataset;
    now.set(kind, [...(now.get(kind) ?? []), key]);
    if (last.get(kind)?.includes(key) || isFirst || isQuiet()) continue;
    if (isOn("sounds")) sound(SOUNDS[kind] ?? []);
    if (isOn("voice") && call.textContent) speak(call.textContent, kind === "help" && !last.get(kind)?.length);
  }
  for (const [kind, keys] of now) last.set(kind, keys);
  isFirst = false;
}

/**
 * @param {string} text
 * @param {boolean} isUrgent what was to be said before is left out
 */
function speak(text, isUrgent) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = language;
  said.voice = voice() ?? null;
  if (isUrgent) speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

/** @param {number[]} tones */
function sound(tones) {
  if (audio?.state !== "running") return void audio?.resume(); // they would all sound at once later
  for (const [number, tone] of tones.entries()) {
    const [source, gain] = [new OscillatorNode(audio, { frequency: tone }), new GainNode(audio, { gain: LOUDNESS })];
    source.connect(gain).connect(audio.destination);
    source.start(audio.currentTime + number * TONE_S);
    source.stop(audio.currentTime + (number + 1) * TONE_S);
  }
}

/** A voice of the device itself: others send what they say to somebody else. */
function voice() {
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  return voices.find((each) => each.lang.toLowerCase().startsWith(language) && each.localService !== false);
}

/** Some browsers speak and sound only after they did so at a touch. */
function beginAtTouch() {
  if (isOn("sounds")) audio ??= new AudioContext();
  audio?.resume();
  if (isOn("voice")) speechSynthesis.speak(new SpeechSynthesisUtterance(""));
}

/**
 * A browser may keep nothing, and have its pages know nothing of each other.
 * @template T
 * @param {() => T} get
 * @returns {T | null}
 */
function orNothing(get) {
  try {
    return get();
  } catch {
    return null;
  }
}

function claimVoice() {
  since = Date.now() + Math.random();
  pages?.postMessage(since);
}

/** A browser may learn of its voices late. */
function offerVoice() {
  for (const each of switches) if (each.dataset.listen === "voice") each.disabled = !voice();
  if (isOn("voice")) claimVoice();
}

for (const each of switches) {
  const name = `listen.${view}.${each.dataset.listen}`;
  each.checked = orNothing(() => localStorage.getItem(name)) === "on";
  each.addEventListener("change", () => {
    orNothing(() => localStorage.setItem(name, each.checked ? "on" : ""));
    if (each.dataset.listen === "voice") each.checked ? claimVoice() : speechSynthesis.cancel();
    beginAtTouch();
  });
}
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, beginAtTouch, { once: true });
pages?.addEventListener("message", ({ data }) => {
  if (data < since) return;
  for (const each of switches) if (each.dataset.listen === "voice") each.checked = false;
  globalThis.speechSynthesis?.cancel();
});
globalThis.speechSynthesis?.addEventListener("voiceschanged", offerVoice);
addEventListener("pagehide", () => globalThis.speechSynthesis?.cancel());
offerVoice();
