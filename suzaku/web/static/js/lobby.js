// The first page: a new game, tables that wait for people, the games played so far, and records dropped on it.
import { h, notice } from "./dom.js";
import { forgetOld, forgetOwner, keepOwner, ownerOf, secrets } from "./seats.js";
import { ask, post } from "./server.js";
import { forGame, keep, settings } from "./settings.js";
import { number, roundName, t } from "./texts.js";

const PACES = [
  ["slow", 1.2],
  ["normal", 0.6],
  ["fast", 0.25],
  ["instant", 0],
];
const TIMERS = [0, 10, 20, 30, 60];

// The game that a new table is of; what the server offers first until another is chosen.
let chosen = "";

const gameTag = (game) => (game === "riichi" ? "" : h("small.tag", t(`game_${game}`)));
const lengthName = (name) => t(name === "hand" ? "hand_length" : name);

const field = (label, input) => h("label.field", h("span", label), input);
const choice = (name, options, value) =>
  h(
    "select",
    { name },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );

const tableRow = (one) =>
  h(
    "p.row",
    h("span", gameTag(one.game), one.names.filter(Boolean).join(", ") || "…"),
    h("a.button", { href: `#/table/${one.id}` }, one.watch ? t("look") : `${t("join")} (${one.free})`),
  );

const continueRow = (one) => {
  const round = one.started ? `${roundName(one.round)}${one.honba ? `-${one.honba}` : ""} · ` : "";
  return h(
    "p.row",
    h("span", gameTag(one.game), round + (one.names.filter(Boolean).join(", ") || "…")),
    h("a.button.main", { href: `#/table/${one.id}` }, t("continue")),
  );
};

export class LobbyPage {
  constructor(root, query) {
    this.root = root;
    this.shown = { source: query.get("source") || "page", player: "" };
    this.load();
    this.timer = setInterval(() => this.loadTables(), 4000);
  }

  close() {
    clearInterval(this.timer);
  }

  async load() {
    try {
      this.options = await ask(`/api/options${chosen ? `?game=${chosen}` : ""}`);
      chosen = this.options.game;
    } catch (error) {
      return notice(error.message);
    }
    const adviser = forGame("adviser", chosen);
    if (!this.options.advisers.includes(settings[adviser])) keep(adviser, this.options.agent);
    this.draw();
    this.loadTables();
    this.loadGames();
  }

  // The games played so far come later: without them, too, one can play.
  async loadGames() {
    try {
      const { source, player } = this.shown;
      const query = source === "page" && !player ? "" : `?${new URLSearchParams(this.shown)}`;
      [this.games, this.sources] = await Promise.all([ask(`/api/games${query}`), ask("/api/sources")]);
    } catch (error) {
      return notice(error.message);
    }
    this.fillGames();
  }

  fillGames() {
    const card = this.root.querySelector("#games");
    if (card && this.games) card.replaceWith(this.list());
  }

  async loadTables() {
    const taken = secrets();
    const [tables, mine] = await Promise.all([
      ask("/api/tables").catch(() => []),
      Object.keys(taken).length ? post("/api/mine", { seats: taken }).catch(() => null) : [],
    ]);
    const own = new Set((mine || []).map((one) => one.id));
    if (mine) forgetOld(own);
    this.fillCard("#mine", t("continue_games"), (mine || []).map(continueRow));
    this.fillCard("#tables", t("open_tables"), tables.filter((one) => !own.has(one.id)).map(tableRow));
  }

  // A card of rows, hidden while there are none.
  fillCard(place, title, rows) {
    const card = this.root.querySelector(place);
    if (!card) return;
    card.replaceChildren(h("h2", title), ...rows);
    card.hidden = !rows.length;
  }

  draw() {
    const { game, games, agents, advisers, agent, labels, rules, lengths, usual_length } = this.options;
    const presets = Object.keys(rules);
    const last = settings[forGame("last", game)] || {};
    const opponents = [0, 1, 2].map((i) =>
      choice(
        `opponent${i}`,
        agents.map((name) => [name, labels[name]]),
        agents.includes((last.opponents || [])[i]) ? last.opponents[i] : agent,
      ),
    );
    const adviser = choice(
      "adviser",
      advisers.map((name) => [name, labels[name]]),
      settings[forGame("adviser", game)],
    );
    adviser.onchange = () => keep(forGame("adviser", game), adviser.value);
    const checks = Object.keys(rules[presets[0]]).map((name) =>
      h("label.check", h("input", { type: "checkbox", name: `switch-${name}` }), t(name)),
    );
    const form = h(
      "form.card",
      {
        onsubmit: (event) => {
          event.preventDefault();
          this.create(form);
        },
      },
      h("h2", t("new_game")),
      field(
        t("game"),
        choice(
          "game",
          games.map((name) => [name, t(`game_${name}`)]),
          game,
        ),
      ),
      field(t("name"), h("input", { name: "name", maxlength: 20, value: settings.name, autocomplete: "nickname" })),
      h(
        "fieldset",
        h("legend", t("opponents")),
        h(
          "div.three",
          opponents.map((one, i) => {
            one.setAttribute("aria-label", `${t("opponent")} ${i + 1}`);
            return one;
          }),
        ),
      ),
      field(
        t("rules"),
        choice(
          "rules",
          presets.map((name) => [name, t(name)]),
          presets.includes(last.rules) ? last.rules : presets[0],
        ),
      ),
      h(
        "div.two",
        field(
          t("length"),
          choice(
            "length",
            lengths.map((name) => [name, lengthName(name)]),
            last.length || usual_length[presets[0]],
          ),
        ),
        field(
          t("people"),
          choice(
            "people",
            [
              ["1", t("just_me")],
              ["2", "2"],
              ["3", "3"],
              ["4", "4"],
              ["0", t("watch")],
            ],
            "1",
          ),
        ),
        field(
          t("timer"),
          choice(
            "timer",
            TIMERS.map((s) => [String(s), s ? `${s} ${t("seconds")}` : t("no_limit")]),
            String(last.timer || 0),
          ),
        ),
        field(
          t("pace"),
          choice(
            "pace",
            PACES.map(([name, s]) => [String(s), t(name)]),
            String(last.pace ?? 0.6),
          ),
        ),
        field(t("adviser"), adviser),
        field(
          t("seed"),
          h("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]{0,15}", placeholder: t("random") }),
        ),
      ),
      h("details", h("summary", t("more_rules")), h("div.checks", checks)),
      h("button.main.big", { type: "submit" }, t("start")),
    );
    form.elements.game.onchange = () => {
      chosen = form.elements.game.value;
      this.load();
    };
    const check = () => {
      for (const [name, on] of Object.entries(rules[form.elements.rules.value])) {
        form.elements[`switch-${name}`].checked = on;
      }
    };
    form.elements.rules.onchange = () => {
      check();
      if (game !== "riichi") form.elements.namedItem("length").value = usual_length[form.elements.rules.value];
    };
    check();
    this.root.replaceChildren(
      h(
        "div.lobby",
        h("div.card", { id: "mine", hidden: true }),
        form,
        h("div", h("div.card", { id: "tables", hidden: true }), this.drop(), h("div.card", { id: "games" })),
      ),
    );
    this.fillGames();
  }

  async create(form) {
    const data = Object.fromEntries(new FormData(form));
    keep("name", data.name.trim());
    const opponents = [data.opponent0, data.opponent1, data.opponent2];
    const last = { opponents, length: data.length, rules: data.rules, timer: +data.timer, pace: +data.pace };
    keep(forGame("last", this.options.game), last);
    const switches = {};
    for (const [name, usual] of Object.entries(this.options.rules[data.rules])) {
      const on = form.elements[`switch-${name}`].checked;
      if (on !== usual) switches[name] = on;
    }
    const body = {
      opponents: +data.people === 0 ? [...opponents, opponents[0]] : opponents,
      people: +data.people,
      game: this.options.game,
      rules: data.rules,
      length: data.length,
      switches,
      timer: +data.timer,
      pace: +data.pace,
    };
    if (data.seed) body.seed = +data.seed;
    try {
      const table = await post("/api/tables", body);
      keepOwner(table.id, table.owner);
      location.hash = `#/table/${table.id}`;
    } catch (error) {
      notice(error.message);
    }
  }

  drop() {
    const input = h("input", {
      type: "file",
      id: "record",
      class: "visually-hidden",
      onchange: () => input.files[0] && upload(input.files[0]),
    });
    return h("label.card.drop", { for: "record" }, input, t("drop"));
  }

  list() {
    const rows = this.games.map((game) => {
      const order = [0, 1, 2, 3].sort((a, b) => game.ranks[a] - game.ranks[b]);
      const result = order.map((seat) =>
        h("span", { class: game.agents[seat] ? "" : "person" }, `${game.names[seat]} ${number(game.scores[seat])}`),
      );
      return h(
        "li",
        h(
          "a",
          { href: `#/replay/${game.id}` },
          h(
            "time",
            { datetime: game.started },
            new Date(game.started).toLocaleString(settings.language, { dateStyle: "medium", timeStyle: "short" }),
          ),
          " ",
          gameTag(game.game),
          game.finished ? "" : h("small", ` (${t("unfinished")})`),
          h("div.result", result),
        ),
        game.deletable || ownerOf(game.id) ? this.deleteButton(game) : null,
      );
    });
    const list = rows.length ? h("ul.games", rows) : h("p", t("no_games"));
    return h("div.card", { id: "games" }, h("h2", t("games")), this.sources.length ? this.filter() : null, list);
  }

  // Which games are listed: those played here, those of a match or a store; all, or those with a player.
  filter() {
    const counts = { [this.shown.source]: 0, ...Object.fromEntries(this.sources) };
    const options = Object.entries(counts).map(([name, count]) => [
      name,
      `${name === "page" ? t("played_here") : name} (${number(count)})`,
    ]);
    const source = choice("source", options, this.shown.source);
    const player = h("input", { name: "player", maxlength: 40, value: this.shown.player });
    const show = (change) => {
      Object.assign(this.shown, change);
      this.loadGames();
    };
    source.onchange = () => show({ source: source.value });
    player.onchange = () => show({ player: player.value.trim() });
    return h("div", field(t("source"), source), field(t("with_player"), player));
  }

  deleteButton({ id, names }) {
    const run = async () => {
      if (!confirm(t("delete_sure"))) return;
      try {
        const owner = ownerOf(id);
        await ask(`/api/games/${id}`, { method: "DELETE", body: JSON.stringify({ owner }) });
      } catch (error) {
        return notice(error.message);
      }
      forgetOwner(id);
      this.games = this.games.filter((game) => game.id !== id);
      this.fillGames();
    };
    const label = `${t("delete")}: ${names.join(", ")}`;
    return h("button.quiet", { type: "button", title: t("delete"), "aria-label": label, onclick: run }, "✕");
  }
}

export async function upload(file) {
  const done = notice(`${file.name}: ${t("reading")}…`);
  try {
    const games = await ask(`/api/replays?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    if (games.length === 1) location.hash = `#/replay/${games[0].id}`;
    else choose(file.name, games);
  } catch (error) {
    notice(`${file.name}: ${error.message}`);
  } finally {
    done();
  }
}

// A file with several games: which one?
function choose(title, games) {
  const rows = games.map((game, i) =>
    h(
      "li",
      h("a", { href: `#/replay/${game.id}`, onclick: () => dialog.close() }, `${i + 1}: ${game.names.join(", ")}`),
    ),
  );
  const dialog = h(
    "dialog",
    { "aria-label": title },
    h("h2", title),
    h("ul.games", rows),
    h("div.buttons", h("button", { type: "button", onclick: () => dialog.close() }, t("close"))),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
