// Shares the picture of a game: as PNG, which messengers take, by the device's own menu or as a file.

/** The picture as PNG. @param {string} address @returns {Promise<Blob>} */
async function paint(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture")))));
}

/** @param {File} file */
async function give(file) {
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

document.addEventListener("click", async (event) => {
  const at = event.target instanceof Element ? event.target : null;
  const button = /** @type {HTMLButtonElement | null} */ (at?.closest("#share") ?? null);
  if (!button) return;
  const { picture = "", name = "", failed = "" } = button.dataset;
  const told = /** @type {HTMLElement} */ (document.getElementById("refused"));
  told.textContent = "";
  try {
    await give(new File([await paint(picture)], name, { type: "image/png" }));
  } catch (error) {
    // Whoever closes the menu of their device has shared nothing, and knows.
    if (!(error instanceof DOMException && error.name === "AbortError")) told.textContent = failed;
  }
});
