// What the page says, in the language of the settings: [en, ja, zh] by key.
import { settings } from "./settings.js";
import { moveOf } from "./moves.js";
import { HONOURS, RULES, SUITS, TERMS, WINDS, YAKU } from "./terms.js";
import { MCR_TERMS, inJapanese } from "./terms_mcr.js";
import { WORDS } from "./words.js";

const LANGUAGES = ["en", "ja", "zh"];
const TEXTS = { ...WORDS, ...TERMS, ...RULES, ...MCR_TERMS };

const language = () => Math.max(0, LANGUAGES.indexOf(settings.language));
export const inLanguage = (texts) => texts[language()];
export const t = (key) => (TEXTS[key] ? TEXTS[key][language()] : key);

// A text with its {places} filled in.
export const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
export const fill = (key, values) => fillIn(t(key), values);

export const windName = (wind) => WINDS[language()][wind];
export const yakuName = (name) => (language() && YAKU[name] ? YAKU[name][language() - 1] : name);
// A fan of MCR by its English and its Chinese name.
export const fanName = ([english, chinese]) => inLanguage([english, inJapanese(chinese), chinese]);
export const roundName = (number) =>
  windName(Math.floor(number / 4) % 4) +
  (language() ? "" : " ") +
  ((number % 4) + 1) +
  (language() ? t("round") : "");

// A round of a list, with its honba.
export const roundLabel = ({ round, honba }) => roundName(round) + (honba ? `-${honba}` : "");

export function tileName(name) {
  if (name === "?") return t("face_down");
  const at = language(),
    n = name[0] === "0" ? 5 : +name[0];
  if (name[1] === "z") return HONOURS[n - 1][at];
  if (name[1] === "f") return `${t("flower")} ${n}`;
  const red = name[0] === "0" ? t("red") : "";
  return at ? `${red}${n}${SUITS[name[1]][at]}` : `${red ? red + " " : ""}${n} ${SUITS[name[1]][at]}`;
}

// What an action of a game is called; `drawn` names the tile that the number does not.
export function actionName(game, action, drawn) {
  const { type, tile, word } = moveOf(game, action);
  if (type === "discard") return `${t("discard")} ${tile || drawn ? tileName(tile || drawn) : t("drawn")}`;
  if (type === "kong" && tile) return `${t("kong")} ${tileName(tile)}`;
  return t(word || type);
}

export const number = (n, digits = 0) =>
  n.toLocaleString("en-US", { minimumFractionDigits: digits }).replace("-", "−");
