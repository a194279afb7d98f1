// Plain requests to the server.
import { errorText, t } from "./texts.js";

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
