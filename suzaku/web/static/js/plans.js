// What a hand of MCR can become: the plans of the look-ahead, after each discard and each claim.
import { h } from "./dom.js";
import { tile } from "./board.js";
import { PASS } from "./moves.js";
import { actionName, fanName, t } from "./texts.js";

// Whether what the agent would do is not what wins most often.
export function prefersLess(hint) {
  const rows = { ...hint.discards, ...hint.melds, ...(hint.now.plans ? { [PASS]: hint.now } : {}) };
  return Object.values(rows).some((row) => row.win > rows[hint.best]?.win);
}

const percent = (x) => `${(100 * x).toFixed(x < 0.0995 ? 1 : 0)}%`;
const shortText = (row) => (row.distance === null ? "> 6" : String(row.distance));

const fanText = ([english, chinese, value, times]) =>
  `${fanName([english, chinese])} ${value}${times > 1 ? ` × ${times}` : ""}`;

// One plan: its name, chance and total; the tiles it needs; all its fans.
function planLine(plan) {
  const wants = plan.wants.map(([name, count, unseen]) =>
    h("span", [...Array(count)].map(() => tile(name)), h("small", `×${unseen}`)),
  );
  return h(
    "li",
    h("b", plan.names.map(fanName).join(" + ")),
    ` ${percent(plan.win)} · ${plan.fan} ${t("fan")}`,
    plan.self_drawn ? h("small", ` (${t("by_draw_only")})`) : "",
    h("span.wants", wants),
    h("small.fans", plan.fans.map(fanText).join(" · ")),
  );
}

export const planList = (plans) =>
  plans.length ? h("ul.plans", plans.map(planLine)) : h("p.note", t("no_plan"));

// A line of figures for a discard, and for the better ones its plans.
function discardRows(hint, action, row, open, played, opinion) {
  const marks = (action === hint.best ? "best" : "") + (action === played ? " played" : "");
  const line = h(
    "tr",
    { class: marks },
    h("td", tile(row.tile)),
    h("td", opinion(action)),
    h("td", row.shanten === 0 ? t("tenpai") : String(row.shanten)),
    h("td", h("b", shortText(row))),
    h("td", percent(row.win)),
    h("td", row.risk ? row.risk.toFixed(1) : "–"),
    h("td", (row.plans[0]?.names || []).map(fanName).join(" + ")),
  );
  if (!open && action !== hint.best && action !== played) return line;
  return [line, h("tr", { class: `accepted ${marks}` }, h("td", { colspan: 7 }, planList(row.plans)))];
}

const COLUMNS = ["discard", "opinion", "shanten", "short", "win_chance", "risk", "best_ways"];

// rows: actions and what is known of them, the best first; opinion(action): the agent's, as text.
export function planTable(hint, rows, played, opinion) {
  const heads = COLUMNS.map((key) =>
    h("th", { scope: "col" }, key === "discard" ? h("span.visually-hidden", t(key)) : t(key)),
  );
  const body = rows.map(([action, row], i) => discardRows(hint, +action, row, i < 2, played, opinion));
  return h("div.scroll", h("table.plan-table", h("thead", h("tr", heads)), h("tbody", body)));
}

// What the hand is without a claim or kong, and with each: the agent's opinion, tiles short, chance, plans.
export function meldPart(hint, game, opinion) {
  const part = (name, row) =>
    h(
      "section.with-meld",
      h(
        "h4",
        name,
        (hint.tiles[row.action] || []).map((one) => tile(one)),
        row.discard ? [` ${t("then_discard")} `, tile(row.discard)] : "",
        h(
          "small",
          ` ${t("opinion")} ${opinion(+row.action) || "–"} · ${t("short")} ${shortText(row)}`,
          ` · ${t("win_chance")} ${percent(row.win)}`,
        ),
      ),
      planList(row.plans.slice(0, 3)),
    );
  const melds = Object.entries(hint.melds).map(([action, row]) =>
    part(actionName(game, +action), { ...row, action }),
  );
  const now = hint.now.plans ? part(t("pass"), { ...hint.now, action: PASS }) : null;
  return now || melds.length ? h("div.melds-part", now, melds) : null;
}
