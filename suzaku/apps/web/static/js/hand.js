// The own hand below the table: tiles to click, waits, bars of a hint.
import { h, settings } from "./dom.js";
import { lightUp, tile } from "./board.js";
import { bar } from "./hints.js";
import { t, tileName } from "./texts.js";
import { INDEX, kindOf } from "./tiles.js";

// allowed: the discards that may be clicked, or null where none is asked; marked: those to be marked (riichi).
export function hand(
  view,
  seat,
  { allowed = null, marked = [], own = null, hint = null, discard = null, raised = { at: -1 }, root, open = true },
) {
  const side = view.seats[seat];
  const holder = h("div.own-hand", { role: "group", "aria-label": t("hand") });
  const add = (name, action, isDrawn) => {
    const legal = allowed !== null && allowed.includes(action);
    const keeps = marked.includes(action);
    let marks = isDrawn ? "new" : "";
    if (allowed !== null && !legal) marks += " off";
    if (keeps) marks += " keeps";
    if (view.dora.includes(kindOf(name)) || name[0] === "0") marks += " dora";
    const words = [tileName(name), isDrawn && t("drawn"), keeps && t("tenpai")].filter(Boolean).join(", ");
    const place = holder.childElementCount;
    const button = tile(open ? name : "?", {
      tag: "button",
      type: "button",
      marks,
      "aria-label": words,
      "data-action": action,
      disabled: allowed === null ? false : !legal,
      "aria-disabled": legal ? null : "true",
      onclick: () => {
        if (!legal || !discard) return;
        if (settings.confirm && raised.at !== place) {
          raised.at = place;
          for (const one of holder.querySelectorAll(".raised")) one.classList.remove("raised");
          button.classList.add("raised");
          showWaits(action);
          return;
        }
        raised.at = -1;
        discard(action);
      },
      onmouseenter: () => {
        lightUp(root, kindOf(name));
        showWaits(action);
      },
      onfocus: () => {
        lightUp(root, kindOf(name));
        showWaits(action);
      },
      onmouseleave: () => {
        lightUp(root, null);
        showWaits(null);
      },
    });
    if (hint && allowed !== null && legal) button.prepend(bar(hint, action));
    holder.append(button);
  };
  side.hand.forEach((name) => add(name, INDEX[name], false));
  if (side.drawn) add(side.drawn, 37, true);
  const waits = h("div.waits", { "aria-live": "off" });
  function showWaits(action) {
    if (!own || !settings.waits) return;
    const found =
      action !== null && own.discards[action]
        ? own.discards[action]
        : action === null || !Object.keys(own.discards).length
          ? { waits: own.waits, furiten: own.furiten }
          : null;
    waits.replaceChildren();
    if (found && Object.keys(found.waits).length) {
      waits.append(
        t("waits"),
        ...Object.entries(found.waits).flatMap(([name, n]) => [tile(name, { small: true }), `×${n}`]),
      );
      if (found.furiten) waits.append(h("b.furiten", t("furiten")));
    } else if (own.shanten >= 0 && action === null) {
      waits.append(own.shanten === 0 ? t("tenpai") : `${own.shanten} ${t("shanten")}`);
    }
  }
  showWaits(null);
  return h("div", { class: `hand-area${hint ? " with-hint" : ""}` }, waits, holder);
}
