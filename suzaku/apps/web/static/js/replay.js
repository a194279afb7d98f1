// A recorded game, step by step, with the agent's opinion of every decision.
import { h, notice } from "./dom.js";
import { reasonText } from "./reasons.js";
import { ask } from "./server.js";
import { forGame, settings } from "./settings.js";
import { board } from "./board.js";
import { hand } from "./hand.js";
import { forecastChart } from "./forecast.js";
import { isDiscard } from "./moves.js";
import { addBar, hintPanel, ratingText } from "./hints.js";
import { ranking, settlement } from "./settle.js";
import { actionName, number, roundName, t } from "./texts.js";

export class ReplayPage {
  constructor(root, id) {
    Object.assign(this, {
      root,
      id,
      round: 0,
      at: 0,
      me: 0,
      open: true,
      passes: false,
      frames: [],
      opinions: null,
      hint: null,
      forecast: null,
      cache: {},
    });
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.load();
  }

  close() {
    removeEventListener("keydown", this.onKey);
  }

  async load() {
    try {
      this.game = await ask(`/api/replays/${this.id}`);
      this.options = await ask(`/api/options?game=${this.game.game}`);
      const adviser = settings[forGame("adviser", this.game.game)];
      this.agent = this.options.advisers.includes(adviser) ? adviser : this.options.agent;
      const labels = Object.values(this.options.labels);
      this.me = Math.max(
        0,
        this.game.names.findIndex((name) => !labels.includes(name.replace(/ [1-4]$/, ""))),
      );
      if (this.game.note) notice(`${t("stays_secret")}: ${reasonText(this.game.note)}`);
      await this.open_round(0);
      this.load_forecast();
    } catch (error) {
      this.root.replaceChildren(h("div.card", h("p", error.message), h("a.button", { href: "#/" }, t("back"))));
    }
  }

  async open_round(number, last = false) {
    if (number < 0 || number >= this.game.rounds.length) return;
    this.round = number;
    this.hint = null;
    this.opinions = null;
    if (!this.cache[number]) this.cache[number] = await ask(`/api/replays/${this.id}/rounds/${number}`);
    this.frames = this.cache[number];
    this.at = last ? this.frames.length - 1 : 0;
    this.draw();
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
    const { round, agent } = this;
    this.failed = false;
    try {
      const found = await ask(`/api/replays/${this.id}/rounds/${round}/opinions?agent=${encodeURIComponent(agent)}`);
      if (round === this.round && agent === this.agent) this.opinions = found;
    } catch (error) {
      this.failed = true;
      notice(error.message);
    }
    this.draw();
  }

  // Steps at which nothing is to be seen are left out, unless every pass is wished for.
  shown(i) {
    return this.passes || i === 0 || !this.frames[i].quiet;
  }

  go(step) {
    let to = this.at + step;
    while (to > 0 && to < this.frames.length - 1 && !this.shown(to)) to += step;
    if (to < 0) return this.open_round(this.round - 1, true);
    if (to >= this.frames.length) return this.open_round(this.round + 1);
    this.jump(to);
  }

  jump(to) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, to));
    this.hint = null;
    this.draw();
  }

  next_difference() {
    if (!this.opinions) return;
    for (let i = this.at + 1; i < this.opinions.length; i++)
      if (!this.opinions[i].same && !this.frames[i].away) return this.jump(i);
    if (this.round + 1 < this.game.rounds.length) this.open_round(this.round + 1);
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
      this.open = !this.open;
      this.draw();
    }
  }

  draw() {
    const frame = this.frames[this.at];
    if (!frame) return;
    const names = this.game.names,
      view = frame.view,
      me = this.me;
    const bubbles = frame.event && frame.event.type !== "discard" ? { [frame.event.seat]: frame.event.type } : {};
    const ended = new Set(
      view.settlement ? [...view.settlement.wins, ...(view.settlement.hands || [])].map((one) => one.seat) : [],
    );
    const hide = (seat) => !this.open && seat !== me && !ended.has(seat);
    const mine = frame.seat === me && isDiscard(this.game.game, frame.action);
    const hint = this.hint || (this.opinions && this.opinions[this.at]) || null;
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
        h(
          "option",
          { value: String(i), selected: i === this.round },
          `${roundName(one.round)}${one.honba ? `-${one.honba}` : ""}`,
        ),
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
              this.agent = event.target.value;
              this.opinions = this.hint = null;
              this.draw();
              this.load_opinions();
            },
          },
          this.options.advisers.map((name) =>
            h("option", { value: name, selected: name === this.agent }, this.options.labels[name]),
          ),
        ),
      ),
      check(t("open_hands"), this.open, (on) => (this.open = on)),
      check(t("every_pass"), this.passes, (on) => (this.passes = on)),
    );
    const found = this.opinions && this.opinions[this.at];
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
            found.loss ? ` (${t("loss")} ${ratingText(found, found.loss)})` : "",
          ),
        );
      else if (!this.opinions && !this.failed)
        parts.push(h("p.note", `${this.options.labels[this.agent]}: ${t("thinking")}…`));
      parts.push(h("button", { type: "button", onclick: () => this.ask_hint() }, t("hint")));
    }
    if (this.opinions)
      parts.push(
        h("button", { type: "button", onclick: () => this.next_difference() }, t("next_difference")),
        this.agreement(names),
      );
    if (this.hint) parts.push(hintPanel(this.hint, frame.view, names, frame.action));
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

  agreement(names) {
    const rows = names.map((name, seat) => {
      const own = this.opinions.filter(
        (_, i) => this.frames[i].seat === seat && this.frames[i].choices > 1 && !this.frames[i].away,
      );
      const same = own.filter((one) => one.same).length;
      return h(
        "li",
        name,
        ": ",
        h("b", own.length ? `${Math.round((100 * same) / own.length)}%` : "–"),
        h("small", ` (${number(same)}/${number(own.length)})`),
      );
    });
    return h("div.agreement", h("small", t("agreement")), h("ul", rows));
  }
}
