// The page of the report: copies it, or selects it where a page may not copy, as without https.

const button = /** @type {HTMLElement} */ (document.getElementById("copy"));
const told = /** @type {HTMLElement} */ (document.getElementById("copied"));
const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text"));

button.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(text.value);
    told.textContent = button.dataset.copied ?? "";
  } catch {
    told.textContent = button.dataset.byHand ?? "";
    text.hidden = false;
    text.focus();
    text.select();
  }
});
