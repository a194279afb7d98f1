// The own hand below the table: tiles to click, waits, bars of a hint.
import { h } from "./dom.js";
import { settings } from "./settings.js";
import { lightUp, tile } from "./board.js";
import { addBar } from "./hints.js";
import { drawnAction } from "./moves.js";
import { t, tileName } from "./texts.js";
import { INDEX, kindOf } from "./tiles.js";
import { waitsLine } from "./waits.js";

const USUAL = {
  allowed: null,
  marked: [],
  own: null,
  hint: null,
  discard: null,
  bars: false,
  raised: { at: -1 },
  declaring: false,
};

// allowed: the discards that may be clicked, or null where none is asked; marked: those to be marked (riichi);
// declaring: riichi is being declared; bars: keep the place of those of a hint; discard: what a click does;
// raised: the tile that was tapped once.
export function hand(view, seat, root, options) {
  const { allowed, marked, own, hint, bars, discard, raised, declaring } = { ...USUAL, ...options };
  const side = view.seats[seat];
  const holder = h("div.own-hand", { role: "group", "aria-label": t("hand") });
  const add = (name, action, isDrawn) => {
    const legal = allowed !== null && allowed.includes(action);
    const keeps = marked.includes(action);
    let marks = isDrawn ? "new" : "";
    if (allowed !== null && !legal) marks += " off";
    if (keeps) marks += " keeps";
    if (view.dora?.includes(kindOf(name)) || name[0] === "0") marks += " dora";
    const words = [tileName(name), isDrawn && t("drawn"), keeps && t("tenpai")].filter(Boolean).join(", ");
    const place = holder.childElementCount;
    const look = () => {
      lightUp(root, kindOf(name));
      showWaits(action);
    };
    const button = tile(name, {
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
      onmouseenter: look,
      onfocus: look,
      onmouseleave: () => {
        lightUp(root, null);
        showWaits(null);
      },
    });
    if (hint && allowed !== null && legal) addBar(button, hint, action);
    holder.append(button);
  };
  side.hand.forEach((name) => add(name, INDEX[name], false));
  if (side.drawn) add(side.drawn, drawnAction(view.game, side.drawn), true);
  const waits = h("div.waits", { "aria-live": "off" });
  function showWaits(action) {
    if (!own || !settings.waits) return;
    waits.replaceChildren(...waitsLine(view.game, own, action, declaring));
  }
  showWaits(null);
  return h("div", { class: `hand-area${hint || bars ? " with-hint" : ""}` }, waits, holder);
}
