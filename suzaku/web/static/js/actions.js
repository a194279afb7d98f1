// The row of buttons below the table: what may be answered, the time left, hint, result, leave.
import { h } from "./dom.js";
import { tile } from "./board.js";
import { weight } from "./hints.js";
import { adaptingText, waitingText } from "./remarks.js";
import { fill, t } from "./texts.js";
import { moveOf } from "./moves.js";
import { kindOf } from "./tiles.js";

// page: the table's page; turn: whether it is asked something; legal: what may be answered.
export function actionBar(page, turn, legal) {
  const { view } = page.data;
  const calls = h("div"); // grows upwards over the table when there are many, so that the hand stays where it is
  if (turn) {
    if (page.riichi) calls.append(h("span.ask", t("choose_discard")));
    if (page.choosing) calls.append(h("span.ask", t("choose_call")));
    if (page.passing) calls.append(h("span.ask.sure", fill("pass_win", { key: page.passing.toUpperCase() })));
    for (const action of legal) {
      const move = moveOf(view.game, action);
      const found = move.type === "riichi" ? riichiButton(page, action) : actionButton(page, action, move, view.offer);
      if (found) calls.append(found);
    }
  } else if (page.waitingFor) {
    calls.append(h("span.ask", { role: "status" }, waitingText(page.waitingFor, page.names())));
  }
  if (page.adapting?.length)
    calls.append(h("span.ask.adapting", { role: "status" }, adaptingText(page.adapting, page.names())));
  const aside = h("div.aside");
  if (page.until && turn) aside.append(h("span.timer", { role: "timer" }, h("i"), h("b")));
  const quiet = (text, run, props = {}) => h("button.quiet", { type: "button", onclick: run, ...props }, text);
  if (page.hintsAllowed && (turn || page.me < 0)) {
    aside.append(quiet(t("hint"), () => page.askHint(), { "data-action": "hint" }));
  }
  if (view.settlement) aside.append(quiet(t("result"), () => page.drawEnd(view, page.names())));
  else if (page.me >= 0)
    aside.append(quiet(t("leave"), () => confirm(t("leave_sure")) && page.send({ type: "leave" })));
  return h("div.actions", { role: "toolbar", "aria-label": t("your_turn") }, h("div.calls", calls), aside);
}

function riichiButton(page, action) {
  const props = { "data-action": action, "aria-pressed": String(page.riichi), onclick: () => page.toggleRiichi() };
  return h(
    "button",
    { type: "button", class: `act riichi${page.riichi ? " on" : ""}`, ...props },
    page.riichi ? t("cancel") : t("riichi"),
    page.riichi ? null : share(page.hint, action),
  );
}

function actionButton(page, action, move, offer) {
  if (move.type === "discard") return null; // made by clicking tiles
  const { word = move.type, type } = move;
  const tiles = tilesOf(move, offer);
  const kind = type === "win" || type === "pass" ? type : "";
  const asked = page.choosing === type ? "choice" : "";
  return h(
    "button",
    { type: "button", class: `act ${kind} ${asked}`, "data-action": action, onclick: () => page.act(action) },
    t(word),
    tiles.length
      ? h(
          "span.mini",
          tiles.map((name) => tile(name)),
        )
      : null,
    share(page.hint, action),
  );
}

// The tiles that a button shows: the own ones of a chow or pong, the kind of a kong.
function tilesOf({ type, tile: kind, which, red }, offer) {
  if (type === "chow") return chowTiles(offer, which, red);
  if (type === "pong") return pongTiles(offer, red);
  return type === "kong" ? [kind || offer] : [];
}

// What a hint thinks of an action.
function share(hint, action) {
  if (!hint) return null;
  const { text } = weight(hint, action);
  return text ? h("small.share", text) : null;
}

// The two tiles of the hand that make a chow with the offered one, which is low (0), middle or high.
function chowTiles(offer, which, red) {
  const n = +kindOf(offer)[0];
  const pair = [
    [n + 1, n + 2],
    [n - 1, n + 1],
    [n - 2, n - 1],
  ][which];
  return pair.map((k) => (k === 5 && red ? "0" : k) + offer[1]);
}

function pongTiles(offer, red) {
  const kind = kindOf(offer);
  return red ? ["0" + kind[1], kind] : [kind, kind];
}
