// What people want done: asks the box, and says what it answers where it refuses.

import { moment } from "./live.js";

const AGAIN_MS = 600;
// Players race at once: what one does is meant for the round, whatever the others have done since the page was drawn.
const AT_ONCE = new Set(["name", "throw", "shout", "claim", "withdraw"]);

/**
 * Has the box carry out a command, meant for what the page shows now.
 * @param {Record<string, unknown>} command
 * @param {{game_id: number, event: number} | null} now what it is meant for, where that is not shown yet
 * @returns {Promise<string | null>} why not, in a line; null where it was done
 */
export async function ask(command, now = moment()) {
  const event = now && !AT_ONCE.has(String(command.do)) ? { event: now.event } : {};
  const meant = now && now.game_id ? { game_id: now.game_id, ...event } : {};
  const whole = { ...command, ...meant, key: newKey() };
  let answer = await send("POST", "/api/commands", whole);
  if (answer.isLost) {
    // Whether it was done nobody knows; with the same key it is done once all the same.
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    answer = await send("POST", "/api/commands", whole);
  }
  return answer.ok ? null : String(answer.body.error);
}

/**
 * What the API answers; where that does not arrive, a refusal that says so in the words of the page.
 * @typedef {{ok: boolean, isLost: boolean, body: any}} Answer
 */

/**
 * Speaks to the API.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<Answer>}
 */
export async function send(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    return { ok: answer.ok, isLost: false, body: text ? JSON.parse(text) : {} };
  } catch {
    return { ok: false, isLost: true, body: { error: document.documentElement.dataset.lost } };
  }
}

function newKey() {
  // crypto.randomUUID wants https, which a box at home has not.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}
