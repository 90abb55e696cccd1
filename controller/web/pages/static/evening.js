// Parts of a page that show an evening of many matches: each is asked for anew every few seconds.

for (const place of document.querySelectorAll("[data-evening]")) {
  let shown = "";
  const ask = async () => {
    const answer = await fetch(`/evening/parts/${place.getAttribute("data-evening")}`).catch(() => null);
    const html = answer?.ok ? await answer.text() : shown;
    if (html !== shown) place.innerHTML = shown = html;
    place.toggleAttribute("hidden", !shown);
  };
  setInterval(ask, 5000);
  ask();
}
