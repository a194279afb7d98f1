"""Four `suzaku bot` processes at a table that is not ours: riichienv deals, judges and tells them mjai events.

    python benchmarks/neutral_table.py --agent shanten --games 20

Counts games, answers, answers that riichienv does not allow and answers that come too late, and shows the times.
"""

import argparse
import json
import statistics
import sys
import threading
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from riichienv import GameRule, RiichiEnv

from suzaku.agents.mjai.pipe import Pipe

AIM = 0.1  # seconds an answer should take at most


@dataclass
class Tally:
    """What happened at the tables."""

    games: int = 0
    rounds: int = 0
    times: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    illegal: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)  # games that ended in an error, with its place
    lost: int = 0  # answers of a bot that could not follow the round: they have no meta
    places: list[list[int]] = field(default_factory=list)


class NoAnswerError(Exception):
    """A bot did not answer in time, or ended; its game cannot go on."""


class Seat:
    """One bot: told what its seat sees, a line an event or all in one array."""

    def __init__(self, number: int, agent: str, arrays: bool, timeout: float) -> None:
        self.number, self.arrays, self.timeout = number, arrays, timeout
        self._pipe = Pipe([sys.executable, "-m", "suzaku", "bot", str(number), "--agent", agent])
        self._sent = 0.0
        self._first = True

    def ask(self, events: list[str]) -> None:
        """Send new events; the last one is the question."""
        told = [json.loads(event) for event in events]
        lines = [told] if self.arrays else [{**event, "can_act": event is told[-1]} for event in told]
        self._sent = time.perf_counter()
        self._pipe.send("".join(json.dumps(line) + "\n" for line in lines).encode())

    def answer(self) -> tuple[str, float]:
        """The answer, and the seconds it took; the first may wait for the program to start."""
        limit = 600.0 if self._first else self.timeout
        text = self._pipe.read(limit).decode()
        spent = 0.0 if self._first else time.perf_counter() - self._sent
        self._first = False
        return text, spent

    def close(self) -> None:
        """End the bot."""
        self._pipe.stop()


def close(seats: list[Seat]) -> None:
    """End the bots of a table."""
    while seats:
        seats.pop().close()


def play(seats: list[Seat], seed: int, mode: str, tally: Tally) -> None:
    """Play a game."""
    env = RiichiEnv(game_mode=mode, rule=GameRule.default_tenhou(), seed=seed)
    observations = env.reset()
    while not env.done():
        for number, seen in observations.items():
            seats[number].ask(seen.new_events())
        actions = {}
        for number, seen in observations.items():
            legal = seen.legal_actions()
            position = f"game {seed}, round {env.kyoku_idx}, seat {number}"
            try:
                text, spent = seats[number].answer()
            except (TimeoutError, EOFError) as problem:
                raise NoAnswerError(f"{position}: {type(problem).__name__}") from None
            answer = json.loads(text)
            tally.times.append(spent)
            tally.kinds[answer["type"]] += 1
            tally.lost += answer["type"] != "none" and "meta" not in answer
            action = seen.select_action_from_mjai(text)
            if action is None or not agrees(answer, json.loads(action.to_mjai())):
                tally.illegal.append(f"{position}: {text.strip()} of {[a.to_mjai() for a in legal]}")
                action = legal[-1]
            actions[number] = action
        observations = env.step(actions)
    tally.games += 1
    tally.rounds += sum(event["type"] == "start_kyoku" for event in env.mjai_log)
    tally.places.append(list(env.ranks()))


def agrees(answer: dict, taken: dict) -> bool:
    """Whether the action that riichienv found is the one answered, and not merely one like it."""
    if answer["type"] == "ryukyoku":
        return "ryukyoku" in taken["type"] or "kyushu" in taken["type"]
    if answer["type"] == "hora":
        return taken["type"] in ("hora", "tsumo", "ron")
    same = answer["type"] == taken["type"]
    if "consumed" in answer and "consumed" in taken:
        same = same and sorted(answer["consumed"]) == sorted(taken["consumed"])
    return same and answer.get("pai", taken.get("pai")) == taken.get("pai", answer.get("pai"))


def play_many(
    agent: str, seeds: list[int], tables: int = 1, mode: str = "4p-red-half", arrays: bool = False, timeout: float = 2.0
) -> Tally:
    """Play a game of each seed, some tables at once, each with four bots of its own."""
    tally, stopped = Tally(), threading.Event()
    first = Seat(0, agent, False, timeout)  # compiles what is not compiled yet, so that four need not do it at once
    first.ask(['{"type": "none"}'])
    try:
        first.answer()
    except (TimeoutError, EOFError):
        sys.exit(f"a bot of the agent {agent} does not start; what it says is above")
    finally:
        first.close()

    def table(number: int) -> None:
        seats: list[Seat] = []
        try:
            for seed in seeds[number::tables]:
                if stopped.is_set():
                    return
                seats = seats or [Seat(seat, agent, arrays, timeout) for seat in range(4)]
                try:
                    play(seats, seed, mode, tally)
                except NoAnswerError as problem:
                    tally.late.append(str(problem))
                    close(seats)
                except BaseException:  # also a panic in riichienv, which must not take the figures of other games
                    tally.broken.append(f"game {seed}: {traceback.format_exc()}")
                    close(seats)
                print(f"\r{tally.games} of {len(seeds)} games", end="", file=sys.stderr, flush=True)
        finally:
            close(seats)

    with ThreadPoolExecutor(tables) as pool:
        try:
            for _ in pool.map(table, range(min(tables, len(seeds)))):
                pass
        except KeyboardInterrupt:
            stopped.set()
            print("\nStopping after the games that are being played.", file=sys.stderr)
    print(file=sys.stderr)
    return tally


def main() -> None:
    """Read the options, play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--agent", default="shanten")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--tables", type=int, default=1, help="how many are played at once")
    parser.add_argument("--mode", default="4p-red-half", help="riichienv's name of the game")
    parser.add_argument("--arrays", action="store_true", help="send arrays of events, as mjai.app does")
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds for an answer")
    options = parser.parse_args()
    start = time.perf_counter()
    seeds = list(range(options.seed, options.seed + options.games))
    tally = play_many(options.agent, seeds, options.tables, options.mode, options.arrays, options.timeout)
    spent = time.perf_counter() - start
    times = sorted(tally.times) or [0.0]
    answers = f"{len(tally.times):,} answers in {spent:.0f} s"
    print(f"agent {options.agent}: {tally.games} games, {tally.rounds} rounds, {answers}")
    print("answers: " + ", ".join(f"{kind} {n:,}" for kind, n in tally.kinds.most_common()))
    print(f"illegal answers: {len(tally.illegal)}")
    print(f"answers in rounds that a bot could not follow: {tally.lost}")
    print(f"time-outs of {options.timeout:g} s: {len(tally.late)}")
    print(f"games that ended in an error: {len(tally.broken)}")
    print(
        f"milliseconds an answer: median {1000 * statistics.median(times):.1f}, "
        f"99 % {1000 * times[len(times) * 99 // 100]:.1f}, longest {1000 * times[-1]:.1f}; "
        f"above {1000 * AIM:g}: {sum(t > AIM for t in times)}"
    )
    for text in [*tally.broken, *tally.late, *tally.illegal][:10]:
        print(text, file=sys.stderr)
    sys.exit(bool(tally.broken or tally.illegal or tally.late or tally.lost))


if __name__ == "__main__":
    main()
