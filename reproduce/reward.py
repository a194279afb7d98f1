"""Global reward prediction (Suphx, section 3.2): its figures, examples and picture again, from a store of games.

    python reproduce/reward.py games later

`games` is the store that the bundled models learnt from (its held-out games are used here as well), `later` one of
other games. Prints Markdown; draws docs/images/reward-last-rounds.png. Training itself is

    suzaku train reward --data games --test later --out runs/reward-tenhou
    suzaku train reward --data games --test later --out runs/reward-expert --set target=expert
    suzaku train reward --data games --test later --out runs/reward-uma --set target=uma
"""

import sys
from pathlib import Path

import numpy as np

from suzaku.learning.loader import Unseen
from suzaku.learning.reward import RewardModel, bundled_reward
from suzaku.learning.reward_learner import Played, places_now, read_played
from suzaku.learning.reward_report import figures_of, markdown
from suzaku.plots import new_figure, save_figure
from suzaku.riichi.game import SITUATION

PICTURE = Path("docs/images/reward-last-rounds.png")
EXAMPLES = (  # what is told, round, honba, sticks, points of the four seats; the first seat is asked about
    ("a new game, first dealer", 0, 0, 0, (25_000, 25_000, 25_000, 25_000)),
    ("south 1 (dealer), 10,000 ahead of everybody", 4, 0, 0, (32_500, 22_500, 22_500, 22_500)),
    ("south 4, fourth, 3,900 behind the third", 7, 0, 0, (18_000, 21_900, 28_000, 32_100)),
    ("the same, 1,000 behind", 7, 0, 0, (20_900, 21_900, 26_500, 30_700)),
    ("the same, 12,000 behind", 7, 0, 0, (9_900, 21_900, 32_000, 36_200)),
    ("south 4, third, 1,000 ahead of the fourth", 7, 0, 0, (21_900, 20_900, 26_500, 30_700)),
    ("south 4, second, 3,900 behind the first", 7, 0, 0, (29_000, 15_000, 23_100, 32_900)),
    ("south 4, first by 1,000", 7, 0, 0, (33_000, 15_000, 20_000, 32_000)),
    ("south 4, first by 12,000", 7, 0, 0, (40_000, 12_000, 20_000, 28_000)),
    ("south 4, fourth by 3,900, three sticks and honba 2", 7, 2, 3, (17_000, 20_900, 27_500, 31_600)),
)
GAPS = ((0, 1_000), (1_000, 2_000), (2_000, 4_000), (4_000, 8_000), (8_000, 12_000), (12_000, 100_000))


def situation(round_no: int, honba: int, sticks: int, scores: tuple[int, ...]) -> np.ndarray:
    """A game that begins like this."""
    return np.array([(round_no, round_no % 4, honba, sticks, scores)], SITUATION)


def examples(model: RewardModel) -> list[str]:
    """A row for each."""
    lines = ["| situation of the asked seat | 1st | 2nd | 3rd | 4th | expected reward | expected place |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|")
    found = model.places([situation(*row[1:]) for row in EXAMPLES])
    for (told, *_), places in zip(EXAMPLES, found, strict=True):
        own = places[0, 0]
        shares = " | ".join(f"{share:.0%}" for share in own)
        lines.append(f"| {told} | {shares} | {own @ model.rewards:+.0f} | {own @ np.arange(1, 5):.2f} |")
    return lines


def last_and_behind(model: RewardModel, games: Played) -> list[str]:
    """Who is fourth before south 4, by the points that are missing: how often they escape, said and seen."""
    said, came, gaps = [], [], []
    for table, places, ranks in zip(games.tables, model.places(games.tables), games.ranks, strict=True):
        for row, stated in zip(table[:-1], places, strict=False):
            if row["round_no"] == 7 and row["honba"] == 0:
                now = places_now(row["scores"])
                seat, third = int(np.argmax(now == 3)), int(np.argmax(now == 2))
                if seat != row["dealer"]:
                    gaps.append(row["scores"][third] - row["scores"][seat])
                    said.append(1 - stated[seat, 3])
                    came.append(ranks[seat] < 3)
    lines = ["| fourth in south 4, no dealer, behind by | games | escapes, said | escaped |", "|---|---:|---:|---:|"]
    for low, high in GAPS:
        of = (np.array(gaps) >= low) & (np.array(gaps) < high)
        share, n = np.array(came)[of].mean(), int(of.sum())
        half = 1.96 * np.sqrt(share * (1 - share) / n)
        name = f"{low:,} to {high:,}" if high < 100_000 else f"{low:,} and more"
        lines.append(f"| {name} | {n:,} | {np.array(said)[of].mean():.0%} | {share:.0%} ± {half:.0%} |")
    return lines


def picture(model: RewardModel, path: Path) -> None:
    """The predicted reward over the points between two seats, as the game goes on."""
    figure = new_figure(10, 4)
    ahead = np.arange(-20_000, 20_001, 200)
    panels = (("for the first place", 30_000, 20_000), ("against the fourth place", 18_000, 32_000))
    for axes, (title, middle, others) in zip(figure.subplots(1, 2), panels, strict=True):
        for name, number in (("east 3", 2), ("south 1", 4), ("south 3", 6), ("south 4", 7)):
            tables = [situation(number, 0, 0, (others, middle + gap // 2, middle - gap // 2, others)) for gap in ahead]
            axes.plot(ahead / 1000, [places[0, 1] @ model.rewards for places in model.places(tables)], label=name)
        axes.axvline(0, color="grey", linewidth=1)
        axes.set(xlabel="thousand points ahead of the rival", ylabel=f"predicted reward ({model.target})", title=title)
        axes.grid(alpha=0.3)
        axes.legend()
    save_figure(figure, path)


def main(games: str, later: str) -> None:
    """Everything, for all bundled models."""
    train = read_played(games, "hanchan", "train")
    test = read_played(Unseen(later, games), "hanchan")
    held = [read_played(games, "hanchan", split) for split in ("validation", "test")]
    unseen = Played(
        [table for part in (*held, test) for table in part.tables],
        np.concatenate([part.ranks for part in (*held, test)]),
    )
    for target in ("tenhou", "expert", "uma"):
        model = bundled_reward(target)
        print(f"## {target}\n")
        print("\n".join(markdown(model, "later", figures_of(model, train, test))))
        print("\n".join(examples(model)), "\n")
        print("\n".join(last_and_behind(model, unseen)), "\n")
    picture(bundled_reward("tenhou"), PICTURE)
    print(f"written: {PICTURE}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
