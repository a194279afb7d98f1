"""Run-time adaptation (pMCPA; Suphx, sections 3.4 and 4.3): the paper's test, and curves over K and the learning rate.

    python reproduce/adaptation.py runs/adaptation --hands 200 --deals 1000 --rollouts 100,300,1000,3000,10000

For each initial hand the policy is adapted, and the adapted and the plain policy play the same test deals: what the
seat cannot see redrawn, the other three seats plain, nothing drawn at random but the tiles. Test deals are drawn from
other seeds than those that were learnt from. A hand is better adapted if its mean points are higher. The same share is
shown for two plain runs: plain on other test deals against plain on these.

    --rates 1e-4,3e-4        one adaptation a hand for each learning rate
    --rollouts 100,300,...   tested on the way of one adaptation: K of a row includes the rows above it
    --set layers=1           any setting of suzaku/rl/adapt/config.py; each set of settings needs a folder of its own
    --agent suphx            the player

Every hand is kept as soon as it is done (hands.jsonl); the same command goes on from there. Prints Markdown and writes
result.md, result.json and curve.png into the folder.
"""

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.single_rounds import deal_rounds, situations
from suzaku.arena.spread import mean_interval
from suzaku.figures import have_matplotlib, new_figure, save_figure
from suzaku.files import write_whole
from suzaku.learning.settings import read_settings
from suzaku.riichi.rules import Rules
from suzaku.rl.adapt.adaptation import Adaptation, one_thread, worth_of
from suzaku.rl.adapt.config import AdaptConfig
from suzaku.rl.adapt.rollouts import redrawn, roll_out

TESTED, OTHER = 1, 2  # first numbers of the seeds of test deals; adaptation's are 0
CLEAR = 2.0  # standard errors from zero that make a hand's gain clear
Hand = dict[str, Any]


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--rollouts", default="100,300,1000")
    parser.add_argument("--rates", default=str(AdaptConfig().rate))
    parser.add_argument("--agent", default="suphx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser.parse_args()


def play(own: SuphxAgent, others: SuphxAgent, tables: np.ndarray, seat: int) -> np.ndarray:
    """The points that a round brings the seat on each table."""
    with one_thread():
        found = roll_out(own, others, tables, seat, np.zeros(len(tables), np.int64))
    assert found is not None
    return (found.ended["scores"][:, seat] - found.before["scores"][:, seat]).astype(np.float64)


def one_hand(
    number: int, pool: np.ndarray, agent: SuphxAgent, given: argparse.Namespace, configs: list[AdaptConfig]
) -> Hand:
    """All figures of a hand."""
    (record,), _ = deal_rounds(pool, np.array([number]), given.seed, Rules.tenhou())
    table, seat = np.array([record], record.dtype), number % 4
    plain = agent.twin(many=True)
    tested = redrawn(table, seat, given.deals, (TESTED, given.seed))
    base = play(plain, plain, tested, seat)
    other = play(plain, plain, redrawn(table, seat, given.deals, (OTHER, given.seed)), seat)
    rows = []
    for config in configs:
        adaptation, spent = Adaptation(agent, config, worth_of(config)), 0.0
        for rollouts in map(int, given.rollouts.split(",")):
            began = time.process_time()
            adaptation.run(table, seat, rollouts - adaptation.rolled)
            spent += time.process_time() - began
            gain = play(adaptation.player(many=True), plain, tested, seat) - base
            kl = adaptation.tuner.kl if adaptation.tuner else 0.0
            figures = {"gain": gain.mean(), "error": gain.std(ddof=1) / math.sqrt(len(gain)), "kl": kl}
            changed = float((gain != 0).mean())
            rows.append({"rate": config.rate, "K": rollouts, **figures, "changed": changed, "seconds": spent})
    return {"hand": number, "seat": seat, "plain": base.mean(), "other": other.mean(), "rows": rows}


def share(better: np.ndarray) -> tuple[float, float]:
    """A share (ties are halves) and half of its 95 % interval."""
    n = len(better) + 4  # Agresti and Coull: shares near 0 and 1 are not sure either
    near = (float(better.sum()) + 2) / n
    return float(better.mean()), 1.96 * math.sqrt(near * (1 - near) / n)


def summary(hands: list[Hand]) -> list[dict[str, float]]:
    """A row of figures for each rate and K."""
    out = []
    for i, first in enumerate(hands[0]["rows"]):
        rows = [hand["rows"][i] for hand in hands]
        gain, error = (np.array([row[name] for row in rows]) for name in ("gain", "error"))
        mean, half = mean_interval(gain)
        better = share((np.sign(gain) + 1) / 2)
        clear = np.abs(gain) > CLEAR * error
        means = {name: float(np.mean([row[name] for row in rows])) for name in ("kl", "changed", "seconds")}
        figures = {"share": better[0], "share_half": better[1], "gain": mean, "gain_half": half}
        signs = {"clearly_better": float((clear & (gain > 0)).mean()), "worse": float((clear & (gain < 0)).mean())}
        out.append({"rate": first["rate"], "K": first["K"], **figures, **signs, **means})
    return out


def markdown(hands: list[Hand], rows: list[dict[str, float]], given: argparse.Namespace) -> str:
    """The figures in words and a table."""
    luck = share((np.sign([hand["other"] - hand["plain"] for hand in hands]) + 1) / 2)
    lines = [
        f"{len(hands)} initial hands, {given.deals:,} test deals each; {given.agent} {' '.join(given.set)}".rstrip(),
        "",
        f"Two plain runs on other deals: the second is better in {luck[0]:.1%} ± {luck[1]:.1%} of the hands.",
        "",
        "| rate | K | better adapted | gain, points a round | clearly better / worse | deals with another result "
        "| KL | CPU s a hand |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        lines.append(
            f"| {row['rate']:g} | {row['K']:,} | {row['share']:.1%} ± {row['share_half']:.1%} "
            f"| {row['gain']:+.1f} ± {row['gain_half']:.1f} | {row['clearly_better']:.0%} / {row['worse']:.0%} "
            f"| {row['changed']:.0%} | {row['kl']:.3f} | {row['seconds']:.1f} |"
        )
    return "\n".join(lines) + "\n"


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """The gain over K, a line for each rate."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    for rate in dict.fromkeys(row["rate"] for row in rows):
        mine = [row for row in rows if row["rate"] == rate]
        k, gain, half = ([row[name] for row in mine] for name in ("K", "gain", "gain_half"))
        axes.errorbar(k, gain, half, marker="o", capsize=3, label=f"rate {rate:g}")
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(xscale="log", xlabel="trajectories K", ylabel="gain, points a round")
    axes.legend()
    save_figure(figure, path)


def main() -> None:
    """Go through the hands that are not done yet, then tell."""
    given = options()
    given.out.mkdir(parents=True, exist_ok=True)
    rates = map(float, given.rates.split(","))
    configs = [read_settings(AdaptConfig, None, given.set, rate=rate, seed=given.seed) for rate in rates]
    asked = {name: str(value) for name, value in vars(given).items() if name not in ("out", "hands")}
    state = given.out / "settings.json"
    if state.exists() and json.loads(state.read_text()) != asked:
        raise SystemExit(f"{given.out} holds hands of other settings: choose another folder")
    write_whole(state, json.dumps(asked, indent=1).encode())
    log = given.out / "hands.jsonl"
    hands: list[Hand] = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    agent = make_agent(given.agent)
    if type(agent) is not SuphxAgent:
        raise SystemExit("--agent must be a plain suphx")
    pool = situations()
    for number in range(len(hands), given.hands):
        began = time.monotonic()
        hands.append(one_hand(number, pool, agent, given, configs))
        write_whole(log, "".join(json.dumps(hand) + "\n" for hand in hands).encode())
        gains = "  ".join(f"K={row['K']} {row['gain']:+.0f}±{row['error']:.0f}" for row in hands[-1]["rows"])
        print(f"hand {number + 1} of {given.hands}  {time.monotonic() - began:.0f} s  {gains}", flush=True)
    rows = summary(hands)
    text = markdown(hands, rows, given)
    write_whole(given.out / "result.md", text.encode())
    write_whole(given.out / "result.json", json.dumps({"hands": len(hands), "rows": rows}, indent=1).encode())
    if have_matplotlib():
        draw(rows, given.out / "curve.png")
    print(text)


if __name__ == "__main__":
    main()
