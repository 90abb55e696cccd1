// Sentences with values filled in, from the patterns that the page carries.

/**
 * @param {string} pattern such as "Shut {tiles}"
 * @param {Record<string, string>} values
 */
export function fill(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/**
 * A list as it is spoken.
 * @param {string[]} items
 * @param {string} pattern "{list} and {last}"
 */
export function sayList(items, pattern) {
  if (items.length < 2) return items.join("");
  return fill(pattern, { list: items.slice(0, -1).join(", "), last: items[items.length - 1] });
}

/** Tiles by their names, as people call them. @param {Iterable<string>} names */
export function sayTiles(names) {
  const pattern = document.querySelector("[data-and]")?.getAttribute("data-and") ?? "{list}, {last}";
  const called = [...names].map((name) => document.getElementById(name)?.dataset.called ?? name);
  return sayList(called, pattern);
}
