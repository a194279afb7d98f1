// What the numbers of actions mean, in each game.
import { INDEX, NAMES } from "./tiles.js";

// Each is { type }: discard (tile; null for the one just drawn), riichi, chow (which: 0 low, 1 middle, 2 high; red),
// pong (red), kong (tile; null for an open one), win (word), nine, pass, foul.
function riichiMove(action) {
  if (action < 37) return { type: "discard", tile: NAMES[action] };
  if (action === 37) return { type: "discard", tile: null };
  if (action === 38) return { type: "riichi" };
  if (action < 45) return { type: "chow", which: (action - 39) % 3, red: action >= 42 };
  if (action < 47) return { type: "pong", red: action === 46 };
  if (action < 116) return { type: "kong", tile: action === 47 ? null : NAMES[(action - 48) % 34] };
  if (action < 118) return { type: "win", word: action === 116 ? "tsumo" : "ron" };
  return { type: action === 118 ? "nine" : "pass" };
}

export const PASS = 108; // of MCR

function mcrMove(action) {
  if (action < 34) return { type: "discard", tile: NAMES[action] };
  if (action < 37) return { type: "chow", which: action - 34, red: false };
  if (action === 37) return { type: "pong", red: false };
  if (action < 107) return { type: "kong", tile: action === 38 ? null : NAMES[(action - 39) % 34] };
  return { type: { 107: "win", [PASS]: "pass" }[action] || "foul" };
}

export const moveOf = (game, action) => (game === "mcr" ? mcrMove : riichiMove)(action);
export const isDiscard = (game, action) => moveOf(game, action).type === "discard";

// The action that throws the tile just drawn.
export const drawnAction = (game, tile) => (game === "mcr" ? INDEX[tile] : 37);

// Those of some actions that are of a type.
export const ofType = (game, actions, type) => actions.filter((action) => moveOf(game, action).type === type);
