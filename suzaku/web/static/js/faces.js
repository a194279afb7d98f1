// The faces of our own tiles, as SVG in a box of 30 by 40.
import { glyph } from "./strokes.js";

const INK = "#23262b";
const RED = "#c8281f";
const GREEN = "#1c7a45";
const BLUE = "#1d4f9c";
const GREY = "#6c7480";
const PAPER = "#fffdf6";
const FONT = `font-weight="800" font-family="system-ui, sans-serif"`;

// Where the circles of a number lie, as x, y in a box of 1 by 1.
// prettier-ignore
const CIRCLES = {
  2: [[0.5, 0.22], [0.5, 0.78]],
  3: [[0.2, 0.16], [0.5, 0.5], [0.8, 0.84]],
  4: [[0.24, 0.22], [0.76, 0.22], [0.24, 0.78], [0.76, 0.78]],
  5: [[0.2, 0.18], [0.8, 0.18], [0.5, 0.5], [0.2, 0.82], [0.8, 0.82]],
  6: [[0.24, 0.14], [0.76, 0.14], [0.24, 0.52], [0.76, 0.52], [0.24, 0.86], [0.76, 0.86]],
  7: [[0.16, 0.1], [0.5, 0.2], [0.84, 0.3], [0.26, 0.58], [0.74, 0.58], [0.26, 0.88], [0.74, 0.88]],
  8: [[0.26, 0.1], [0.74, 0.1], [0.26, 0.37], [0.74, 0.37], [0.26, 0.63], [0.74, 0.63], [0.26, 0.9], [0.74, 0.9]],
  9: [[0.15, 0.12], [0.5, 0.12], [0.85, 0.12], [0.15, 0.5], [0.5, 0.5], [0.85, 0.5],
    [0.15, 0.88], [0.5, 0.88], [0.85, 0.88]],
};
const CIRCLE_INK = {
  2: [GREEN, BLUE],
  3: [BLUE, RED, GREEN],
  4: [BLUE, GREEN, GREEN, BLUE],
  5: [BLUE, GREEN, RED, GREEN, BLUE],
  6: [GREEN, GREEN, RED, RED, RED, RED],
  7: [GREEN, GREEN, GREEN, RED, RED, RED, RED],
  8: Array(8).fill(BLUE),
  9: [GREEN, GREEN, GREEN, RED, RED, RED, BLUE, BLUE, BLUE],
};
const CIRCLE_SIZE = [0, 0, 5, 4.3, 4.6, 4.2, 4.2, 3.5, 3.6, 3.5];

const disc = (x, y, r, ink) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${ink}"/>`;
const ring = (x, y, r, ink, weight) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${ink}" stroke-width="${weight}"/>`;

function circles(n, red, top) {
  const height = 37 - top;
  if (n === 1) {
    const y = top + height / 2;
    const petals = [0, 60, 120, 180, 240, 300].map((degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return disc(15 + 5.2 * Math.cos(angle), y + 5.2 * Math.sin(angle), 1.7, GREEN);
    });
    return disc(15, y, 9.6, GREEN) + disc(15, y, 7.6, PAPER) + petals.join("") + disc(15, y, 2.6, RED);
  }
  const r = CIRCLE_SIZE[n];
  const parts = CIRCLES[n].map(([x, y], i) => {
    const cx = 5 + x * 20;
    const cy = top + y * height;
    return disc(cx, cy, r, red ? RED : CIRCLE_INK[n][i]) + ring(cx, cy, r * 0.58, PAPER, r * 0.22);
  });
  return parts.join("");
}

// Where the sticks of a number of bamboos lie.
// prettier-ignore
const STICKS = {
  2: [[0.5, 0.24], [0.5, 0.76]],
  3: [[0.5, 0.24], [0.24, 0.76], [0.76, 0.76]],
  4: [[0.26, 0.24], [0.74, 0.24], [0.26, 0.76], [0.74, 0.76]],
  5: [[0.16, 0.24], [0.84, 0.24], [0.5, 0.5], [0.16, 0.76], [0.84, 0.76]],
  6: [[0.16, 0.24], [0.5, 0.24], [0.84, 0.24], [0.16, 0.76], [0.5, 0.76], [0.84, 0.76]],
  7: [[0.5, 0.15], [0.16, 0.5], [0.5, 0.5], [0.84, 0.5], [0.16, 0.85], [0.5, 0.85], [0.84, 0.85]],
  8: [[0.16, 0.15], [0.5, 0.15], [0.84, 0.15], [0.32, 0.5], [0.68, 0.5], [0.16, 0.85], [0.5, 0.85], [0.84, 0.85]],
  9: [[0.16, 0.15], [0.5, 0.15], [0.84, 0.15], [0.16, 0.5], [0.5, 0.5], [0.84, 0.5],
    [0.16, 0.85], [0.5, 0.85], [0.84, 0.85]],
};
const RED_STICKS = { 5: [2], 7: [0], 9: [1, 4, 7] };

const stick = (x, y, width, height, ink) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${width / 2}" fill="${ink}"/>`;

function bamboos(n, red, top) {
  const height = 37 - top;
  if (n === 1) return bird(15, top + height / 2);
  const long = n <= 6 ? height * 0.42 : height * 0.27;
  const wide = n <= 4 ? 4.4 : 4;
  const parts = STICKS[n].map(([x, y], i) => {
    const ink = red || (RED_STICKS[n] || []).includes(i) ? RED : GREEN;
    const cx = 5 + x * 20;
    const cy = top + y * height;
    return (
      stick(cx - wide / 2, cy - long / 2, wide, long, ink) +
      `<path d="M${cx - wide / 2 - 0.5} ${cy}h${wide + 1}" stroke="${PAPER}" stroke-width="1.1"/>` +
      `<path d="M${cx} ${cy - long / 2 + 1.6}v${long - 3.2}" stroke="${PAPER}" stroke-width=".7" opacity=".7"/>`
    );
  });
  return parts.join("");
}

// The vermilion bird, for the one of bamboos.
const bird = (x, y) => `<g transform="translate(${x - 11} ${y - 13})" stroke-linecap="round" fill="none">
<path d="M11 15C4 17 2 22 3 26M12 16C9 19 8 23 9 26M13 16C14 20 16 23 20 25" stroke="${GREEN}" stroke-width="1.7"/>
<path d="M5 12C6 7 11 5 15 6C19 7 19 12 17 15C14 19 6 18 5 12Z" fill="${RED}" stroke="none"/>
<path d="M7 12C10 10 14 11 15 15C11 17 8 15 7 12Z" fill="${GREEN}" stroke="none"/>
<circle cx="16.5" cy="5" r="3.4" fill="${RED}" stroke="none"/>
<circle cx="17.4" cy="4.3" r=".8" fill="#fff" stroke="none"/>
<path d="M19.6 5L22.4 6L19.4 6.8Z" fill="#d79b1e" stroke="none"/>
<path d="M15 1.6C14 0 12 0 11.5 1" stroke="${RED}" stroke-width="1.3"/></g>`;

const HONOURS = ["E", "S", "W", "N", "", "F", "C"];
const HONOUR_LABELS = ["E", "S", "W", "N", "Wh", "G", "R"];

const label = (text, ink, x = 2.6, y = 10.6, size = text.length > 1 ? 7.5 : 9.5) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${ink}" ${FONT}>${text}</text>`;

const frame = (x, y, width, height, weight, round) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="none"` +
  ` stroke="${BLUE}" stroke-width="${weight}"/>`;

function read(name) {
  const red = name[0] === "0";
  return { red, n: red ? 5 : +name[0], suit: name[1] };
}

const inkOf = (red, suit) => (red ? RED : { m: INK, p: BLUE, s: GREEN }[suit]);

const honourInk = (n) => [INK, INK, INK, INK, GREY, GREEN, RED][n - 1];

function honour(n, labelled) {
  const ink = honourInk(n);
  const text = labelled ? label(HONOUR_LABELS[n - 1], ink) : "";
  if (n === 5) {
    const frames = labelled
      ? frame(6, 13, 18, 22, 1.6, 1.5) + frame(8.6, 15.6, 12.8, 16.8, 0.6, 0)
      : frame(6, 8, 18, 24, 1.6, 1.5) + frame(8.6, 10.6, 12.8, 18.8, 0.6, 0);
    return frames + text;
  }
  const box = labelled ? [4.8, 13, 20.4, 23] : [4, 8, 22, 25];
  return glyph(HONOURS[n - 1], ...box, ink, 2.5) + text;
}

// Characters, circles and bamboos as on real tiles; labelled ones have their number in the corner.
export function classic(name, labelled) {
  const { red, n, suit } = read(name);
  if (suit === "z") return honour(n, labelled);
  const ink = inkOf(red, suit);
  const text = labelled ? label(String(n), ink) : "";
  const dot = red ? disc(26, labelled ? 4.8 : 4.6, 2.2, RED) : "";
  if (suit === "m") {
    const signs = labelled
      ? glyph(n, 11.4, 3.6, 14, 13.4, ink, 2) + glyph("m", 6.6, 20, 16.8, 17, RED, 1.7)
      : glyph(n, 7.4, 3.4, 15.2, 14.4, ink, 2.1) + glyph("m", 6.4, 20.6, 17.2, 16.6, RED, 1.7);
    return signs + text + dot;
  }
  const top = labelled ? 11.5 : 3;
  return (suit === "p" ? circles(n, red, top) : bamboos(n, red, top)) + text + dot;
}

// The sign of a suit around a point.
function suitSign(suit, red, ink, x, y) {
  if (suit === "m") return glyph("m", x - 6.4, y - 6.4, 12.8, 12.8, red ? RED : "#a3312a", 1.6);
  if (suit === "p") return ring(x, y, 5.4, ink, 2.6) + disc(x, y, 1.7, ink);
  const sticks = [x - 6, x, x + 6].map(
    (at) =>
      stick(at - 1.9, y - 6, 3.8, 12, ink) + `<path d="M${at - 2.2} ${y}h4.4" stroke="${PAPER}" stroke-width="1.1"/>`,
  );
  return sticks.join("");
}

const digit = (n, x, y, ink) =>
  `<text x="${x}" y="${y}" font-size="24" text-anchor="middle" fill="${ink}" ${FONT}>${n}</text>`;

// A large number and the sign of the suit.
export function numbers(name) {
  const { red, n, suit } = read(name);
  if (suit === "z") return honour(n, true);
  const ink = inkOf(red, suit);
  return digit(n, 15, 22, ink) + suitSign(suit, red, ink, 15, 31);
}

// The face of a tile that lies on its side, in a box of 40 by 30: what is above each other otherwise is side by side.
export function lying(style, name) {
  const { red, n, suit } = read(name);
  const scaled = (x, face) => `<g transform="translate(${x}) scale(.75)">${face}</g>`;
  if (suit === "f") return scaled(8.75, flower(n));
  if (style === "c") return scaled(8.75, classic(name, false));
  const ink = inkOf(red, suit);
  if (style === "n" && suit !== "z") return digit(n, 12.5, 23.6, ink) + suitSign(suit, red, ink, 28.5, 15);
  const text = suit === "z" ? HONOUR_LABELS[n - 1] : String(n);
  const at = text.length > 1 ? [1.8, 18.5, 10] : [2.4, 20.5, text === "W" ? 13 : 15];
  return scaled(16.5, classic(name, false)) + label(text, suit === "z" ? honourInk(n) : ink, ...at);
}

// A flower or a season of MCR: a blossom with its number.
export function flower(n) {
  const ink = n > 4 ? RED : BLUE;
  const petals = [0, 72, 144, 216, 288].map((degrees) => {
    const angle = ((degrees - 90) * Math.PI) / 180;
    return disc(15 + 5.4 * Math.cos(angle), 24 + 5.4 * Math.sin(angle), 4, n > 4 ? "#d9743f" : "#7a9fd0");
  });
  return petals.join("") + disc(15, 24, 3, "#e8bd3a") + label(String(((n - 1) % 4) + 1), ink);
}
