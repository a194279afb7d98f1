// Plain requests to the server, and what its refusals are called in the language of the page.
import { ERRORS } from "./errors.js";
import { reasonText } from "./reasons.js";
import { actionName, fillIn, inLanguage, t } from "./texts.js";

export async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error(t("no_server"));
  }
  let data;
  try {
    data = JSON.parse(await response.text());
  } catch {
    throw new Error(response.statusText || t("no_server"));
  }
  if (response.ok) return data;
  const text = typeof data.detail === "string" ? data.detail : response.statusText;
  throw new Error(errorText({ ...data, text }));
}

export const post = (path, body) =>
  ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });

// A refusal: our own words for its code, with its values filled in; the server's English where there are none.
export function errorText({ code, values = {}, text }) {
  if (!Object.hasOwn(ERRORS, code || "")) return text;
  const shown = { ...values };
  if (code === "not_legal") shown.action = actionName(values.game, values.action);
  if (values.reason) shown.reason = reasonText(values.reason);
  if (code === "too_large") shown.most = `${Math.floor(values.most / 2 ** 20) || 1} MB`;
  return fillIn(inLanguage(ERRORS[code]), shown);
}
