// The row of buttons below the table: what may be answered, the time left, hint, result, leave.
import { h } from "./dom.js";
import { tile } from "./board.js";
import { weight } from "./hints.js";
import { adaptingText, waitingText } from "./remarks.js";
import { t } from "./texts.js";
import { NAMES, kindOf } from "./tiles.js";

const RIICHI = 38;

// page: the table's page; turn: whether it is asked something; legal: what may be answered.
export function actionBar(page, turn, legal) {
  const { view } = page.data;
  const bar = h("div.actions", { role: "toolbar", "aria-label": t("your_turn") }, h("span.space"));
  if (turn) {
    if (page.riichi) bar.append(h("span.ask", t("choose_discard")));
    for (const action of legal) {
      const found = action === RIICHI ? riichiButton(page) : actionButton(page, action, view.offer);
      if (found) bar.append(found);
    }
  } else if (page.waitingFor) {
    bar.append(h("span.ask", { role: "status" }, waitingText(page.waitingFor, page.names())));
  }
  if (page.adapting?.length)
    bar.append(h("span.ask.adapting", { role: "status" }, adaptingText(page.adapting, page.names())));
  bar.append(h("span.space"));
  if (page.until && turn) bar.append(h("span.timer", { role: "timer" }, h("i"), h("b")));
  const quiet = (text, run, props = {}) => h("button.quiet", { type: "button", onclick: run, ...props }, text);
  if (page.hintsAllowed && (turn || page.me < 0)) {
    bar.append(quiet(t("hint"), () => page.askHint(), { "data-action": "hint" }));
  }
  if (view.settlement) bar.append(quiet(t("result"), () => page.drawEnd(view, page.names())));
  else if (page.me >= 0)
    bar.append(quiet(t("leave"), () => confirm(t("leave_sure")) && page.send({ type: "leave" })));
  return bar;
}

function riichiButton(page) {
  const props = { "data-action": RIICHI, "aria-pressed": String(page.riichi), onclick: () => page.toggleRiichi() };
  return h(
    "button",
    { type: "button", class: `act riichi${page.riichi ? " on" : ""}`, ...props },
    page.riichi ? t("cancel") : t("riichi"),
    share(page.hint, RIICHI),
  );
}

function actionButton(page, action, offer) {
  const face = faceOf(action, offer);
  if (!face) return null;
  const { word, tiles = [], kind = "" } = face;
  return h(
    "button",
    { type: "button", class: `act ${kind}`, "data-action": action, onclick: () => page.act(action) },
    t(word),
    tiles.length
      ? h(
          "span.mini",
          tiles.map((name) => tile(name, { small: true })),
        )
      : null,
    share(page.hint, action),
  );
}

function faceOf(action, offer) {
  if (action >= 39 && action <= 44) return { word: "chow", tiles: chowTiles(offer, action - 39) };
  if (action === 45 || action === 46) return { word: "pong", tiles: pongTiles(offer, action === 46) };
  if (action === 47) return { word: "kong", tiles: [offer] };
  if (action >= 48 && action < 116) return { word: "kong", tiles: [NAMES[(action - 48) % 34]] };
  if (action === 116) return { word: "tsumo", kind: "win" };
  if (action === 117) return { word: "ron", kind: "win" };
  if (action === 118) return { word: "nine" };
  if (action === 119) return { word: "pass", kind: "pass" };
  return null; // discards are made by clicking tiles
}

// What a hint thinks of an action.
function share(hint, action) {
  if (!hint) return null;
  const { text } = weight(hint, action);
  return text ? h("small.share", text) : null;
}

// The two tiles of the hand that make a chow with the offered one: 0 low, 1 middle, 2 high, +3 with the red five.
export function chowTiles(offer, which) {
  const n = +kindOf(offer)[0];
  const pair = [
    [n + 1, n + 2],
    [n - 1, n + 1],
    [n - 2, n - 1],
  ][which % 3];
  return pair.map((k) => (k === 5 && which >= 3 ? "0" : k) + offer[1]);
}

function pongTiles(offer, red) {
  const kind = kindOf(offer);
  return red ? ["0" + kind[1], kind] : [kind, kind];
}
