// What a person has set, kept in the browser.
const PHONE = matchMedia("(max-width: 700px), (max-height: 520px)").matches; // its tiles are small: large numbers
const USUAL = {
  language: (navigator.language || "en").slice(0, 2),
  theme: "auto",
  tiles: PHONE ? "numbers" : "labels",
  name: "",
  waits: true,
  hints: false,
  autoPass: false,
  autoWin: false,
  autoDrawn: true,
  confirm: matchMedia("(pointer: coarse)").matches,
};
const kept = JSON.parse(localStorage.getItem("suzaku") || "{}");
export const settings = { ...USUAL, ...kept };
if (!["en", "ja", "zh"].includes(settings.language)) settings.language = "en";

// The name of a setting that each game has its own of.
export const forGame = (name, game) => (game === "riichi" ? name : `${name}_${game}`);

export function keep(name, value) {
  settings[name] = value;
  kept[name] = value;
  localStorage.setItem("suzaku", JSON.stringify(kept));
}
