// The page of the backup: sends a file as it is, confirms what the box has found in it, or withdraws it.

import { send } from "./commands.js";
import { request } from "./page.js";

const sending = /** @type {HTMLFormElement | null} */ (document.getElementById("send"));
const confirming = /** @type {HTMLFormElement | null} */ (document.getElementById("confirm"));
const refused = /** @type {HTMLElement} */ (document.getElementById("refused"));

document.getElementById("keep")?.addEventListener("click", () => {
  const kept = /** @type {HTMLElement} */ (document.getElementById("kept"));
  kept.textContent = kept.dataset.kept ?? "";
});

sending?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const file = /** @type {File} */ (new FormData(sending).get("file"));
  const told = /** @type {HTMLElement} */ (sending.querySelector("[role=status]"));
  const button = /** @type {HTMLButtonElement} */ (sending.querySelector("button"));
  refused.textContent = "";
  if (file.size > Number(sending.dataset.most)) {
    refused.textContent = sending.dataset.tooLarge ?? "";
    return;
  }
  button.disabled = true;
  told.textContent = told.dataset.sending ?? "";
  const answer = await send("POST", "/api/restore", file);
  if (answer.ok) return location.reload();
  told.textContent = "";
  button.disabled = false;
  refused.textContent = answer.body.error;
  refused.focus();
});

confirming?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const anyway = new FormData(confirming).has("anyway");
  const wanted = { digest: confirming.dataset.digest, anyway };
  if (await request("POST", "/api/restore/confirmed", wanted)) location.reload();
});
