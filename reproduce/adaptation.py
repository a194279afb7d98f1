"""Run-time adaptation (pMCPA; Suphx, sections 3.4 and 4.3): the paper's test, and curves over K and the learning rate.

    python reproduce/adaptation.py runs/adaptation --agent weak --hands 200 --deals 1000 --rollouts 300,1000

For each initial hand the policy is adapted, and the adapted and the plain policy play the same test deals: what the
seat cannot see redrawn, the other three seats plain, all of them greedy, so that nothing is drawn at random but the
tiles. Test deals are drawn from other seeds than those that were learnt from. A hand is better adapted if its mean
points are higher. As in the paper all trajectories are rolled out with the offline policy: so they serve all settings,
the first ones every smaller K, and a test deal is played on only from where the adapted policy decides otherwise.

Beside it stand comparisons in which nothing is learnt of the hand: the first against the second half of the plain
policy's test deals, with `--placebo` the policy adapted to trajectories whose rewards belong to other deals, and with
`--crossed` the policy that was adapted to the hand before: what it gains is the offline policy's general fault.

    --try rate=3e-4          settings of suzaku/rl/adapt_config.py, joined by commas; several are tried side by side
    --rollouts 100,300,...   K: the first trajectories are learnt from, anew for each K
    --agent weak             the player
    --first 1000             the number of the first hand: choose settings on other hands than those of a claim

Every hand is kept as soon as it is done (hands.jsonl); the same command goes on from there. Prints Markdown and writes
result.md, result.json and curve.png into the folder.
"""

import argparse
import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from suzaku.agents.make import make_agent
from suzaku.agents.suphx import SuphxAgent
from suzaku.arena.single_rounds import deal_rounds, situations
from suzaku.arena.statistics import mean_interval
from suzaku.learning.settings import read_settings
from suzaku.plots import have_matplotlib, new_figure, save_figure
from suzaku.riichi.game import GAME
from suzaku.riichi.rules import Rules
from suzaku.rl.adapt_config import AdaptConfig
from suzaku.rl.adapt_rollouts import Rollouts, Watched, play_again, redrawn, roll_out
from suzaku.rl.adaptation import Adaptation, one_thread, worth_of
from suzaku.system import write_whole

TESTED = 1  # first number of the seeds of test deals; adaptation's is 0
CLEAR = 2.0  # standard errors from zero that make a hand's gain clear
PLACEBO, CROSSED = "placebo ", "the hand before's, "
Hand = dict[str, Any]
Row = dict[str, Any]


def options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--rollouts", default="100,300,1000")
    parser.add_argument("--try", dest="tried", action="append", default=[], metavar="KEY=VALUE,...")
    parser.add_argument("--placebo", action="store_true")
    parser.add_argument("--crossed", action="store_true")
    parser.add_argument("--agent", default="suphx")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def one_hand(
    number: int, pool: np.ndarray, agent: SuphxAgent, given: argparse.Namespace, last: dict[tuple[str, int], SuphxAgent]
) -> Hand:
    """All figures of a hand; `last` are the players adapted to the hand before, and then to this one."""
    (record,), _ = deal_rounds(GAME, pool, np.array([number]), given.seed, Rules.tenhou())
    table, seat, streams = np.array([record], record.dtype), number % 4, np.zeros(given.deals, np.int64)
    plain = Watched.like(agent)
    tested = redrawn(table, seat, given.deals, (TESTED, given.seed))
    models = given.configs[0].models
    base = roll_out(plain, plain, tested, seat, streams, models)
    assert base is not None
    before = base.ended["scores"][:, seat].astype(np.float64)
    rollouts = [int(text) for text in given.rollouts.split(",")]
    began = time.process_time()
    found = Adaptation(agent, given.configs[0]).simulate(table, seat, max(rollouts))
    assert found is not None
    each = (time.process_time() - began) / max(rollouts)
    rows = []
    for name, config, learnt in trials(given, found):
        for size in rollouts:
            began = time.process_time()
            adaptation = Adaptation(agent, config, worth_of(config))
            adaptation.learn(learnt.first(size), seat)
            seconds = size * each + time.process_time() - began
            kl, player = adaptation.tuner.kl if adaptation.tuner else 0.0, adaptation.player(many=True)
            players = {name: (player, kl, seconds)}
            if given.crossed and (name, size) in last:
                players[CROSSED + name] = last[name, size]
            last[name, size] = players[name]
            for tried, (one, kl, seconds) in players.items():
                gain = play_again(base, one, plain, seat, streams, models)["scores"][:, seat] - before
                figures = {"gain": gain.mean(), "error": gain.std(ddof=1) / math.sqrt(len(gain))}
                changed = float((gain != 0).mean())
                rows.append({"tried": tried, "K": size, **figures, "changed": changed, "kl": kl, "seconds": seconds})
    halves = [float(half.mean() - tested["scores"][0, seat]) for half in np.array_split(before, 2)]
    return {"hand": number, "seat": seat, "plain": halves, "rows": rows}


def trials(given: argparse.Namespace, found: Rollouts) -> list[tuple[str, AdaptConfig, Rollouts]]:
    """What is learnt with which settings; as a placebo from rewards that belong to the deal before."""
    out = list(zip(given.tried, given.configs, [found] * len(given.tried), strict=True))
    if given.placebo:
        wrong = replace(found, ended=np.roll(found.ended, given.configs[0].repeat))
        out += [(PLACEBO + name, config, wrong) for name, config in zip(given.tried, given.configs, strict=True)]
    return out


def share(better: np.ndarray) -> tuple[float, float]:
    """A share (ties are halves) and half of its 95 % interval."""
    n = len(better) + 4  # Agresti and Coull: shares near 0 and 1 are not sure either
    near = (float(better.sum()) + 2) / n
    return float(better.mean()), 1.96 * math.sqrt(near * (1 - near) / n)


def summary(hands: list[Hand]) -> list[Row]:
    """A row of figures for each set of settings and K."""
    out = []
    for name, size in dict.fromkeys((row["tried"], row["K"]) for hand in hands for row in hand["rows"]):
        rows = [row for hand in hands for row in hand["rows"] if (row["tried"], row["K"]) == (name, size)]
        gain, error = (np.array([row[name] for row in rows]) for name in ("gain", "error"))
        mean, half = mean_interval(gain)
        better = share((np.sign(gain) + 1) / 2)
        clear = np.abs(gain) > CLEAR * error
        means = {name: float(np.mean([row[name] for row in rows])) for name in ("kl", "changed", "seconds")}
        figures = {"share": better[0], "share_half": better[1], "gain": mean, "gain_half": half}
        signs = {"clearly_better": float((clear & (gain > 0)).mean()), "worse": float((clear & (gain < 0)).mean())}
        out.append({"tried": name, "K": size, "hands": len(rows), **figures, **signs, **means})
    return out


def markdown(hands: list[Hand], rows: list[Row], given: argparse.Namespace) -> str:
    """The figures in words and a table."""
    luck = share((np.sign([hand["plain"][1] - hand["plain"][0] for hand in hands]) + 1) / 2)
    lines = [
        f"{len(hands)} initial hands from number {given.first} on, {given.deals:,} test deals each; {given.agent}, "
        f"seed {given.seed}",
        "",
        f"Plain on the second half of the deals against plain on the first: better in {luck[0]:.1%} ± {luck[1]:.1%}.",
        "",
        "| settings | K | hands | better adapted | gain, points a round | clearly better / worse "
        "| deals with another result | KL | CPU s a hand |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        lines.append(
            f"| {row['tried']} | {row['K']:,} | {row['hands']} | {row['share']:.1%} ± {row['share_half']:.1%} "
            f"| {row['gain']:+.1f} ± {row['gain_half']:.1f} | {row['clearly_better']:.0%} / {row['worse']:.0%} "
            f"| {row['changed']:.0%} | {row['kl']:.4f} | {row['seconds']:.1f} |"
        )
    return "\n".join(lines) + "\n"


def draw(rows: list[Row], path: Path) -> None:
    """The gain over K, a line for each set of settings; of one K alone, a point for each of them."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    names = list(dict.fromkeys(row["tried"] for row in rows))
    single = len(rows) == len(names)
    for i, name in enumerate(names):
        mine = [row for row in rows if row["tried"] == name]
        k, gain, half = (np.array([row[key] for row in mine]) for key in ("K", "gain", "gain_half"))
        aside = 1.03 ** (i - (len(names) - 1) / 2)  # so that the bars do not hide each other
        axes.errorbar([i] if single else k * aside, gain, half, marker="o", capsize=3, label=name)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(ylabel="gain, points a round")
    if single:
        axes.set_xticks(range(len(names)), [name.replace(",", "\n") for name in names], fontsize="small")
    else:
        axes.set(xscale="log", xlabel="trajectories K")
        axes.legend(fontsize="small")
    save_figure(figure, path)


def read_options() -> argparse.Namespace:
    """The command line, with the settings that are tried."""
    given = options()
    given.tried = given.tried or [f"rate={AdaptConfig().rate:g}"]
    given.configs = [read_settings(AdaptConfig, None, text.split(","), seed=given.seed) for text in given.tried]
    for name in ("temperature", "repeat", "learn"):
        if len({getattr(config, name) for config in given.configs}) > 1:
            raise SystemExit(f"{name} must be the same in all settings: they learn from the same trajectories")
    return given


def main() -> None:
    """Go through the hands that are not done yet, then tell."""
    given = read_options()
    given.out.mkdir(parents=True, exist_ok=True)
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
    last: dict[tuple[str, int], SuphxAgent] = {}
    try:
        for number in range(given.first + len(hands), given.first + given.hands):
            began = time.monotonic()
            with one_thread():
                hands.append(one_hand(number, pool, agent, given, last))
            write_whole(log, "".join(json.dumps(hand) + "\n" for hand in hands).encode())
            gains = "  ".join(f"{row['gain']:+.0f}±{row['error']:.0f}" for row in hands[-1]["rows"])
            print(f"hand {len(hands)} of {given.hands}  {time.monotonic() - began:.0f} s  {gains}", flush=True)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on")
    tell(hands, given)
    if len(hands) < given.hands:
        raise SystemExit(130)


def tell(hands: list[Hand], given: argparse.Namespace) -> None:
    """Print and write what is there."""
    if not hands:
        raise SystemExit(f"there are no hands in {given.out}")
    rows = summary(hands)
    text = markdown(hands, rows, given)
    write_whole(given.out / "result.md", text.encode())
    write_whole(given.out / "result.json", json.dumps({"hands": len(hands), "rows": rows}, indent=1).encode())
    if have_matplotlib():
        draw(rows, given.out / "curve.png")
    print(text)


if __name__ == "__main__":
    main()
