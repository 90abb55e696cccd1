// The page of the settings: each is saved by itself, and a refusal stands at its field.

import { send } from "./commands.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @param {HTMLFormElement} form */
function fieldOf(form) {
  return /** @type {Field} */ (form.elements.namedItem("value"));
}

/** @param {HTMLFormElement} form */
function valueOf(form) {
  const field = fieldOf(form);
  switch (form.dataset.kind) {
    case "switch":
      return /** @type {HTMLInputElement} */ (field).checked;
    case "number":
      return Number(field.value);
    case "list":
      return field.value.split("\n").map((line) => line.trim()).filter(Boolean);
    default:
      return field.value.trim();
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {any} value
 */
function show(form, value) {
  const field = fieldOf(form);
  if (form.dataset.kind === "switch") /** @type {HTMLInputElement} */ (field).checked = value;
  else field.value = Array.isArray(value) ? value.join("\n") : String(value);
}

/**
 * @param {HTMLFormElement} form
 * @param {any} value
 */
async function save(form, value) {
  const field = fieldOf(form);
  const refused = /** @type {HTMLElement} */ (form.querySelector("[role=alert]"));
  const saved = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const usual = /** @type {HTMLElement} */ (form.querySelector("[data-usual]"));
  refused.textContent = saved.textContent = "";
  const isEmpty = form.dataset.kind === "number" && field.value === "";
  if (isEmpty || !field.checkValidity()) {
    // In the words of the browser, which knows the limits.
    refused.textContent = field.validationMessage;
    field.setAttribute("aria-invalid", "true");
    return field.focus();
  }
  const answer = await send("PUT", `/api/settings/${form.dataset.key}`, { value });
  field.removeAttribute("aria-invalid");
  if (!answer.ok) {
    field.setAttribute("aria-invalid", "true");
    refused.textContent = answer.body.error;
    return field.focus();
  }
  const row = answer.body.settings.find((/** @type {any} */ each) => each.key === form.dataset.key);
  show(form, row.value);
  if (document.activeElement === usual) field.focus();
  usual.hidden = JSON.stringify(row.value) === JSON.stringify(row.default);
  saved.textContent = form.dataset.saved ?? "";
  /** @type {HTMLElement} */ (document.getElementById("again")).hidden = false;
}

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.setting"))) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(form, valueOf(form));
  });
  form.querySelector("[data-usual]")?.addEventListener("click", () => {
    const usual = JSON.parse(form.dataset.default ?? "null");
    show(form, usual);
    save(form, usual);
  });
}
