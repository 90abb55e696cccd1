// The keypad: the dice on the field, face by face.

/**
 * The entered faces; null if one is missing, which is shown at its die.
 * @param {HTMLFormElement} form
 * @returns {number[] | null}
 */
export function saidFaces(form) {
  const lacking = [...form.querySelectorAll("fieldset:not([data-may-lack], :has(:checked))")];
  for (const die of lacking) die.setAttribute("data-lacks", "");
  lacking[0]?.querySelector("input")?.focus();
  return lacking.length ? null : facesIn(form);
}

/**
 * Updates the button: the dice that are already in play are not accepted as an answer.
 * @param {HTMLFormElement} form
 */
export function takeFaces(form) {
  const { thrown, same, whole } = form.dataset;
  for (const die of form.querySelectorAll("[data-lacks]:has(:checked)")) die.removeAttribute("data-lacks");
  const isSame =
    facesIn(form)
      .sort((a, b) => a - b)
      .join(" ") === thrown && thrown !== "";
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  button.disabled = isSame;
  button.textContent = (isSame ? same : whole) ?? "";
}

/** @param {HTMLFormElement} form */
function facesIn(form) {
  return [...new FormData(form).values()].map(Number);
}
