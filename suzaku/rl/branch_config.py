"""The settings of learning by rolled-out branches."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from suzaku.learning.settings import Count, NonNegative, Positive, Seed, Settings, doc


class BranchConfig(Settings, frozen=True):
    """What a run of `suzaku train branches` does; with the same settings it does the same again."""

    GROUPS: ClassVar = {"model": "player", "positions": "labels", "steps": "learning", "seed": "run"}

    model: Annotated[Literal["riichi", "chow", "pong", "kong"], doc("the model that learns; the others stay")] = (
        "riichi"
    )
    start: Annotated[str, doc("the player to start from: a folder of checkpoints, of runs, or a bundled one")] = "suphx"
    positions: Annotated[
        Count, doc("to label: one a round of self-play, of training, validation and test together")
    ] = 10_000
    rollouts: Annotated[
        int,
        Meta(ge=2),  # of one nobody could say how sure it is
        doc("of each branch of a position; for the same time, more positions teach more than more of these"),
    ] = 4
    redraw: Annotated[
        Literal["wall", "hidden"],
        doc("what is redrawn: the unseen wall, or also the others' hands, as if all were equally likely"),
    ] = "wall"
    reward: Annotated[
        Literal["round", "global"], doc("points at the end of the round, or the predicted reward of the game")
    ] = "round"
    reward_model: Annotated[str, doc("with reward=global: a checkpoint of `suzaku train reward`, or a bundled one")] = (
        "tenhou"
    )
    temperature: Annotated[NonNegative, doc("of all players, in self-play and in the rollouts")] = 0.0
    length: Annotated[str, doc("of the games that the rounds belong to")] = "hanchan"
    rounds: Annotated[Count, doc("of self-play in a part of the labels: what an interrupt may cost")] = 128
    labels: Annotated[str, doc("a folder of labels made before, to learn from them again; else those of the run")] = ""
    steps: Annotated[Count, doc("of the optimiser")] = 300
    batch: Annotated[Count, doc("positions of a step")] = 256
    rate: Annotated[Positive, doc("learning rate of Adam")] = 3e-4
    anchor: Annotated[NonNegative, doc("weight of the KL divergence from the start")] = 0.05
    gradient: Annotated[Positive, doc("longest gradient")] = 1.0
    augment: Annotated[bool, doc("exchange suits at random")] = True
    seed: Seed = 1
    eval_every: Annotated[Count, doc("steps between two evaluations on the validation positions")] = 20
    save_every: Annotated[Count, doc("steps between two states to resume from")] = 100

    def of_labels(self) -> dict[str, Any]:
        """The settings that labels follow from, beside the weights of the player."""
        names = ("model", "rollouts", "redraw", "reward", "temperature", "length", "rounds", "seed")
        found = {name: getattr(self, name) for name in names}
        return {**found, "reward_model": self.reward_model if self.reward == "global" else ""}
