// Small helpers: make elements, tell people something.

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

export function tell(text, polite = true) {
  const place = document.getElementById("live");
  place.setAttribute("aria-live", polite ? "polite" : "assertive");
  place.textContent = text;
}

const SHOWN = 5000; // milliseconds

// A short message over the page; several stand below each other. What comes back takes it away at once.
export function notice(text) {
  const place = document.getElementById("notice");
  const same = [...place.children].find((one) => one.textContent === text);
  if (same) same.remove();
  const line = h("div", text);
  place.append(line);
  place.hidden = false;
  const remove = () => {
    line.remove();
    place.hidden = !place.children.length;
  };
  setTimeout(remove, SHOWN);
  return remove;
}
