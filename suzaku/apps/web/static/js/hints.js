// What the agent thinks of a decision, as bars over the tiles and as a table.
import { h } from "./dom.js";
import { tile } from "./board.js";
import { actionName, t, windName } from "./texts.js";
import { NAMES, kindOf } from "./tiles.js";

const percent = (x, digits = 0) => `${(100 * x).toFixed(digits)}%`;

// How tall the bar of an action is, 0..1; an agent that only names its choice has one full bar. Probabilities stand
// on 0; other scores, such as expected ranks, lie close together and are drawn from the lowest one up.
function weight(hint, action) {
  if (hint.scores && hint.scores[action] !== undefined) {
    const all = Object.values(hint.scores),
      score = hint.scores[action];
    const chances = Math.abs(all.reduce((sum, one) => sum + one, 0) - 1) < 0.05;
    const low = chances ? 0 : Math.min(...all),
      most = Math.max(...all);
    return {
      height: most > low ? (score - low) / (most - low) : 1,
      text: percent(score, chances && score >= 0.1 ? 0 : 1),
      best: hint.best === action,
    };
  }
  return { height: hint.best === action ? 1 : 0, text: hint.best === action ? "★" : "", best: hint.best === action };
}

// The bar over a tile.
export function bar(hint, action) {
  const { height, text, best } = weight(hint, action);
  return h(
    "span",
    { class: `bar${best ? " best" : ""}`, style: `--bar:${(100 * height).toFixed(0)}%` },
    h("i"),
    h("em", height > 0.02 || best ? text : ""),
  );
}

function shantenText(n) {
  return n === null || n === undefined ? "-" : n < 0 ? t("complete") : n === 0 ? t("tenpai") : `${n} ${t("shanten")}`;
}

function dangerCell(hint, i, kind) {
  const [chance, known] = hint.danger[i].kinds[kind];
  const level = known === "genbutsu" ? 0 : chance < 0.02 ? 1 : chance < 0.05 ? 2 : chance < 0.1 ? 3 : 4;
  return h(
    "td",
    { class: `danger d${level}`, title: known ? t(known) : "" },
    known === "genbutsu" ? "✓" : percent(chance, chance < 0.1 ? 1 : 0) + (known === "suji" ? "*" : known ? "°" : ""),
  );
}

// A line of figures for a discard, and for the better ones a line with the tiles it accepts.
function discardRows(hint, action, row, place, played) {
  const marks = (action === hint.best ? "best" : "") + (action === played ? " played" : "");
  const accepted = Object.entries(row.accepts);
  const line = h(
    "tr",
    { class: marks },
    h("td", tile(row.tile, { small: true })),
    h("td", weight(hint, action).text),
    h("td", row.shanten === null ? "-" : row.shanten === 0 ? t("tenpai") : String(row.shanten)),
    h("td", { title: accepted.map(([name, n]) => `${name}×${n}`).join(" ") }, h("b", String(row.unseen))),
    h("td", row.win !== undefined ? percent(row.win, 1) : "–"),
    h("td", row.points !== undefined ? String(row.points) : "–"),
    [0, 1, 2].map((i) => dangerCell(hint, i, kindOf(row.tile))),
  );
  if (place >= 3 && action !== hint.best && action !== played) return line;
  return [
    line,
    h(
      "tr",
      { class: `accepted ${marks}` },
      h(
        "td",
        { colspan: 9 },
        accepted.map(([name, n]) => h("span", tile(name, { small: true }), String(n))),
      ),
    ),
  ];
}

export function hintPanel(hint, names, winds, played = null) {
  const drawn = hint.discards[37] && hint.discards[37].tile;
  const head = h(
    "p.would",
    h("b", hint.agent),
    ` ${t("would")}: `,
    h("b", actionName(hint.best, NAMES, drawn)),
    hint.now.shanten !== undefined ? ` · ${shantenText(hint.now.shanten)}` : "",
  );
  const rows = Object.entries(hint.discards);
  const value = (a) => (hint.scores && hint.scores[a] !== undefined ? hint.scores[a] : hint.best === +a ? 1 : 0);
  rows.sort(
    (a, b) =>
      value(b[0]) - value(a[0]) ||
      (b[1].win ?? -1) - (a[1].win ?? -1) ||
      a[1].shanten - b[1].shanten ||
      b[1].unseen - a[1].unseen,
  );
  return h(
    "div.hint-panel",
    head,
    others(hint, drawn),
    acceptedNow(hint.now),
    rows.length ? discardTable(hint, rows, names, winds, played) : null,
    h("p.note", hint.scores ? "" : t("no_scores") + " ", rows.length ? t("danger_note") : ""),
  );
}

// What the agent thinks of all that is no discard.
function others(hint, drawn) {
  const found = Object.entries(hint.scores || {}).filter(([action]) => +action > 37);
  if (!found.length) return null;
  found.sort((a, b) => b[1] - a[1]);
  const line = ([action, score]) =>
    h(
      "li",
      h("span", actionName(+action, NAMES, drawn)),
      h("meter", { min: 0, max: 1, value: score }),
      percent(score, 1),
    );
  return h("ul.claims", found.map(line));
}

// Where no discard is asked: the tiles that the hand accepts as it is.
function acceptedNow(now) {
  if (!now.accepts) return null;
  const tiles = Object.entries(now.accepts).map(([name, n]) => [tile(name, { small: true }), `×${n} `]);
  const win = now.win !== undefined ? ` ${t("win_chance")} ${percent(now.win, 1)}` : "";
  return h("p.accepts", `${t("accepts")} ${now.unseen}: `, tiles, win);
}

function discardTable(hint, rows, names, winds, played) {
  const figures = ["opinion", "shanten", "accepts", "win_chance", "mean_points"].map((key) => h("th", t(key)));
  const dangers = hint.danger.map((one) =>
    h(
      "th",
      { title: `${t("danger")}: ${names[one.seat]}`, class: one.riichi ? "in-riichi" : "" },
      "⚠" + windName(winds[one.seat])[0],
    ),
  );
  const body = rows.map(([action, row], i) => discardRows(hint, +action, row, i, played));
  return h("div.scroll", h("table", h("thead", h("tr", h("th"), figures, dangers)), h("tbody", body)));
}
