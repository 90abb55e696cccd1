// What people want done: asks the box, and says what it answers where it refuses.

import { moment } from "./live.js";

/**
 * Has the box carry out a command, meant for what the page shows now.
 * @param {Record<string, unknown>} command
 * @returns {Promise<string | null>} why not, in a line; null where it was done
 */
export async function ask(command) {
  const now = moment();
  const meant = now && now.game_id ? { game_id: now.game_id, event: now.event } : {};
  const answer = await send("POST", "/api/commands", { ...command, ...meant, key: newKey() });
  return answer.ok ? null : String(answer.body.error);
}

/**
 * Speaks to the API.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<{ok: boolean, body: any}>}
 */
export async function send(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  return { ok: answer.ok, body: text ? JSON.parse(text) : {} };
}

function newKey() {
  // crypto.randomUUID wants https, which a box at home has not.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
}
