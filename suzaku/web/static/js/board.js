// Draws a table: four sides around the middle. The same for playing, watching and replays.
import { h } from "./dom.js";
import { settings } from "./settings.js";
import { number, roundName, t, tileName, windName } from "./texts.js";
import { kindOf } from "./tiles.js";

const SVG = "http://www.w3.org/2000/svg";
const PREFIX = { labels: "l", classic: "c", numbers: "n" };

// One tile, in the style of the settings wherever it is. Of one that `lies` on its side, the face stays upright.
export function tile(name, { marks = "", lies = false, tag = "span", ...props } = {}) {
  const shape = lies ? "-lying" : "";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", lies ? "0 0 40 30" : "0 0 30 40");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name === "?" ? "back" : PREFIX[settings.tiles] + name}${shape}`);
  svg.append(use);
  const label = props["aria-label"] || tileName(name);
  const role = tag === "span" ? { role: "img" } : {};
  return h(
    tag,
    {
      title: name === "?" ? null : label,
      ...role,
      ...props,
      class: `tile ${marks}`,
      "aria-label": label,
      "data-kind": name === "?" ? null : kindOf(name),
    },
    svg,
  );
}

const ROW = { riichi: 6, mcr: 7 }; // discards in a row of the river; MCR has more of them

// `across`: the seat is at the right or at the left, where tiles that stand for it lie on the screen.
function river(side, view, across) {
  const dora = view.dora || [];
  const rows = [[], [], []];
  side.river.forEach(([name, mark], i) => {
    let marks = "";
    if (mark.includes("d")) marks += " drawn";
    if (mark.includes("r")) marks += " turned";
    if (mark.includes("c")) marks += " called";
    if (mark.includes("l")) marks += " last";
    if (dora.includes(kindOf(name)) || name[0] === "0") marks += " dora";
    const words = [tileName(name), mark.includes("r") && t("riichi"), mark.includes("c") && t("called_tile")].filter(
      Boolean,
    );
    const row = rows[Math.min(2, Math.floor(i / ROW[view.game]))];
    const lies = across !== mark.includes("r");
    row.push(tile(name, { marks, lies, "aria-label": words.join(", ") }));
  });
  return h(
    "div.river",
    { role: "group", "aria-label": t("river") },
    rows.map((row) => h("div.row", row)),
  );
}

const meldAt = (across) => (one) => {
  const parts = one.tiles.map((name, i) => {
    const closed = one.type === "closed_kong" && (i === 0 || i === 3);
    if (i !== one.called) return tile(closed ? "?" : name, { lies: across });
    const turned = (which) => tile(which, { marks: "turned", lies: !across });
    return one.added ? h("span.pile", turned(one.added), turned(name)) : turned(name);
  });
  return h("span.meld", { role: "group", "aria-label": t(one.type.includes("kong") ? "kong" : one.type) }, parts);
};

// A meld that is not on the table.
export const meld = (one) => meldAt(false)(one);

// The flowers of MCR, laid out beside the melds.
function flowers(side, across) {
  if (!side.flowers?.length) return null;
  const tiles = side.flowers.map((name) => tile(name, { lies: across }));
  return h("span.meld.flowers", { role: "group", "aria-label": t("flowers") }, tiles);
}

const left = (view) =>
  h(
    "span",
    { title: t("tiles_left"), class: "left", "aria-label": `${view.left} ${t("tiles_left")}` },
    `▤ ${view.left}`,
  );

function riichiMiddle(view) {
  const doras = [0, 1, 2, 3, 4].map((i) =>
    tile(view.indicators[i] || "?", { marks: view.indicators[i] ? "" : "dim" }),
  );
  return h(
    "div.middle",
    { role: "group" },
    h("div.round", roundName(view.round)),
    h(
      "div.counters",
      h("span", { title: t("honba") }, `${view.honba}`, h("span.word", ` ${t("honba")}`)),
      h("span", { title: t("sticks"), class: "sticks" }, `×${view.sticks}`),
      left(view),
    ),
    h("div.doras", { "aria-label": t("dora_indicator"), role: "group" }, doras),
  );
}

function mcrMiddle(view) {
  return h("div.middle", { role: "group" }, h("div.round", roundName(view.round)), h("div.counters", left(view)));
}

// names: four texts; me: the seat at the bottom; hide(seat): whether its hand is drawn face down.
export function board(view, { names, me, hide = () => false, bubbles = {} }) {
  const sides = view.seats.map((side, seat) => {
    const place = (seat - me + 4) % 4;
    const across = place % 2 === 1;
    const who = [t("self"), t("right"), t("across"), t("left_seat")][place];
    const hidden = hide(seat);
    const show = (name) => (hidden ? "?" : name);
    const hand =
      place === 0
        ? null
        : h(
            "div.hand",
            { role: "group", "aria-label": t("hand") },
            side.hand.map((name) => tile(show(name), { lies: across })),
            side.drawn ? tile(show(side.drawn), { marks: "new", lies: across }) : null,
          );
    const dealer = side.wind === 0 ? ` (${t("dealer")})` : "";
    const words = [`${who}: ${names[seat]}`, windName(side.wind) + dealer, number(side.score)];
    const title = [...words, side.riichi && t("riichi")].filter(Boolean).join(", ");
    return h(
      "section",
      { class: `side at${place}${side.asked ? " asked" : ""}`, "aria-label": title },
      river(side, view, across),
      hand,
      h("div.melds", side.melds.map(meldAt(across)), flowers(side, across)),
      h("div.who", names[seat]),
      bubbles[seat] ? h("div", { class: `bubble ${bubbles[seat]}` }, t(bubbles[seat])) : null,
      h(
        "div.score",
        h("b", { class: side.wind === 0 ? "wind dealer" : "wind" }, windName(side.wind)[0]),
        h("span", number(side.score)),
        view.walls ? h("small.wall", { title: t("wall_left") }, `▤ ${view.walls[seat]}`) : null,
      ),
      side.riichi ? h("div.stick", { title: t("riichi") }) : null,
    );
  });
  return h(`div.board.${view.game}`, view.game === "mcr" ? mcrMiddle(view) : riichiMiddle(view), sides);
}

// Tiles of the same kind light up together.
export function lightUp(root, kind) {
  for (const one of root.querySelectorAll(".tile.same")) one.classList.remove("same");
  if (kind)
    for (const one of root.querySelectorAll(`:is(.board, .own-hand) .tile[data-kind="${kind}"]`))
      one.classList.add("same");
}
