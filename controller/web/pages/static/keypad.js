// The keypad: what lies there, face by face.

/**
 * The faces that were said; null where one lacks, which is said at its die.
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
 * Takes up what is said so far: the dice that are played already are no answer.
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
