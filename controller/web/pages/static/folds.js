// Text that is longer than its place: cut off there, and opened over what lies below it, so that nothing moves.

const SLACK_PX = 8; // the ends of letters may reach out of their line

/** Offers to open each text that is cut off. @param {boolean} isNew if so, none stays open */
export function fold(isNew) {
  for (const button of document.querySelectorAll(".unfold")) {
    const text = /** @type {Element} */ (button.previousElementSibling);
    if (isNew) button.setAttribute("aria-expanded", "false");
    if (button.getAttribute("aria-expanded") === "true") continue;
    button.setAttribute("hidden", ""); // it takes room from the text
    const isCut = [text, ...text.children].some((each) => each.scrollHeight > each.clientHeight + SLACK_PX);
    button.toggleAttribute("hidden", !isCut);
  }
}

/** @param {Element} button */
export function toggleFold(button) {
  button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
}

addEventListener("resize", () => fold(true));
