// What the own hand waits for: tiles, how many of them are unseen, furiten, and which do not win as they are.
import { h } from "./dom.js";
import { tile } from "./board.js";
import { t } from "./texts.js";

// action: a discard that is looked at, or null; declaring: riichi is a yaku, so that nothing is missing then.
function found(own, action) {
  if (action !== null && own.discards[action]) return own.discards[action];
  return action === null || !Object.keys(own.discards).length ? own : null;
}

// Why a wait does not win: no yaku, or of MCR too few fan.
const LACKING = { riichi: "no_yaku", mcr: "under_minimum" };
const missing = (game, ways) => (!ways ? "" : t(LACKING[game] + (ways.includes("tsumo") ? "" : "_ron")));

export function waitsLine(game, own, action, declaring) {
  const { waits = {}, furiten = false, no_yaku = {} } = found(own, action) || {};
  const names = Object.keys(waits);
  if (!names.length) {
    if (own.shanten < 0 || action !== null) return [];
    return [own.shanten === 0 ? t("tenpai") : `${own.shanten} ${t("shanten")}`];
  }
  const lacks = names.map((name) => (declaring ? "" : missing(game, no_yaku[name])));
  const same = lacks.every((lack) => lack === lacks[0]); // then it is said once, at the end
  const parts = names.map((name, i) =>
    h(
      "span",
      { class: lacks[i] ? "wait lacking" : "wait" },
      tile(name),
      `×${waits[name]}`,
      !same && lacks[i] ? h("b.lack", lacks[i]) : null,
    ),
  );
  return [
    t("waits"),
    ...parts,
    same && lacks[0] ? h("b.lack", lacks[0]) : "",
    furiten ? h("b.furiten", t("furiten")) : "",
  ];
}
