// The page on which people sit down.

import { follow, showConnection } from "./live.js";
import { request } from "./page.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  const seat = given.get("seat");
  const name = String(seat || given.get("name") || "").trim();
  const code = String(given.get("code") ?? "");
  const wanted = { door: "page", names: name ? [name] : [], code, next_game: seat === "" };
  if (await request("POST", "/api/seats", wanted)) location.assign("/");
});

form.addEventListener("click", async (event) => {
  if (!(event.target instanceof Element && event.target.closest("[data-leave]"))) return;
  // The client stays at the table, and can take another chair without a code.
  await request("POST", "/api/seats", { door: "page", names: [] });
});

const hasNone = !document.querySelector("[data-mine]"); // whoever comes with a seat wants to let others in
follow("join", () => hasNone && document.querySelector("[data-mine]") && location.assign("/play"), showConnection);
