// A table being played: the connection, what is asked, and what is answered.
import { h, notice, tell } from "./dom.js";
import { forGame, settings } from "./settings.js";
import { actionBar } from "./actions.js";
import { board } from "./board.js";
import { hand } from "./hand.js";
import { hintPanel } from "./hints.js";
import { drawnAction, ofType } from "./moves.js";
import { adaptingText, remark } from "./remarks.js";
import { keepSecret, secretOf } from "./seats.js";
import { ranking, settlement } from "./settle.js";
import { actionName, errorText, fill, t } from "./texts.js";
import { waitingCard } from "./waiting.js";

const KEYS = { c: "chow", p: "pong", k: "kong", w: "win", x: "pass", escape: "pass" }; // the type of move of a key
const CALLED = ["riichi", "chow", "pong", "kong", "ron", "tsumo", "win", "self_draw", "foul"]; // what is called out

export class TablePage {
  constructor(root, id) {
    Object.assign(this, {
      root,
      id,
      me: -1,
      people: [],
      data: null,
      hint: null,
      riichi: false,
      choosing: null, // the type of call of which one is being chosen
      passing: null, // the key that lets a win go if it is pressed again
      raised: { at: -1 },
      bubbles: {},
      closed: false,
      wait: 300,
      sent: null,
    });
    this.onKey = (event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.onResize = () => this.draw();
    addEventListener("resize", this.onResize);
    this.draw();
    this.connect();
  }

  close() {
    this.closed = true;
    removeEventListener("keydown", this.onKey);
    removeEventListener("resize", this.onResize);
    clearInterval(this.ticking);
    if (this.socket) this.socket.close();
  }

  connect() {
    const secure = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${secure}://${location.host}/ws/${encodeURIComponent(this.id)}`);
    this.socket.onopen = () => this.send({ type: "join", token: secretOf(this.id), name: settings.name });
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = () => {
      if (this.closed) return;
      this.seated = false; // the seat may be gone when the page comes back
      notice(t("lost"));
      setTimeout(() => !this.closed && this.connect(), this.wait);
      this.wait = Math.min(5000, this.wait * 2);
    };
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  receive(message) {
    if (message.type === "seated") {
      this.me = message.seat;
      this.seated = true;
      this.wait = 300;
      this.hintsAllowed = message.hints;
      this.addresses = message.addresses;
      if (message.token) keepSecret(this.id, message.token);
    } else if (message.type === "people") {
      this.people = message.seats;
      this.started = message.started;
      this.draw();
    } else if (message.type === "view") this.show(message);
    else if (message.type === "hint") {
      this.asking = false;
      if (this.me >= 0 && (!this.data || message.ask !== this.data.ask)) return this.draw(); // too late
      if (message.announced !== this.riichi) return this.askHint(); // riichi was chosen or taken back meanwhile
      this.hint = message;
      this.draw();
    } else if (message.type === "waiting") {
      this.waitingFor = message;
      this.draw();
    } else if (message.type === "adapting") {
      this.adapting = message.seats;
      const line = this.root.querySelector(".adapting");
      if (line && this.adapting.length) line.textContent = adaptingText(this.adapting, this.names());
      else this.draw();
    } else if (message.type === "error") {
      this.asking = false;
      this.sent = null;
      if (this.seated) notice(errorText(message));
      else this.end(errorText(message)); // nothing to wait for
      this.draw();
    } else if (message.type === "closed" && message.reason !== "closed") {
      this.end(t(message.reason)); // a server that stops may come back, and the table with it
      this.draw();
    }
  }

  end(text) {
    this.closed = true;
    this.ended = text;
  }

  show(message) {
    this.data = message;
    this.waitingFor = null;
    if (this.me >= 0) this.hint = null; // who only watches sees the last thought until the next one
    this.riichi = false;
    this.choosing = this.passing = null;
    this.sent = null;
    this.raised = { at: -1 };
    this.until = message.seconds ? performance.now() + 1000 * message.seconds : 0;
    this.bubbles = {};
    const names = this.names();
    for (const event of message.events || []) {
      if (CALLED.includes(event.type)) {
        this.bubbles[event.seat] = event.type;
        tell(`${names[event.seat]}: ${t(event.type)}`);
      }
      const text = remark(event, names, this.me);
      if (text) notice(text);
    }
    clearTimeout(this.bubbleTimer);
    if (Object.keys(this.bubbles).length)
      this.bubbleTimer = setTimeout(() => {
        this.bubbles = {};
        for (const one of this.root.querySelectorAll(".bubble")) one.remove();
      }, 1500);
    this.shownEnd = false;
    this.draw();
    if (message.ask !== undefined) this.asked();
    else if (this.me < 0 && settings.hints && !message.view.settlement) this.askHint();
  }

  // A person is asked: do what was set to happen by itself, or call for attention.
  asked() {
    const { legal, view } = this.data;
    const { game } = view;
    const [win] = ofType(game, legal, "win");
    const [pass] = ofType(game, legal, "pass");
    const act = (action) => setTimeout(() => this.data && this.data.legal === legal && this.act(action), 350);
    if (win && settings.autoWin) return act(win);
    if (pass && settings.autoPass && !win) return this.act(pass);
    const { drawn } = view.seats[this.me];
    const forced = legal.length === 1 && drawn && legal[0] === drawnAction(game, drawn);
    if (forced && settings.autoDrawn) return act(legal[0]);
    const name = drawn && actionName(game, drawnAction(game, drawn), drawn);
    tell(`${t("your_turn")}. ${drawn ? `${t("drawn")}: ${name}` : ""}`, false);
    if (settings.hints && this.hintsAllowed) this.askHint();
  }

  act(action, discard) {
    if (!this.data || this.data.ask === undefined || this.sent !== null || !this.data.legal.includes(action)) return;
    this.sent = action;
    this.send(
      discard === undefined
        ? { type: "act", ask: this.data.ask, action }
        : { type: "act", ask: this.data.ask, action, discard },
    );
    this.draw();
  }

  discard(action) {
    const [riichi] = ofType(this.data.view.game, this.data.legal, "riichi");
    if (this.riichi) this.act(riichi, action);
    else this.act(action);
  }

  askHint() {
    if (this.asking || !this.hintsAllowed) return;
    if (!this.data || (this.me >= 0 && this.data.ask === undefined)) return;
    this.asking = true;
    const agent = settings[forGame("adviser", this.data.view.game)] || "";
    this.send({ type: "hint", ask: this.me >= 0 ? this.data.ask : 0, agent, announced: this.riichi });
  }

  names() {
    return [0, 1, 2, 3].map(
      (seat) =>
        (seat === this.me && !settings.name && t("you")) || (this.people[seat] && this.people[seat].name) || "…",
    );
  }

  key(event) {
    if (
      event.target.closest("input, select, textarea, dialog.settings") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const key = event.key.toLowerCase();
    if (key === "n") return this.send({ type: "next" });
    if (key === "h") return this.askHint();
    if (!this.data || this.data.ask === undefined) return;
    const { legal, view, then } = this.data;
    const { drawn } = view.seats[this.me];
    const thrown = drawn ? drawnAction(view.game, drawn) : -1;
    if (key === "escape" && this.riichi) return this.toggleRiichi();
    if (key === "escape" && (this.choosing || this.passing)) return this.takeBack();
    if (key === "d" && (this.riichi ? then : legal).includes(thrown))
      return this.sureOf("d", event, () => this.discard(thrown));
    if (key === "r" && ofType(view.game, legal, "riichi").length) return this.toggleRiichi();
    if (KEYS[key]) return this.choose(KEYS[key], key, event);
    if (key === "arrowleft" || key === "arrowright") {
      const tiles = [...this.root.querySelectorAll(".own-hand .tile:not([disabled])")];
      const at = tiles.indexOf(document.activeElement);
      const to = at < 0 ? tiles.length - 1 : (at + (key === "arrowleft" ? -1 : 1) + tiles.length) % tiles.length;
      if (tiles[to]) tiles[to].focus();
      event.preventDefault();
    }
  }

  // The move of a key. Of several, one is chosen: the key goes from one to the next, Enter takes it.
  choose(type, key, event) {
    const actions = ofType(this.data.view.game, this.data.legal, type);
    if (type === "pass" && actions.length) return this.sureOf(key, event, () => this.act(actions[0]));
    if (actions.length < 2) return actions.length && this.act(actions[0]);
    if (this.choosing !== type) {
      this.choosing = type;
      tell(t("choose_call"), false);
      this.draw();
    }
    const buttons = [...this.root.querySelectorAll(".act.choice")];
    buttons[(buttons.indexOf(document.activeElement) + 1) % buttons.length].focus();
  }

  // A key that lets a win go has to be pressed twice; Escape never does.
  sureOf(key, event, run) {
    const [win] = ofType(this.data.view.game, this.data.legal, "win");
    if (win === undefined || (this.passing === key && !event.repeat)) return run();
    if (key === "escape" || this.passing === key) return;
    this.passing = key;
    tell(fill("pass_win", { key: key.toUpperCase() }), false);
    this.draw();
  }

  takeBack() {
    document.activeElement.blur();
    this.choosing = this.passing = null;
    this.draw();
  }

  toggleRiichi() {
    this.riichi = !this.riichi;
    if (this.hint) {
      this.hint = null; // it was about another choice
      this.askHint();
    }
    if (this.riichi) tell(t("choose_discard"), false);
    this.draw();
  }

  draw() {
    clearInterval(this.ticking);
    const focused =
      document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.action : undefined;
    if (this.ended && !(this.data && this.data.view.ranking)) {
      this.root.replaceChildren(h("div.card.ended", h("p", this.ended), h("a.button", { href: "#/" }, t("back"))));
      return;
    }
    if (!this.data) return this.drawWaiting();
    const { view, legal = [], ask, then = [], own } = this.data;
    const seat = this.me < 0 ? 0 : this.me;
    const names = this.names();
    const turn = ask !== undefined && this.sent === null;
    const discards = this.riichi ? then : ofType(view.game, legal, "discard");
    const allowed = turn && discards.length ? discards : null;
    const marked = allowed && (this.riichi || view.phase === "riichi") ? allowed : [];
    const table = board(view, { names, me: seat, bubbles: this.bubbles });
    const below = hand(view, seat, this.root, {
      allowed,
      marked,
      own,
      hint: turn && allowed ? this.hint : null,
      bars: this.me >= 0 && settings.hints && this.hintsAllowed,
      discard: (a) => this.discard(a),
      raised: this.raised,
      declaring: this.riichi || view.phase === "riichi",
    });
    const panel = this.hint && (turn || this.me < 0) ? hintPanel(this.hint, view, names, { me: this.me }) : null;
    this.root.replaceChildren(
      h(
        `div.table-page${this.me < 0 ? "" : ".playing"}`,
        h("div.play", h("div.board-box", table), actionBar(this, turn, legal), below),
        h("aside.panel", { "aria-label": t("hint"), tabindex: 0 }, panel || this.sidePanel(names)),
      ),
    );
    if (focused !== undefined) {
      const again = this.root.querySelector(`[data-action="${focused}"]:not([disabled])`);
      if (again) again.focus({ preventScroll: true });
    }
    this.tick();
    if (view.settlement && !this.shownEnd) this.drawEnd(view, names);
  }

  sidePanel(names) {
    const people = this.people.map((one, seat) =>
      h(
        "li",
        h("b", names[seat] || "…"),
        " ",
        h("small", one.agent ? t("agent") : one.here ? t("connected") : t("away_person")),
      ),
    );
    return h("div.side-info", h("ul.people", people), h("p.note.keys", t("keys")));
  }

  tick() {
    const timer = this.root.querySelector(".timer");
    if (!timer) return;
    const total = this.data.seconds;
    const update = () => {
      const left = Math.max(0, (this.until - performance.now()) / 1000);
      timer.querySelector("b").textContent = `${Math.ceil(left)} ${t("seconds")}`;
      timer.style.setProperty("--left", `${(100 * left) / total}%`);
      timer.classList.toggle("short", left < 5);
    };
    update();
    this.ticking = setInterval(update, 250);
  }

  drawEnd(view, names) {
    const next = () => {
      this.shownEnd = true;
      dialog.close();
      if (!view.ranking) this.send({ type: "next" });
    };
    const buttons = view.ranking
      ? [h("a.button", { href: `#/replay/${this.id}` }, t("replay")), h("a.button.main", { href: "#/" }, t("again"))]
      : [h("button.main", { type: "button", "data-action": "next", onclick: next }, t("next"))];
    const dialog = h(
      "dialog.end",
      { "aria-label": t("result") },
      settlement(view, names, this.me),
      view.ranking ? ranking(view, names, this.me) : null,
      h("div.buttons", buttons),
    );
    dialog.addEventListener("close", () => {
      this.shownEnd = true;
      dialog.remove();
    });
    this.root.append(dialog);
    dialog.showModal();
    const main = dialog.querySelector(".main");
    if (main) main.focus();
  }

  drawWaiting() {
    if (!this.people.length || this.started) return this.root.replaceChildren(h("p.card", "…"));
    const typing = this.nameForm && this.nameForm.contains(document.activeElement) ? document.activeElement : null;
    this.root.replaceChildren(waitingCard(this));
    if (typing && typing.isConnected) typing.focus();
  }
}
