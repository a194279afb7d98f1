// What the page says, in the language of the settings: [en, ja, zh] by key.
import { settings } from "./settings.js";
import { HONOURS, RULES, SUITS, TERMS, WINDS, YAKU } from "./terms.js";
import { WORDS } from "./words.js";

const LANGUAGES = ["en", "ja", "zh"];
const TEXTS = { ...WORDS, ...TERMS, ...RULES };

const language = () => Math.max(0, LANGUAGES.indexOf(settings.language));
export const inLanguage = (texts) => texts[language()];
export const t = (key) => (TEXTS[key] ? TEXTS[key][language()] : key);

// A text with its {places} filled in.
export const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
export const fill = (key, values) => fillIn(t(key), values);

export const windName = (wind) => WINDS[language()][wind];
export const yakuName = (name) => (language() && YAKU[name] ? YAKU[name][language() - 1] : name);
export const roundName = (number) =>
  windName(Math.floor(number / 4) % 4) +
  (language() ? "" : " ") +
  ((number % 4) + 1) +
  (language() ? t("round") : "");

export function tileName(name) {
  if (name === "?") return t("face_down");
  const at = language(),
    n = name[0] === "0" ? 5 : +name[0];
  if (name[1] === "z") return HONOURS[n - 1][at];
  const red = name[0] === "0" ? t("red") : "";
  return at ? `${red}${n}${SUITS[name[1]][at]}` : `${red ? red + " " : ""}${n} ${SUITS[name[1]][at]}`;
}

// What an action of the server's table is called; `drawn` and `offer` name tiles that the number does not.
export function actionName(action, names, drawn) {
  if (action < 37) return `${t("discard")} ${tileName(names[action])}`;
  if (action === 37) return `${t("discard")} ${drawn ? tileName(drawn) : t("drawn")}`;
  if (action === 38) return t("riichi");
  if (action < 45) return t("chow");
  if (action < 47) return t("pong");
  if (action < 116) return action === 47 ? t("kong") : `${t("kong")} ${tileName(names[(action - 48) % 34])}`;
  return t({ 116: "tsumo", 117: "ron", 118: "nine", 119: "pass" }[action]);
}

export const number = (n, digits = 0) =>
  n.toLocaleString("en-US", { minimumFractionDigits: digits }).replace("-", "−");
