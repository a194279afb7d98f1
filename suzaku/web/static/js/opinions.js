// What an agent thinks of every decision of a recorded game: loaded round by round, searched and counted.
import { h } from "./dom.js";
import { ratingText } from "./hints.js";
import { ask } from "./server.js";
import { fill, number, t } from "./texts.js";

export class Opinions {
  constructor(id, agent, rounds) {
    Object.assign(this, { id, agent, rounds, said: [], asked: [], closed: false });
  }

  close() {
    this.closed = true;
  }

  // Those of a round, asked for once.
  of(round) {
    this.asked[round] ??= ask(
      `/api/replays/${this.id}/rounds/${round}/opinions?agent=${encodeURIComponent(this.agent)}`,
    ).then(
      (found) => (this.said[round] = found),
      (error) => {
        delete this.asked[round];
        throw error;
      },
    );
    return this.asked[round];
  }

  // Those of all rounds, one after the other; shown(): the round to go on from; tell(round): it is there.
  async load(shown, tell) {
    if (this.loading) return;
    this.loading = true;
    this.failed = false;
    const missing = () => {
      const all = [...Array(this.rounds).keys()].map((i) => (shown() + i) % this.rounds);
      return all.find((round) => !this.said[round]);
    };
    try {
      for (let round = missing(); round !== undefined && !this.closed; round = missing()) {
        await this.of(round);
        if (!this.closed) tell(round);
      }
    } catch (error) {
      this.failed = true;
      throw error;
    } finally {
      this.loading = false;
    }
  }

  // Round and step of the next decision of a seat that the agent would have made otherwise; null if there is none.
  async next_difference(round, step, seat) {
    for (let from = step + 1; round < this.rounds; round++, from = 0) {
      const found = await this.of(round);
      const to = found.findIndex((one, i) => i >= from && one.counts && one.seat === seat && !one.same);
      if (to >= 0) return [round, to];
    }
    return null;
  }

  // How often the agent would have played alike, in a round and in all that it has judged so far.
  agreement(names, round, me) {
    const cell = (opinions, seat) => {
      const own = opinions.filter((one) => one.seat === seat && one.counts);
      const same = own.filter((one) => one.same).length;
      const share = own.length ? `${Math.round((100 * same) / own.length)}%` : "–";
      return h("td", h("b", share), h("small", ` (${number(same)}/${number(own.length)})`));
    };
    const judged = this.said.filter(Boolean);
    const whole = judged.length < this.rounds ? ` (${judged.length}/${this.rounds})` : "";
    const heads = [t("agreement"), t("this_round"), t("whole_game") + whole];
    const head = h(
      "tr",
      heads.map((text) => h("th", { scope: "col" }, text)),
    );
    const rows = names.map((name, seat) =>
      h(
        "tr",
        { class: seat === me ? "me" : "" },
        h("th", { scope: "row" }, name),
        cell(this.said[round] || [], seat),
        cell(judged.flat(), seat),
      ),
    );
    return h("table.agreement", h("thead", head), h("tbody", rows));
  }
}

// How the agent rates its own choice and what was played, where it likes the latter less.
export function gapText(found) {
  const { best, played } = found;
  const rated = (found.policy || found.values || {})[best];
  if (!(rated > played)) return "";
  const values = { best: ratingText(found, rated), played: ratingText(found, played) };
  return ` (${fill(found.policy ? "probabilities" : "worths", values)})`;
}
