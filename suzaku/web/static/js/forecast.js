// What each seat could expect of the game before every round: a line chart, and the figures of one round.
import { h } from "./dom.js";
import { number, roundLabel, t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 640,
  HIGH = 120,
  EDGE = 8;
const LABELS = 6; // most names of rounds below the chart

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const signed = (value) => (value >= 0.5 ? "+" : "") + number(Math.round(value) || 0); // never −0
const label = (game, at) => (at < game.rounds.length ? roundLabel(game.rounds[at]) : t("game_end"));

// `open` is called with the number of a round that was clicked.
export function forecastChart(forecast, game, round, open) {
  const last = forecast.reward.length - 1;
  const top = Math.max(...forecast.rewards),
    bottom = Math.min(...forecast.rewards);
  const x = (at) => EDGE + ((WIDE - 2 * EDGE) * at) / Math.max(1, last);
  const y = (value) => EDGE + ((HIGH - 2 * EDGE) * (top - value)) / (top - bottom);
  const size = { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" };
  const svg = shape("svg", { ...size, role: "img", "aria-label": t("forecast") });
  for (const reward of forecast.rewards)
    svg.append(shape("line", { x1: EDGE, x2: WIDE - EDGE, y1: y(reward), y2: y(reward), class: "line" }));
  svg.append(shape("line", { x1: x(round), x2: x(round), y1: 0, y2: HIGH, class: "now" }));
  for (let seat = 0; seat < 4; seat++) {
    const points = forecast.reward.map((row, at) => `${x(at).toFixed(1)},${y(row[seat]).toFixed(1)}`);
    svg.append(shape("polyline", { points: points.join(" "), class: `seat-${seat}` }));
  }
  const near = (event) => {
    const box = svg.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width) * WIDE;
    return Math.round((along - EDGE) / (x(1) - x(0)));
  };
  svg.addEventListener("click", (event) => open(Math.max(0, Math.min(game.rounds.length - 1, near(event)))));
  const cells = (at) =>
    game.names.map((_, seat) =>
      h(
        "td",
        h("b", signed(forecast.reward[at][seat])),
        h("small", { title: t("expected_place") }, ` ${forecast.place[at][seat].toFixed(1)}`),
      ),
    );
  const scale = [...new Set(forecast.rewards)].map((reward) =>
    h("span.value", { style: `top: ${(100 * y(reward)) / HIGH}%` }, signed(reward)),
  );
  const every = Math.ceil((last + 1) / LABELS);
  const times = forecast.reward.map((_, at) =>
    at % every === 0 ? h("span.time", { style: `left: ${(100 * x(at)) / WIDE}%` }, label(game, at)) : null,
  );
  const rows = round < last ? [round, round + 1] : [last];
  return h(
    "figure.forecast",
    h("figcaption", t("forecast"), h("small", ` · ${t("expected_place")}`)),
    h("div.chart", svg, h("div.scale", { "aria-hidden": "true" }, scale, times)),
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          h("th"),
          game.names.map((name, seat) => h("th", { class: `seat-${seat}` }, name)),
        ),
      ),
      h(
        "tbody",
        rows.map((at) => h("tr", h("th", label(game, at)), cells(at))),
      ),
    ),
  );
}
