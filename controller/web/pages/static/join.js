// The page on which somebody sits down.

import { send } from "./commands.js";
import { follow, showConnection } from "./live.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));
const refused = /** @type {HTMLElement} */ (document.getElementById("refused"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const name = String(given.get("seat") ?? given.get("name") ?? "").trim();
  const code = String(given.get("code") ?? "");
  const answer = await send("POST", "/api/seats", { door: "page", names: [name], code });
  if (answer.ok) location.assign("/");
  refused.textContent = answer.ok ? "" : String(answer.body.error);
});

follow("join", () => {}, showConnection);
