// What the agent thinks of a decision, as bars over the tiles and as a table.
import { h } from "./dom.js";
import { tile } from "./board.js";
import { isDiscard } from "./moves.js";
import { meldPart, planTable, prefersLess } from "./plans.js";
import { actionName, fill, t, tileName, windName } from "./texts.js";
import { kindOf } from "./tiles.js";

const percent = (x, digits = 0) => `${(100 * x).toFixed(digits)}%`;

// What the agent says of each action: with which probability it takes it, or what it is worth (0..1); or nothing.
const ratings = (hint) => hint.policy || hint.values || {};

// A rating as text: probabilities in percent, worths from 0 to 100.
export const ratingText = (hint, rating, digits = 1) =>
  hint.policy ? percent(rating, digits) : (100 * rating).toFixed(1);

const SPAN = 0.1; // worths that differ by less do not fill a bar

// How tall the bar of an action is, 0..1; an agent that only names its choice has one full bar. Probabilities stand
// on 0; worths lie close together and are drawn from the lowest one up, or from further below if they nearly agree.
export function weight(hint, action) {
  const rating = ratings(hint)[action];
  if (rating !== undefined) {
    const all = Object.values(ratings(hint));
    const most = Math.max(...all);
    const low = hint.policy ? 0 : Math.min(...all, most - SPAN);
    return {
      height: most > low ? (rating - low) / (most - low) : 1,
      text: ratingText(hint, rating, rating >= 0.1 ? 0 : 1),
      best: hint.best === action,
    };
  }
  return { height: hint.best === action ? 1 : 0, text: hint.best === action ? "★" : "", best: hint.best === action };
}

// Puts a bar over a tile, and its figure into the tile's name.
export function addBar(button, hint, action) {
  const { height, text, best } = weight(hint, action);
  const shown = height > 0.02 || best ? text : "";
  if (shown) button.setAttribute("aria-label", `${button.getAttribute("aria-label")}, ${shown}`);
  const style = `--bar:${(100 * height).toFixed(0)}%`;
  button.prepend(h("span", { class: best ? "bar best" : "bar", style }, h("i"), h("em", shown)));
}

function shantenText(n) {
  return n === null || n === undefined ? "-" : n < 0 ? t("complete") : n === 0 ? t("tenpai") : `${n} ${t("shanten")}`;
}

const LEVELS = [0.02, 0.05, 0.1]; // of danger, by the probability to deal in
const SIGNS = { suji: "*", half_suji: "°", no_two_sided: "°" };

function dangerCell(hint, i, kind) {
  const [chance, known] = hint.danger[i].kinds[kind];
  if (known === "genbutsu") return h("td.danger.safe", { title: t(known) }, "✓");
  const level = LEVELS.filter((least) => chance >= least).length;
  const text = percent(chance, chance < 0.1 ? 1 : 0) + (SIGNS[known] || "");
  return h("td", { class: `danger d${level}`, title: known ? t(known) : null }, text);
}

// Whether some of the waits after a discard do not win for want of a yaku; they are pale in the line below.
function lacking(row) {
  const names = Object.keys(row.no_yaku || {});
  return names.length ? h("small.lack", { title: names.map(tileName).join(", ") }, t("no_yaku")) : null;
}

// With how many han a closed hand is won after a discard: at least 2, 3, 4; any win is in the table.
function byHan(row) {
  if (!row.han) return null;
  const figures = row.han.slice(1).map((p) => percent(p)).join(" / ");
  return h("small.by-han", `${t("by_han")} ${figures}${row.riichi ? ` (${t("with_riichi")})` : ""}`);
}

// The probability to win: against others where that is known, or else alone; the server sends one of them at most.
const winOf = (row) => row.win ?? row.win_alone;

// A line of figures for a discard, and for the better ones a line with the tiles it accepts.
function discardRows(hint, action, row, place, played) {
  const marks = (action === hint.best ? "best" : "") + (action === played ? " played" : "");
  const accepted = Object.entries(row.accepts);
  const line = h(
    "tr",
    { class: marks },
    h("td", tile(row.tile)),
    h("td", weight(hint, action).text),
    h("td", row.shanten === null ? "-" : row.shanten === 0 ? t("tenpai") : String(row.shanten)),
    h("td", { title: accepted.map(([name, n]) => `${name}×${n}`).join(" ") }, h("b", String(row.unseen))),
    h("td.win", winOf(row) !== undefined ? percent(winOf(row)) : "–", lacking(row)),
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
        accepted.map(([name, n]) =>
          h("span", { class: row.no_yaku?.[name] ? "lacking" : "" }, tile(name), String(n)),
        ),
        byHan(row),
      ),
    ),
  ];
}

// me: the seat of the reader, who is told whose decision it is if it is another's; played: what was done.
export function hintPanel(hint, view, names, { me, played = null }) {
  const { game } = view;
  const drawn = hint.discards[37]?.tile; // of Riichi
  const whose = `${names[hint.seat]} · ${windName(view.seats[hint.seat].wind)}`;
  const head = h(
    "p.would",
    h("b", hint.agent),
    ` ${t("would")}`,
    hint.seat === me ? "" : h("span.whose", ` (${fill("turn_of", { name: whose })})`),
    ": ",
    h("b", actionName(game, hint.best, drawn)),
    ownTiles(hint, hint.best),
    hint.now.shanten !== undefined ? ` · ${shantenText(hint.now.shanten)}` : "",
  );
  const rows = Object.entries(hint.discards);
  const value = (a) => ratings(hint)[a] ?? (hint.best === +a ? 1 : 0);
  rows.sort(
    (a, b) =>
      value(b[0]) - value(a[0]) ||
      (winOf(b[1]) ?? -1) - (winOf(a[1]) ?? -1) ||
      a[1].shanten - b[1].shanten ||
      b[1].unseen - a[1].unseen,
  );
  const notes = [
    t(hint.policy ? "policy_note" : hint.values ? "values_note" : "no_scores"),
    hint.policy && hint.policy[hint.best] < Math.max(...Object.values(hint.policy)) && t("steps_note"),
    ...(game === "mcr" ? mcrNotes(hint, rows) : riichiNotes(hint, rows)),
  ];
  return h(
    "div.hint-panel",
    head,
    hint.declined ? h("p.declined", declinedText(game, hint)) : null,
    changes(game, hint, drawn),
    others(game, hint, drawn),
    game === "mcr" ? mcrParts(hint, rows, played) : riichiParts(hint, rows, view, names, played),
    notes.filter(Boolean).map((text) => h("p.note", text)),
  );
}

function riichiNotes(hint, rows) {
  const all = [hint.now, ...rows.map(([, row]) => row)];
  return [
    all.some((row) => row.win !== undefined) && t("win_note"),
    all.some((row) => row.win_alone !== undefined) && t("win_alone_note"),
    all.some((row) => row.points !== undefined) && t("points_note"),
    rows.some(([, row]) => lacking(row)) && t("no_yaku_note"),
    rows.length && t("danger_note"),
  ];
}

const mcrNotes = (hint, rows) => [
  prefersLess(hint) && t("worth_note"),
  rows.length && t("short_note"),
  t("plans_note"),
];

const riichiParts = (hint, rows, view, names, played) => [
  acceptedNow(hint.now),
  rows.length ? discardTable(hint, rows, view, names, played) : null,
];

function mcrParts(hint, rows, played) {
  const opinion = (action) => weight(hint, action).text;
  return [meldPart(hint, "mcr", opinion), rows.length ? planTable(hint, rows, played, opinion) : null];
}

// How adaptation changed the policy: the actions whose probability changed most.
const CHANGES = 4;
function changes(game, hint, drawn) {
  if (!hint.before) return null;
  const found = Object.keys(hint.policy).map((action) => [action, hint.before[action] ?? 0, hint.policy[action]]);
  found.sort((a, b) => Math.abs(b[2] - b[1]) - Math.abs(a[2] - a[1]));
  const line = ([action, before, after]) => {
    const name = hint.discards[action]?.tile;
    const label = name ? tile(name) : actionName(game, +action, drawn);
    return h("li", label, ` ${percent(before, 1)} → `, h("b", percent(after, 1)));
  };
  return h("div.changes", h("p.note", t("adapted")), h("ul", found.slice(0, CHANGES).map(line)));
}

// Why the agent lets a win pass.
const declinedText = (game, { declined }) =>
  fill(declined.why === "ends_fourth" ? "declined_fourth" : "declined", { win: actionName(game, declined.action) });

// The tiles of the own hand that a call would use.
function ownTiles(hint, action) {
  const tiles = (hint.tiles && hint.tiles[action]) || [];
  return tiles.length
    ? h(
        "span.mini",
        tiles.map((name) => tile(name)),
      )
    : null;
}

// What the agent thinks of all that is no discard; beside it stands how likely it discards at all.
function others(game, hint, drawn) {
  const all = Object.entries(ratings(hint));
  const found = all.filter(([action]) => !isDiscard(game, +action));
  if (!found.length) return null;
  const line = ([action, rating]) => {
    const name = action === null ? t("any_discard") : actionName(game, +action, drawn);
    const label = h("span", name, ownTiles(hint, action));
    const value = hint.policy ? rating : weight(hint, +action).height;
    return h("li", label, h("meter", { min: 0, max: 1, value, "aria-label": name }), ratingText(hint, rating));
  };
  const discards = all.filter(([action]) => isDiscard(game, +action));
  if (hint.policy && discards.length) found.push([null, discards.reduce((sum, [, p]) => sum + p, 0)]);
  found.sort((a, b) => b[1] - a[1]);
  return h("ul.claims", found.map(line));
}

// Where no discard is asked: the tiles that the hand accepts as it is.
function acceptedNow(now) {
  if (!now.accepts) return null;
  const tiles = Object.entries(now.accepts).map(([name, n]) => [tile(name), `×${n} `]);
  const win = now.win_alone !== undefined ? ` ${t("win_alone")} ${percent(now.win_alone)}` : "";
  return h("p.accepts", `${t("accepts")} ${now.unseen}: `, tiles, win);
}

function discardTable(hint, rows, view, names, played) {
  const titles = { win_chance: t("win_note"), win_alone: t("win_alone_note"), mean_points: t("points_note") };
  const alone = rows.some(([, row]) => row.win_alone !== undefined);
  const win = alone ? "win_alone" : "win_chance";
  const figures = ["discard", "opinion", "shanten", "accepts", win, "mean_points"].map((key) =>
    h(
      "th",
      { title: titles[key] || null, scope: "col" },
      key === "discard" ? h("span.visually-hidden", t(key)) : t(key),
    ),
  );
  const dangers = hint.danger.map((one) =>
    h(
      "th",
      { title: `${t("danger")}: ${names[one.seat]}`, class: one.riichi ? "in-riichi" : "", scope: "col" },
      "⚠" + windName(view.seats[one.seat].wind)[0],
    ),
  );
  const body = rows.map(([action, row], i) => discardRows(hint, +action, row, i, played));
  return h("div.scroll", h("table", h("thead", h("tr", figures, dangers)), h("tbody", body)));
}
