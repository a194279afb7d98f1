// What happened at a table besides the game itself, in words.
import { fill, t } from "./texts.js";

// A text for an event in which somebody else moved for a seat; null for moves of the game.
export function remark(event, names, me) {
  const name = names[event.seat];
  if (event.type === "timeout") return event.seat === me ? t("timeout_you") : fill("timeout", { name });
  if (event.type === "absent") return event.seat === me ? t("absent_you") : fill("absent", { name });
  if (event.type === "stand_in") return fill("stand_in", { name, why: t(`bot_${event.why}`) });
  return null;
}

// Whom the table waits for, after some seconds: a seat, or somebody who may claim and stays secret.
export function waitingText({ seat, limit }, names) {
  const text = seat < 0 ? t("waiting_claim") : fill("waiting_for", { name: names[seat] });
  return limit ? `${text} (${fill("at_most", { seconds: Math.round(limit) })})` : text;
}

// How far the agents are that adapt to their hands.
export const adaptingText = (seats, names) =>
  seats.map(({ seat, done, of }) => fill("adapting", { name: names[seat], done, of })).join(" · ");
