// A recorded game, step by step, with the agent's opinion of every decision.
import { h, notice } from "./dom.js";
import { ask } from "./server.js";
import { forGame, settings } from "./settings.js";
import { board } from "./board.js";
import { hand } from "./hand.js";
import { forecastChart } from "./forecast.js";
import { isDiscard } from "./moves.js";
import { addBar, hintPanel } from "./hints.js";
import { Opinions, gapText } from "./opinions.js";
import { ranking, settlement } from "./settle.js";
import { actionName, reasonText, roundLabel, t } from "./texts.js";

const PLACING = 200; // milliseconds until the address follows: browsers limit how often it may change

export class ReplayPage {
  // place: `round`, `step` and `seat` of the address, counted from 0
  constructor(root, id, place) {
    Object.assign(this, {
      root,
      id,
      round: 0,
      at: 0,
      me: 0,
      open: null, // whether all hands are; null: unless a person's decisions are looked at
      passes: false,
      frames: [],
      hint: null,
      forecast: null,
      cache: {},
    });
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.load(place);
  }

  close() {
    this.closed = true;
    this.opinions?.close();
    clearTimeout(this.placing);
    removeEventListener("keydown", this.onKey);
  }

  async load(place) {
    try {
      this.game = await ask(`/api/replays/${this.id}`);
      this.options = await ask(`/api/options?game=${this.game.game}`);
      const adviser = settings[forGame("adviser", this.game.game)];
      this.choose(this.options.advisers.includes(adviser) ? adviser : this.options.agent);
      const within = (name, most) => Math.min(Math.max(0, Math.floor(+place.get(name)) || 0), most);
      const own = [0, 1, 2, 3].findIndex((seat) => this.person(seat));
      this.me = place.has("seat") ? within("seat", 3) : Math.max(0, own);
      if (this.game.note) notice(`${t("stays_secret")}: ${reasonText(this.game.note)}`);
      const round = within("round", this.game.rounds.length - 1);
      await this.open_round(round, within("step", this.game.rounds[round].steps));
      this.load_forecast();
    } catch (error) {
      this.root.replaceChildren(h("div.card", h("p", error.message), h("a.button", { href: "#/" }, t("back"))));
    }
  }

  // Whether somebody played at this seat who is none of the agents.
  person(seat) {
    return !Object.values(this.options.labels).includes(this.game.names[seat].replace(/ [1-4]$/, ""));
  }

  get all_open() {
    return this.open ?? !this.person(this.me);
  }

  async open_round(number, at = 0) {
    if (number < 0 || number >= this.game.rounds.length) return;
    this.opening = number;
    this.cache[number] ??= await ask(`/api/replays/${this.id}/rounds/${number}`);
    if (this.opening !== number) return; // another one was opened meanwhile
    this.round = number;
    this.frames = this.cache[number];
    this.jump(at);
    this.load_opinions();
  }

  async load_forecast() {
    try {
      this.forecast = await ask(`/api/replays/${this.id}/forecast`);
    } catch (error) {
      notice(error.message);
    }
    this.draw();
  }

  async load_opinions() {
    const { opinions } = this;
    const tell = (round) => {
      if (round === this.round) this.draw();
      else this.root.querySelector(".agreement")?.replaceWith(this.agreement());
    };
    try {
      await opinions.load(() => this.round, tell);
    } catch (error) {
      if (opinions.closed) return;
      notice(error.message);
      this.draw();
    }
  }

  agreement() {
    return this.opinions.agreement(this.game.names, this.round, this.me);
  }

  choose(agent) {
    this.opinions?.close();
    this.agent = agent;
    this.opinions = new Opinions(this.id, agent, this.game.rounds.length);
    this.hint = null;
  }

  // Steps at which nothing is to be seen are left out, unless every pass is wished for.
  shown(i) {
    return this.passes || i === 0 || !this.frames[i].quiet;
  }

  go(step) {
    let to = this.at + step;
    while (to > 0 && to < this.frames.length - 1 && !this.shown(to)) to += step;
    if (to < 0) return this.open_round(this.round - 1, Infinity);
    if (to >= this.frames.length) return this.open_round(this.round + 1);
    this.jump(to);
  }

  jump(to) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, to));
    this.hint = null;
    this.draw();
  }

  async next_difference() {
    const { opinions, me } = this;
    try {
      const found = await opinions.next_difference(this.round, this.at, me);
      if (opinions.closed || me !== this.me) return;
      if (found) await this.open_round(...found);
      else notice(t("no_difference"));
    } catch (error) {
      notice(error.message);
    }
  }

  async ask_hint() {
    const { round, at } = this;
    try {
      const found = await ask(
        `/api/replays/${this.id}/rounds/${round}/steps/${at}/hint?agent=${encodeURIComponent(this.agent)}`,
      );
      if (round === this.round && at === this.at) this.hint = found;
      this.draw();
    } catch (error) {
      notice(error.message);
    }
  }

  key(event) {
    if (event.target.closest("select, input:not([type=range]), dialog")) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    if (steps[event.key]) {
      this.go(steps[event.key]);
      event.preventDefault();
    } else if (event.key === "ArrowDown" || event.key === "n") {
      this.open_round(this.round + 1);
      event.preventDefault();
    } else if (event.key === "ArrowUp") {
      this.open_round(this.round - 1);
      event.preventDefault();
    } else if (event.key === "h") this.ask_hint();
    else if (event.key === "o") {
      this.open = !this.all_open;
      this.draw();
    }
  }

  draw() {
    const frame = this.frames[this.at];
    if (!frame || this.closed) return;
    clearTimeout(this.placing);
    this.placing = setTimeout(() => history.replaceState(null, "", this.address()), PLACING);
    const names = this.game.names,
      view = frame.view,
      me = this.me;
    const bubbles = frame.event && frame.event.type !== "discard" ? { [frame.event.seat]: frame.event.type } : {};
    const ended = new Set(
      view.settlement ? [...view.settlement.wins, ...(view.settlement.hands || [])].map((one) => one.seat) : [],
    );
    const hide = (seat) => !this.all_open && seat !== me && !ended.has(seat);
    const mine = frame.seat === me && isDiscard(this.game.game, frame.action);
    const hint = this.hint || this.opinions.said[this.round]?.[this.at];
    const below = hand(view, me, this.root, {});
    if (hint && mine) this.mark(below, hint, frame);
    this.root.replaceChildren(
      h(
        "div.table-page.replay",
        h(
          "div.play",
          h("div.board-box", board(view, { names, me, hide, bubbles })),
          this.controls(),
          below,
          this.forecast ? forecastChart(this.forecast, this.game, this.round, (to) => this.open_round(to)) : null,
        ),
        h(
          "aside.panel",
          this.opinion(frame, names),
          view.settlement ? settlement(view, names, me) : null,
          view.ranking ? ranking(view, names, me) : null,
        ),
      ),
    );
  }

  address() {
    return `#/replay/${this.id}?round=${this.round}&step=${this.at}&seat=${this.me}`;
  }

  // Bars over the tiles: what the agent thinks of each, and a frame around what was played.
  mark(below, hint, frame) {
    below.classList.add("with-hint");
    for (const button of below.querySelectorAll("button.tile")) {
      const action = +button.dataset.action;
      if (action === frame.action) button.classList.add("played");
      addBar(button, hint, action);
    }
  }

  controls() {
    const button = (text, label, run, extra = {}) =>
      h("button", { type: "button", title: label, "aria-label": label, onclick: run, ...extra }, text);
    const rounds = h(
      "select",
      { "aria-label": t("round"), onchange: (event) => this.open_round(+event.target.value) },
      this.game.rounds.map((one, i) =>
        h("option", { value: String(i), selected: i === this.round }, roundLabel(one)),
      ),
    );
    return h(
      "div.actions.controls",
      { role: "toolbar" },
      rounds,
      button("|◀", t("first"), () => this.jump(0)),
      button("◀", t("previous"), () => this.go(-1)),
      h("input", {
        type: "range",
        min: 0,
        max: this.frames.length - 1,
        value: this.at,
        "aria-label": t("step"),
        oninput: (event) => this.jump(+event.target.value),
      }),
      button("▶", t("forward"), () => this.go(1), { class: "main" }),
      button("▶|", t("last"), () => this.jump(this.frames.length - 1)),
      h("span.count", `${this.at}/${this.frames.length - 1}`),
    );
  }

  opinion(frame, names) {
    const check = (label, on, set) =>
      h(
        "label.check",
        h("input", {
          type: "checkbox",
          checked: on,
          onchange: (event) => {
            set(event.target.checked);
            this.draw();
          },
        }),
        label,
      );
    const view = h(
      "div.choices",
      h(
        "label",
        t("seat_of"),
        " ",
        h(
          "select",
          {
            onchange: (event) => {
              this.me = +event.target.value;
              this.draw();
            },
          },
          names.map((name, i) => h("option", { value: String(i), selected: i === this.me }, name)),
        ),
      ),
      h(
        "label",
        t("agent"),
        " ",
        h(
          "select",
          {
            onchange: (event) => {
              this.choose(event.target.value);
              this.draw();
              this.load_opinions();
            },
          },
          this.options.advisers.map((name) =>
            h("option", { value: name, selected: name === this.agent }, this.options.labels[name]),
          ),
        ),
      ),
      check(t("open_hands"), this.all_open, (on) => (this.open = on)),
      check(t("every_pass"), this.passes, (on) => (this.passes = on)),
    );
    const said = this.opinions.said[this.round];
    const found = said?.[this.at];
    const parts = [view];
    if (frame.action !== undefined) {
      const drawn = frame.view.seats[frame.seat].drawn;
      const played = h(
        "p",
        h("b", names[frame.seat]),
        ` ${t("played")}: `,
        h("b", actionName(this.game.game, frame.action, drawn)),
        frame.away ? ` (${t("away")})` : "",
      );
      parts.push(played);
      if (found)
        parts.push(
          h(
            "p",
            { class: found.same ? "agree" : "disagree" },
            h("b", this.options.labels[this.agent]),
            found.same ? ` ${t("agrees")}` : ` ${t("differs")}: ${actionName(this.game.game, found.best, drawn)}`,
            gapText(found),
          ),
        );
      else if (!said && !this.opinions.failed)
        parts.push(h("p.note", `${this.options.labels[this.agent]}: ${t("thinking")}…`));
      parts.push(h("button", { type: "button", onclick: () => this.ask_hint() }, t("hint")));
    }
    if (said)
      parts.push(
        h("button", { type: "button", onclick: () => this.next_difference() }, t("next_difference")),
        this.agreement(),
      );
    if (this.hint) parts.push(hintPanel(this.hint, frame.view, names, { me: this.me, played: frame.action }));
    parts.push(
      h(
        "p.note",
        t("download"),
        ": ",
        this.options.formats.map((format) => [
          h("a", { href: `/api/replays/${this.id}/record?format=${format}` }, format),
          " ",
        ]),
      ),
    );
    return h("div.opinion", parts);
  }
}
