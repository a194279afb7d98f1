"""What the reward predictor says of one game, round by round, for people."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from suzaku.figures import new_figure, save_figure
from suzaku.learning.reward.predict import RewardModel
from suzaku.records.rounds import round_table
from suzaku.records.stored import Stored

WINDS = ("east", "south", "west", "north")


@dataclass
class Forecast:
    """One game: row j is what was said after j rounds."""

    rows: np.ndarray  # SITUATION[rounds + 1]
    reward: np.ndarray  # float32[rounds + 1, 4]
    place: np.ndarray  # float32[rounds + 1, 4]: the expected place, 1 to 4
    finished: bool  # the last row is what came, not what was expected

    @property
    def labels(self) -> list[str]:
        """What each row stands before: a round, or the end."""
        names = [round_name(row) for row in self.rows]
        return [*names[:-1], "end"] if self.finished else names


def round_name(row: np.void) -> str:
    """Such as "south 4-2", the last being the repeat counter."""
    name = f"{WINDS[row['round_no'] // 4 % 4]} {row['round_no'] % 4 + 1}"
    return f"{name}-{row['honba']}" if row["honba"] else name


def forecast(model: RewardModel, stored: Stored) -> Forecast:
    """What a model says of a game; ValueError if it is of another kind than those it learnt from."""
    (places,) = model.places_of_games([stored])
    return Forecast(round_table(stored), places @ model.rewards, places @ np.arange(1, 5), stored.finished)


def draw(found: Forecast, names: list[str], target: str, path: Path) -> None:
    """A picture: the expected reward of the four seats over the rounds."""
    figure = new_figure(max(6.0, 0.6 * len(found.rows)), 4)
    axes = figure.subplots()
    for seat, name in enumerate(names):
        axes.plot(found.reward[:, seat], marker="o", markersize=4, label=name)
    axes.axhline(0, color="grey", linewidth=1)
    axes.set_xticks(range(len(found.rows)), found.labels, rotation=45, ha="right")
    axes.set(ylabel=f"expected reward ({target})", title="before each round")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    save_figure(figure, path)
