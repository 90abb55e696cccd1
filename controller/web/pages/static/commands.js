// Commands to the box, and its answers where it refuses.

import { moment } from "./live.js";

const AGAIN_MS = 600;
// Players of a race act at the same time: a command is meant for the round, whatever the others have done meanwhile.
const AT_ONCE = new Set(["name", "throw", "shout", "claim", "withdraw"]);

/**
 * Sends a command, meant for the moment that the page shows now.
 * @param {Record<string, unknown>} command
 * @param {{game_id: number, event: number} | null} now the moment it is meant for, if the page does not show it yet
 * @returns {Promise<string | null>} the reason of a refusal, in a line; null if it was done
 */
export async function ask(command, now = moment()) {
  const event = now && !AT_ONCE.has(String(command.do)) ? { event: now.event } : {};
  const meant = now && now.game_id ? { game_id: now.game_id, ...event } : {};
  const whole = { ...command, ...meant, key: newKey() };
  let answer = await send("POST", "/api/commands", whole);
  if (answer.isLost) {
    // It is unknown whether the command was done; sent again with the same key it is done only once.
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    answer = await send("POST", "/api/commands", whole);
  }
  return answer.ok ? null : String(answer.body.error);
}

/**
 * The answer of the API; if none arrives, a refusal that says so in the words of the page.
 * @typedef {{ok: boolean, isLost: boolean, body: any}} Answer
 */

/**
 * Sends a request to the API.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body] JSON, or a backup as it is
 * @param {Record<string, string>} [more] headers
 * @returns {Promise<Answer>}
 */
export async function send(method, path, body, more) {
  const isFile = body instanceof File;
  const headers = { "Content-Type": isFile ? "application/gzip" : "application/json", ...more };
  try {
    const sent = isFile || body === undefined ? body : JSON.stringify(body);
    const answer = await fetch(path, { method, headers, body: sent });
    const text = await answer.text();
    return { ok: answer.ok, isLost: false, body: text ? JSON.parse(text) : {} };
  } catch {
    return { ok: false, isLost: true, body: { error: document.documentElement.dataset.lost } };
  }
}

function newKey() {
  // crypto.randomUUID needs https, which a box at home does not have.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}
