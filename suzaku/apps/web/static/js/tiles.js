// Our own tiles, drawn as SVG symbols. Characters are strokes, so that no font is needed.
// Three styles: "l" classic with a label in the corner, "c" classic alone, "n" a large number and the sign of the suit.

export const NAMES = [
  ..."mps".split("").flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n + suit)),
  ...[1, 2, 3, 4, 5, 6, 7].map((n) => n + "z"), "0m", "0p", "0s",
];
export const INDEX = Object.fromEntries(NAMES.map((name, i) => [name, i]));
export const kindOf = (name) => (name[0] === "0" ? "5" + name[1] : name);
export const sortKey = (name) => INDEX[kindOf(name)] * 2 + (name[0] === "0" ? 0 : 1);

const INK = "#23262b", RED = "#c8281f", GREEN = "#1c7a45", BLUE = "#1d4f9c", GREY = "#6c7480";

// Strokes in a square of 100: numbers are x, y, x, y ... of one stroke.
const STROKES = {
  1: [[8, 50, 92, 50]],
  2: [[20, 26, 80, 26], [8, 76, 92, 76]],
  3: [[16, 18, 84, 18], [24, 50, 76, 50], [8, 84, 92, 84]],
  4: [[12, 16, 12, 88], [12, 18, 88, 18, 88, 88], [12, 82, 88, 82], [38, 18, 36, 44, 24, 60], [62, 18, 62, 52, 66, 58, 82, 58]],
  5: [[14, 14, 86, 14], [46, 14, 34, 88], [20, 48, 74, 48, 70, 88], [6, 88, 94, 88]],
  6: [[50, 4, 50, 24], [8, 34, 92, 34], [36, 50, 12, 92], [62, 48, 90, 92]],
  7: [[8, 50, 92, 36], [42, 8, 42, 78, 50, 88, 86, 88, 90, 72]],
  8: [[38, 14, 30, 56, 8, 92], [56, 10, 66, 50, 94, 92]],
  9: [[40, 6, 38, 40, 28, 70, 8, 94], [10, 34, 68, 34, 66, 80, 72, 90, 90, 90, 93, 72]],
  m: [[8, 14, 92, 14], [34, 4, 34, 24], [66, 4, 66, 24], [24, 32, 24, 58], [24, 32, 76, 32, 76, 58], [24, 45, 76, 45],
    [24, 58, 76, 58], [50, 32, 50, 84], [14, 97, 14, 68, 86, 68, 86, 91, 77, 96], [34, 87, 64, 82], [59, 76, 68, 88]],
  E: [[10, 18, 90, 18], [50, 3, 50, 98], [22, 33, 22, 62], [22, 33, 78, 33, 78, 62], [22, 47, 78, 47], [22, 61, 78, 61],
    [48, 64, 8, 90], [52, 64, 92, 90]],
  S: [[10, 17, 90, 17], [50, 3, 50, 34], [14, 97, 14, 35, 86, 35, 86, 90, 76, 96], [36, 43, 42, 54], [64, 43, 58, 54],
    [28, 60, 72, 60], [24, 76, 76, 76], [50, 60, 50, 95]],
  W: [[8, 14, 92, 14], [14, 37, 14, 94], [14, 37, 86, 37, 86, 94], [14, 88, 86, 88], [38, 14, 37, 50, 24, 68], [62, 14, 62, 60, 70, 65, 84, 62]],
  N: [[40, 8, 40, 92], [10, 36, 40, 36], [6, 84, 40, 67], [60, 6, 60, 80, 68, 88, 90, 88, 93, 72], [60, 45, 88, 28]],
  F: [[10, 11, 38, 11, 8, 44], [18, 23, 28, 32], [52, 5, 62, 22, 94, 44], [84, 7, 66, 18], [93, 20, 75, 28],
    [14, 51, 44, 51, 44, 63, 17, 63, 14, 77, 44, 77, 42, 94, 31, 96], [60, 49, 60, 60, 50, 68], [60, 49, 81, 49, 81, 61, 93, 64],
    [54, 75, 84, 75, 54, 98], [60, 78, 93, 98]],
  C: [[15, 27, 15, 63], [15, 27, 85, 27, 85, 63], [15, 60, 85, 60], [50, 3, 50, 98]],
};

function glyph(key, x, y, w, h, ink, weight) {
  const path = STROKES[key].map((s) => {
    let d = "";
    for (let i = 0; i < s.length; i += 2) d += `${i ? "L" : "M"}${(x + (s[i] * w) / 100).toFixed(2)} ${(y + (s[i + 1] * h) / 100).toFixed(2)}`;
    return d;
  }).join("");
  return `<path d="${path}" fill="none" stroke="${ink}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

const label = (text, ink) =>
  `<text x="2.6" y="10.6" font-size="${text.length > 1 ? 7.5 : 9.5}" font-weight="800" fill="${ink}" font-family="system-ui, sans-serif">${text}</text>`;

// Where the pips and sticks of a suit lie, as x, y in a box of 1 by 1.
const PIPS = {
  2: [[0.5, 0.22], [0.5, 0.78]],
  3: [[0.2, 0.16], [0.5, 0.5], [0.8, 0.84]],
  4: [[0.24, 0.22], [0.76, 0.22], [0.24, 0.78], [0.76, 0.78]],
  5: [[0.2, 0.18], [0.8, 0.18], [0.5, 0.5], [0.2, 0.82], [0.8, 0.82]],
  6: [[0.24, 0.14], [0.76, 0.14], [0.24, 0.52], [0.76, 0.52], [0.24, 0.86], [0.76, 0.86]],
  7: [[0.16, 0.1], [0.5, 0.2], [0.84, 0.3], [0.26, 0.58], [0.74, 0.58], [0.26, 0.88], [0.74, 0.88]],
  8: [[0.26, 0.1], [0.74, 0.1], [0.26, 0.37], [0.74, 0.37], [0.26, 0.63], [0.74, 0.63], [0.26, 0.9], [0.74, 0.9]],
  9: [[0.15, 0.12], [0.5, 0.12], [0.85, 0.12], [0.15, 0.5], [0.5, 0.5], [0.85, 0.5], [0.15, 0.88], [0.5, 0.88], [0.85, 0.88]],
};
const PIP_INK = {
  2: [GREEN, BLUE], 3: [BLUE, RED, GREEN], 4: [BLUE, GREEN, GREEN, BLUE], 5: [BLUE, GREEN, RED, GREEN, BLUE],
  6: [GREEN, GREEN, RED, RED, RED, RED], 7: [GREEN, GREEN, GREEN, RED, RED, RED, RED], 8: Array(8).fill(BLUE),
  9: [GREEN, GREEN, GREEN, RED, RED, RED, BLUE, BLUE, BLUE],
};
const PIP_SIZE = [0, 0, 5, 4.3, 4.6, 4.2, 4.2, 3.5, 3.6, 3.5];

function circles(n, red, top) {
  const height = 37 - top;
  if (n === 1) {
    const y = top + height / 2;
    return `<circle cx="15" cy="${y}" r="9.6" fill="${GREEN}"/><circle cx="15" cy="${y}" r="7.6" fill="#fffdf6"/>` +
      [0, 60, 120, 180, 240, 300].map((a) => `<circle cx="${15 + 5.2 * Math.cos(a * Math.PI / 180)}" cy="${y + 5.2 * Math.sin(a * Math.PI / 180)}" r="1.7" fill="${GREEN}"/>`).join("") +
      `<circle cx="15" cy="${y}" r="2.6" fill="${RED}"/>`;
  }
  return PIPS[n].map(([x, y], i) => {
    const ink = red ? RED : PIP_INK[n][i], r = PIP_SIZE[n], cx = 5 + x * 20, cy = top + y * height;
    return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${ink}"/><circle cx="${cx}" cy="${cy}" r="${r * 0.58}" fill="none" stroke="#fffdf6" stroke-width="${r * 0.22}"/>`;
  }).join("");
}

const STICKS = {
  2: [[0.5, 0.24], [0.5, 0.76]], 3: [[0.5, 0.24], [0.24, 0.76], [0.76, 0.76]],
  4: [[0.26, 0.24], [0.74, 0.24], [0.26, 0.76], [0.74, 0.76]],
  5: [[0.16, 0.24], [0.84, 0.24], [0.5, 0.5], [0.16, 0.76], [0.84, 0.76]],
  6: [[0.16, 0.24], [0.5, 0.24], [0.84, 0.24], [0.16, 0.76], [0.5, 0.76], [0.84, 0.76]],
  7: [[0.5, 0.15], [0.16, 0.5], [0.5, 0.5], [0.84, 0.5], [0.16, 0.85], [0.5, 0.85], [0.84, 0.85]],
  8: [[0.16, 0.15], [0.5, 0.15], [0.84, 0.15], [0.32, 0.5], [0.68, 0.5], [0.16, 0.85], [0.5, 0.85], [0.84, 0.85]],
  9: [[0.16, 0.15], [0.5, 0.15], [0.84, 0.15], [0.16, 0.5], [0.5, 0.5], [0.84, 0.5], [0.16, 0.85], [0.5, 0.85], [0.84, 0.85]],
};
const RED_STICK = { 5: [2], 7: [0], 9: [1, 4, 7] };

function bamboos(n, red, top) {
  const height = 37 - top;
  if (n === 1) return bird(15, top + height / 2);
  const long = n <= 6 ? height * 0.42 : height * 0.27, wide = n === 2 || n === 3 || n === 4 ? 4.4 : 4;
  return STICKS[n].map(([x, y], i) => {
    const ink = red || (RED_STICK[n] || []).includes(i) ? RED : GREEN, cx = 5 + x * 20, cy = top + y * height;
    return `<rect x="${cx - wide / 2}" y="${cy - long / 2}" width="${wide}" height="${long}" rx="${wide / 2}" fill="${ink}"/>` +
      `<path d="M${cx - wide / 2 - 0.5} ${cy}h${wide + 1}" stroke="#fffdf6" stroke-width="1.1"/>` +
      `<path d="M${cx} ${cy - long / 2 + 1.6}v${long - 3.2}" stroke="#fffdf6" stroke-width=".7" opacity=".7"/>`;
  }).join("");
}

// The vermilion bird, for the one of bamboos.
const bird = (x, y) => `<g transform="translate(${x - 11} ${y - 13})" stroke-linecap="round" fill="none">
<path d="M11 15C4 17 2 22 3 26M12 16C9 19 8 23 9 26M13 16C14 20 16 23 20 25" stroke="${GREEN}" stroke-width="1.7"/>
<path d="M5 12C6 7 11 5 15 6C19 7 19 12 17 15C14 19 6 18 5 12Z" fill="${RED}" stroke="none"/>
<path d="M7 12C10 10 14 11 15 15C11 17 8 15 7 12Z" fill="${GREEN}" stroke="none"/>
<circle cx="16.5" cy="5" r="3.4" fill="${RED}" stroke="none"/><circle cx="17.4" cy="4.3" r=".8" fill="#fff" stroke="none"/>
<path d="M19.6 5L22.4 6L19.4 6.8Z" fill="#d79b1e" stroke="none"/><path d="M15 1.6C14 0 12 0 11.5 1" stroke="${RED}" stroke-width="1.3"/></g>`;

const HONOURS = ["E", "S", "W", "N", "", "F", "C"];
const HONOUR_LABELS = ["E", "S", "W", "N", "Wh", "G", "R"];

function classic(name, labelled) {
  const red = name[0] === "0", n = red ? 5 : +name[0], suit = name[1];
  const dot = red && !labelled ? `<circle cx="26" cy="4.6" r="2.2" fill="${RED}"/>` : "";
  if (suit === "z") {
    const ink = n === 6 ? GREEN : n === 7 ? RED : INK;
    const text = labelled ? label(HONOUR_LABELS[n - 1], n === 5 ? GREY : ink) : "";
    if (n === 5) return `<rect x="6" y="${labelled ? 13 : 8}" width="18" height="${labelled ? 22 : 24}" rx="1.5" fill="none" stroke="${BLUE}" stroke-width="1.6"/><rect x="8.6" y="${labelled ? 15.6 : 10.6}" width="12.8" height="${labelled ? 16.8 : 18.8}" fill="none" stroke="${BLUE}" stroke-width=".6"/>` + text;
    return glyph(HONOURS[n - 1], labelled ? 4.8 : 4, labelled ? 13 : 8, labelled ? 20.4 : 22, labelled ? 23 : 25, ink, 2.5) + text;
  }
  const ink = suit === "m" ? (red ? RED : INK) : red ? RED : suit === "p" ? BLUE : GREEN;
  const text = labelled ? label(red ? "5" : String(n), ink) + (red ? `<circle cx="26" cy="4.8" r="2.2" fill="${RED}"/>` : "") : "";
  if (suit === "m") {
    if (labelled) return glyph(n, 11.4, 3.6, 14, 13.4, ink, 2) + glyph("m", 6.6, 20, 16.8, 17, RED, 1.7) + text;
    return glyph(n, 7.4, 3.4, 15.2, 14.4, ink, 2.1) + glyph("m", 6.4, 20.6, 17.2, 16.6, RED, 1.7) + dot;
  }
  const top = labelled ? 11.5 : 3;
  return (suit === "p" ? circles(n, red, top) : bamboos(n, red, top)) + text + dot;
}

function numbers(name) {
  const red = name[0] === "0", n = red ? 5 : +name[0], suit = name[1];
  if (suit === "z") return classic(name, false);
  const ink = red ? RED : suit === "m" ? INK : suit === "p" ? BLUE : GREEN;
  const text = `<text x="15" y="22" font-size="24" font-weight="800" text-anchor="middle" fill="${ink}" font-family="system-ui, sans-serif">${n}</text>`;
  if (suit === "m") return text + glyph("m", 8.6, 24.4, 12.8, 12.8, red ? RED : "#a3312a", 1.6);
  if (suit === "p") return text + `<circle cx="15" cy="31" r="5.4" fill="none" stroke="${ink}" stroke-width="2.6"/><circle cx="15" cy="31" r="1.7" fill="${ink}"/>`;
  return text + [9, 15, 21].map((x) => `<rect x="${x - 1.9}" y="25" width="3.8" height="12" rx="1.9" fill="${ink}"/><path d="M${x - 2.2} 31h4.4" stroke="#fffdf6" stroke-width="1.1"/>`).join("");
}

const face = (inside, red) => `<rect x=".6" y=".6" width="28.8" height="38.8" rx="3.6" fill="url(#tile-face)" stroke="${red ? "#c9a39a" : "#b9b2a0"}" stroke-width=".9"/>${inside}`;
const back = `<rect x=".6" y=".6" width="28.8" height="38.8" rx="3.6" fill="url(#tile-back)" stroke="#8f3a17" stroke-width=".9"/><path d="M15 9.5c3.4 2.8 5.2 6 5.2 9.8 0 4.4-2.2 8-5.2 11.2-3-3.2-5.2-6.8-5.2-11.2 0-3.8 1.8-7 5.2-9.8Z" fill="none" stroke="#ffd9b8" stroke-opacity=".65" stroke-width="1.1"/>`;

// Puts all symbols into the page, once.
export function installTiles() {
  let all = `<defs><linearGradient id="tile-face" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fffef9"/><stop offset="1" stop-color="#f3eedf"/></linearGradient>
<linearGradient id="tile-back" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#d9662c"/><stop offset="1" stop-color="#b9491a"/></linearGradient></defs>`;
  for (const name of NAMES) {
    const red = name[0] === "0";
    all += `<symbol id="l${name}" viewBox="0 0 30 40">${face(classic(name, true), red)}</symbol>`;
    all += `<symbol id="c${name}" viewBox="0 0 30 40">${face(classic(name, false), red)}</symbol>`;
    all += `<symbol id="n${name}" viewBox="0 0 30 40">${face(numbers(name), red)}</symbol>`;
  }
  all += `<symbol id="back" viewBox="0 0 30 40">${back}</symbol>`;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  svg.style.cssText = "position:absolute;width:0;height:0;overflow:hidden";
  svg.innerHTML = all;
  document.body.prepend(svg);
}
