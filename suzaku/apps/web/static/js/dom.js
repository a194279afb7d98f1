// Small helpers: make elements, keep settings, ask the server.

// An element: h("tag.class", properties, children); properties may be left out, children that are nothing are skipped.
export function h(selector, ...rest) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const plain = rest.length && Object.getPrototypeOf(rest[0] ?? "") === Object.prototype;
  const props = plain ? rest[0] : {};
  const children = plain ? rest.slice(1) : rest;
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "value" || key === "checked" || key === "disabled" || key === "selected") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  const nothing = (child) => child === null || child === undefined || child === false;
  element.append(...children.flat(Infinity).filter((child) => !nothing(child)));
  return element;
}

const USUAL = {
  language: (navigator.language || "en").slice(0, 2),
  theme: "auto",
  tiles: "labels",
  name: "",
  waits: true,
  hints: false,
  autoPass: false,
  autoWin: false,
  autoDrawn: true,
  confirm: matchMedia("(pointer: coarse)").matches,
};
const kept = JSON.parse(localStorage.getItem("suzaku") || "{}");
export const settings = { ...USUAL, ...kept };
if (!["en", "ja", "zh"].includes(settings.language)) settings.language = "en";

export function keep(name, value) {
  settings[name] = value;
  kept[name] = value;
  localStorage.setItem("suzaku", JSON.stringify(kept));
}

export async function ask(path, options) {
  const response = await fetch(path, options);
  const text = await response.text();
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error(response.statusText || "no answer");
  }
  if (!response.ok) throw new Error(typeof data.detail === "string" ? data.detail : response.statusText);
  return data;
}

export function tell(text, polite = true) {
  const place = document.getElementById("live");
  place.setAttribute("aria-live", polite ? "polite" : "assertive");
  place.textContent = text;
}

let hiding = 0;
export function notice(text) {
  const place = document.getElementById("notice");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (place.hidden = true), 4000);
}
