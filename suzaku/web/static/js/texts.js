// What the page says: the file of the language of the settings, texts/en.json and so on, which is loaded once.
import { settings } from "./settings.js";
import { moveOf } from "./moves.js";

let texts, letters, isEnglish;

// Load the texts of the language of the settings.
export async function loadTexts() {
  const file = new URL(`../texts/${settings.language}.json`, import.meta.url);
  texts = await (await fetch(file)).json();
  isEnglish = settings.language === "en";
  letters = Object.fromEntries(texts.fan_letters.split(" ").map(([chinese, japanese]) => [chinese, japanese]));
}
await loadTexts();

export const t = (key) => texts.words[key] || key;

// A text with its {places} filled in.
const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
export const fill = (key, values) => fillIn(t(key), values);

export const windName = (wind) => texts.winds[wind];
export const yakuName = (name) => texts.yaku[name] || name;
// A fan of MCR by its English and its Chinese name; some letters of it are written otherwise in Japanese.
export const fanName = ([english, chinese]) =>
  isEnglish ? english : [...chinese].map((letter) => letters[letter] || letter).join("");
export const roundName = (number) =>
  windName(Math.floor(number / 4) % 4) +
  (isEnglish ? " " : "") +
  ((number % 4) + 1) +
  (isEnglish ? "" : t("round"));

// A round of a list, with its honba.
export const roundLabel = ({ round, honba }) => roundName(round) + (honba ? `-${honba}` : "");

export function tileName(name) {
  if (name === "?") return t("face_down");
  const n = name[0] === "0" ? 5 : +name[0],
    space = isEnglish ? " " : "";
  if (name[1] === "z") return texts.honours[n - 1];
  if (name[1] === "f") return `${t("flower")} ${n}`;
  return (name[0] === "0" ? t("red") + space : "") + n + space + texts.suits[name[1]];
}

// What an action of a game is called; `drawn` names the tile that the number does not.
export function actionName(game, action, drawn) {
  const { type, tile, word } = moveOf(game, action);
  if (type === "discard") return `${t("discard")} ${tile || drawn ? tileName(tile || drawn) : t("drawn")}`;
  if (type === "kong" && tile) return `${t("kong")} ${tileName(tile)}`;
  return t(word || type);
}

// A refusal of the server: our own words for its code, with its values filled in; its English where there are none.
export function errorText({ code, values = {}, text }) {
  if (!Object.hasOwn(texts.errors, code || "")) return text;
  const shown = { ...values };
  if (code === "not_legal") shown.action = actionName(values.game, values.action);
  if (values.reason) shown.reason = reasonText(values.reason);
  if (code === "too_large") shown.most = `${Math.floor(values.most / 2 ** 20) || 1} MB`;
  return fillIn(texts.errors[code], shown);
}

// Why a record cannot be read or followed: the server's usual English sentences have translations, in which {places}
// stand for anything and {rest} for such a sentence again. One without a translation stays English, in quotes.
export function reasonText(reason) {
  if (isEnglish) return reason;
  for (const [sentence, text] of Object.entries(texts.reasons)) {
    const pattern = sentence.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/\\\{(\w+)\\\}/g, "(?<$1>.+?)");
    const found = new RegExp(`^${pattern}$`).exec(reason);
    if (!found) continue;
    const values = { ...found.groups };
    if (values.rest) values.rest = reasonText(values.rest);
    return fillIn(text, values);
  }
  return `“${reason}”`;
}

export const number = (n, digits = 0) =>
  n.toLocaleString("en-US", { minimumFractionDigits: digits }).replace("-", "−");
