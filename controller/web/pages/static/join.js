// The page on which people sit down.

import { follow, showConnection } from "./live.js";
import { request } from "./page.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const name = String(given.get("seat") ?? given.get("name") ?? "").trim();
  const code = String(given.get("code") ?? "");
  if (await request("POST", "/api/seats", { door: "page", names: name ? [name] : [], code })) location.assign("/");
});

form.addEventListener("click", async (event) => {
  if (!(event.target instanceof Element && event.target.closest("[data-leave]"))) return;
  // The client stays at the table, and can take another chair without a code.
  await request("POST", "/api/seats", { door: "page", names: [] });
});

follow("join", () => {}, showConnection);
