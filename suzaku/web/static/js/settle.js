// How a round ended, and the final ranking.
import { h } from "./dom.js";
import { meld, tile } from "./board.js";
import { fanName, number, roundName, t, windName, yakuName } from "./texts.js";

const signed = (n, digits = 0) => (n > 0 ? "+" : "") + number(n, digits);

// What a win is worth: its yaku or fans, a line each, and their sum.
function riichiWorth(win) {
  const worth = win.yakuman
    ? (win.yakuman > 1 ? `${win.yakuman}× ` : "") + t("yakuman")
    : `${win.han} ${t("han")} ${win.fu} ${t("fu")}${win.limit ? " · " + t(win.limit) : ""}`;
  const rows = win.yaku.map(([name, han]) => [yakuName(name), han === "yakuman" ? t("yakuman") : `${han} ${t("han")}`]);
  return { rows, worth };
}

function mcrWorth(win) {
  const rows = win.fans.map(([name, chinese, value, times]) => [
    fanName([name, chinese]),
    times > 1 ? `${value} × ${times}` : String(value),
  ]);
  return { rows, worth: `${win.fan} ${t("fan")}` };
}

const doraLine = (end, win) =>
  h(
    "div.indicators",
    h("span", t("dora_indicator")),
    end.indicators.map((name) => tile(name)),
    win.ura.length ? [h("span", t("ura_indicator")), win.ura.map((name) => tile(name))] : null,
  );

// How a round ended, in the words of its game.
const resultName = (view) => t(view.game === "mcr" ? `mcr ${view.settlement.result}` : view.settlement.result);

function winPart(view, win, names) {
  const end = view.settlement;
  const { rows, worth } = view.game === "mcr" ? mcrWorth(win) : riichiWorth(win);
  return h(
    "section.win",
    h(
      "h3",
      `${names[win.seat]} · ${resultName(view)}`,
      end.from !== null && end.from !== win.seat ? h("small", ` (${t("from")}: ${names[end.from]})`) : null,
    ),
    h(
      "div.open-hand",
      win.tiles.map((name) => tile(name)),
      tile(win.tile, { marks: "new winning" }),
      win.melds.map(meld),
    ),
    end.indicators ? doraLine(end, win) : null,
    h(
      "table.yaku",
      h(
        "tbody",
        rows.map(([name, value]) => h("tr", h("td", name), h("td", value))),
      ),
    ),
    h("p.worth", h("b", worth), " ", h("b.points", `${number(win.points)} ${t("points")}`)),
  );
}

function payments(view, names, me) {
  const end = view.settlement;
  const rows = [0, 1, 2, 3].map((seat) =>
    h(
      "tr",
      { class: seat === me ? "me" : "" },
      h("td", windName(view.seats[seat].wind)),
      h("td", names[seat]),
      h(
        "td",
        { class: end.deltas[seat] > 0 ? "plus" : end.deltas[seat] < 0 ? "minus" : "" },
        end.deltas[seat] ? signed(end.deltas[seat]) : "0",
      ),
      h("td", number(end.scores[seat])),
    ),
  );
  return h("table.payments", h("tbody", rows));
}

export function settlement(view, names, me) {
  const end = view.settlement;
  const by = end.foul !== null && end.foul !== undefined ? `${names[end.foul]} · ` : "";
  const head = end.wins.length ? "" : h("h3", by + resultName(view));
  const hands = (end.hands || []).map((one) =>
    h(
      "div.waiting",
      h("span", `${names[one.seat]}: ${t(end.result === "nine kinds" ? "nine kinds" : "tenpai_hands")}`),
      h(
        "div.open-hand",
        one.tiles.map((name) => tile(name)),
        one.melds.map(meld),
      ),
    ),
  );
  return h(
    "div.settlement",
    h("h2", `${roundName(view.round)}${view.honba ? ` · ${view.honba} ${t("honba")}` : ""}`),
    head,
    end.wins.map((win) => winPart(view, win, names)),
    hands,
    payments(view, names, me),
  );
}

export function ranking(view, names, me) {
  return h(
    "div.ranking",
    h("h2", t("final")),
    h(
      "table",
      h(
        "tbody",
        view.ranking.map((row, i) =>
          h(
            "tr",
            { class: row.seat === me ? "me" : "" },
            h("td", String(i + 1)),
            h("td", names[row.seat]),
            view.game === "mcr" ? null : h("td", number(row.score)),
            h("td", { class: row.points >= 0 ? "plus" : "minus" }, signed(row.points, view.game === "mcr" ? 0 : 1)),
          ),
        ),
      ),
    ),
  );
}
