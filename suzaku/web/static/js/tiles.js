// The names of tiles, and our own pictures of them as SVG symbols.
// Three styles: "l" classic with a label in the corner, "c" classic alone, "n" a large number and the sign of the suit.
// Of each there is one that lies on its side, whose face is upright too.
import { classic, flower, lying, numbers } from "./faces.js";

export const NAMES = [
  ..."mps".split("").flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n + suit)),
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => n + "z"),
  ...["0m", "0p", "0s"],
];
export const FLOWERS = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => n + "f"); // of MCR: four flowers, four seasons
export const INDEX = Object.fromEntries(NAMES.map((name, i) => [name, i]));
export const kindOf = (name) => (name[0] === "0" ? "5" + name[1] : name);

const body = (fill, edge, width = 30) =>
  `<rect x=".6" y=".6" width="${width - 1.2}" height="${68.8 - width}" rx="3.6" fill="url(#${fill})"` +
  ` stroke="${edge}" stroke-width=".9"/>`;

const flame = `<path d="M15 9.5c3.4 2.8 5.2 6 5.2 9.8 0 4.4-2.2 8-5.2 11.2-3-3.2-5.2-6.8-5.2-11.2 0-3.8 1.8-7 5.2-9.8Z"
fill="none" stroke="#ffd9b8" stroke-opacity=".65" stroke-width="1.1"/>`;

const shade = (id, above, below) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">` +
  `<stop offset="0" stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient>`;

const symbol = (id, inside, box = "30 40") => `<symbol id="${id}" viewBox="0 0 ${box}">${inside}</symbol>`;

const FACES = {
  l: (name) => classic(name, true),
  c: (name) => classic(name, false),
  n: numbers,
};

// Puts all symbols into the page, once.
export function installTiles() {
  let all = `<defs>${shade("tile-face", "#fffef9", "#f3eedf")}${shade("tile-back", "#d9662c", "#b9491a")}</defs>`;
  for (const name of [...NAMES, ...FLOWERS]) {
    const edge = name[0] === "0" ? "#c9a39a" : "#b9b2a0";
    for (const style of "lcn") {
      const face = name[1] === "f" ? flower(+name[0]) : FACES[style](name);
      all += symbol(style + name, body("tile-face", edge) + face);
      all += symbol(`${style}${name}-lying`, body("tile-face", edge, 40) + lying(style, name), "40 30");
    }
  }
  const back = body("tile-back", "#8f3a17") + flame;
  all += symbol("back", back);
  all += symbol("back-lying", `<g transform="matrix(0 1 -1 0 40 0)">${back}</g>`, "40 30");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.style.cssText = "position:absolute;width:0;height:0;overflow:hidden";
  svg.innerHTML = all;
  document.body.prepend(svg);
}
