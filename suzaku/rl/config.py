"""The settings of reinforcement learning, and the player that a run begins with.

- The player that a run begins with, by its name or folder, is read here before torch is loaded.
"""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import fields, force_setattr

from suzaku.learning.settings import (
    BelowOne,
    Count,
    NonNegative,
    Positive,
    Seed,
    Settings,
    Share,
    Whole,
    doc,
)
from suzaku.networks.bundled import BASES, bundled
from suzaku.networks.info import checkpoint_of, files, read_info
from suzaku.networks.spec import SUPHX, network_spec
from suzaku.system import cores, did_you_mean

DISTANCES = ("distance", "fan-distance")  # of MCR
ALPHA_LIMIT = 0.1  # beyond it the entropy would outweigh the reward
WIDEN = "widen"
SCHEDULE = ("mask", "oracle_rate", "oracle_first", "oracle_fall", "after_rate", "after_reject")  # of a run that masks


class RlConfig(Settings, frozen=True):
    """What a run of `suzaku train rl` does; with the same settings it does the same again."""

    GROUPS: ClassVar = {
        "start": "player and reward",
        "iterations": "self-play",
        "batch": "policy gradient, eq. (1)",
        "natural": "natural gradient",
        "advantage": "advantage and critic",
        "entropy": "entropy, eq. (2) and (3), and the distance from the start",
        "oracle": "oracle guiding, eq. (5)",
        "seed": "run",
    }

    start: Annotated[
        str, doc("the player to start from: a folder of checkpoints or runs, or a bundled one; it says the game")
    ] = "suphx"
    reward: Annotated[
        Literal["round", "global", "distance", "fan-distance"],
        doc(
            "round: the points of a round; global: the predicted change of the game's reward; of MCR also distance: "
            "the change of the win distance by shape, fan-distance: to a win of 8 fan"
        ),
    ] = "round"
    reward_model: Annotated[str, doc("with reward=global: a checkpoint of `suzaku train reward`, or a bundled one")] = (
        "tenhou"
    )
    learn: Annotated[str, doc("the models that learn, joined by +: discard+riichi+chow+pong+kong; the others stay")] = (
        "discard"
    )
    iterations: Annotated[Count, doc("iterations of self-play and learning")] = 1000
    repeat: Annotated[
        Whole, doc("0 plays whole games; else single rounds, each wall so many times (suzaku/rl/round_player.py)")
    ] = 0
    games: Annotated[Count, doc("games (or rounds) that end in an iteration, all actors together")] = 400
    workers: Annotated[
        Annotated[int, Meta(ge=-1)],
        doc(
            "processes of self-play beside the learner; 0 plays and learns in turn, in one process; -1: half as many "
            "as there are cores, or 0 on a single one"
        ),
    ] = -1
    tables: Annotated[
        Count, doc("tables of all actors together: a game lasts about tables / games versions, see staleness")
    ] = 512
    length: Annotated[str, doc("length of the games of Riichi, hanchan or east; one of MCR is a hand")] = "hanchan"
    temperature: Annotated[
        Positive, doc("temperature of the behaviour: at 1 most of what is gained is a sharper policy, not a better one")
    ] = 0.5
    batch: Annotated[Count, doc("decisions of an optimiser step")] = 2048
    epochs: Annotated[Count, doc("times that an iteration goes through its decisions")] = 1
    reuse: Annotated[Count, doc("iterations that a game stays in the buffer; each takes its share of it")] = 1
    staleness: Annotated[Whole, doc("versions that a game's weights may be behind; older ones are left out")] = 8
    rate: Annotated[Positive, doc("learning rate of Adam")] = 1e-4
    clip: Annotated[
        NonNegative, doc("Adam: importance weights beyond 1 ± clip earn nothing (PPO); 0: eq. (1) as it stands")
    ] = 0.2
    gradient: Annotated[Positive, doc("longest gradient")] = 0.5
    natural: Annotated[
        NonNegative, doc("instead of Adam: few weights learn by natural gradient, with this rate; 0: all by Adam")
    ] = 0.0
    natural_blocks: Annotated[Whole, doc("besides the last layer, the norms of so many of the last blocks")] = 2
    damping: Annotated[
        Positive, doc("of the natural gradient, as a share of the mean of the Fisher matrix' diagonal")
    ] = 0.1
    sure: Annotated[
        float, Meta(ge=0.5, le=1), doc("natural: positions with an answer likelier than this are left out; 1: none")
    ] = 0.98
    advantage: Annotated[
        Literal["mean", "value", "gae"],
        doc("mean: reward less its mean; value: less a value network; gae: over the decisions"),
    ] = "gae"
    gae_lambda: Annotated[Share, doc("lambda of GAE: 0 looks to the next decision, 1 to the end of the round")] = 0.5
    value_network: Annotated[
        str, doc("start: as the discard model, with its layers at first (of MCR: b2c32); or a size: b2c32")
    ] = "start"
    value_rate: Annotated[Positive, doc("learning rate of the value network")] = 3e-4
    value_every: Annotated[
        Count,
        doc(
            "of so many batches the value network learns from one, once the policy learns: states of a round are alike"
        ),
    ] = 4
    value_first: Annotated[Whole, doc("iterations in which the value network alone learns")] = 5
    critic: Annotated[
        Literal["seat", "oracle"],
        doc("what the value network sees: oracle: everything; seat (and of MCR): what its seat sees"),
    ] = "oracle"
    entropy: Annotated[Positive, doc("the target of eq. (3), as a multiple of the entropy at the start")] = 1.0
    alpha: Annotated[
        float,
        Meta(ge=0, le=ALPHA_LIMIT),
        doc(f"the entropy's coefficient at the start; it stays within ±{ALPHA_LIMIT}"),
    ] = 0.0
    beta: Annotated[NonNegative, doc("how fast alpha follows the entropy, eq. (3)")] = 0.05
    anchor: Annotated[NonNegative, doc("weight of the KL divergence from the policy at the start")] = 0.0
    average: Annotated[
        BelowOne, doc("what is saved is a moving average of the weights, which keeps this share an iteration")
    ] = 0.0
    oracle: Annotated[
        str, doc("widen: an oracle that begins as start; or the folder of one that was trained before")
    ] = ""
    mask: Annotated[
        Literal["element", "state"],
        doc("element: each perfect feature is masked by itself; state: all of a decision together"),
    ] = "element"
    oracle_rate: Annotated[
        Positive, doc("how many times as fast the weights of the perfect features learn: they begin at 0")
    ] = 1.0
    oracle_first: Annotated[Whole, doc("iterations in which the oracle sees everything")] = 100
    oracle_fall: Annotated[Whole, doc("iterations after these in which gamma falls from 1 to 0")] = 300
    after_rate: Annotated[Positive, doc("once gamma is 0: share of the learning rate")] = 0.1
    after_reject: Annotated[
        NonNegative, doc("once gamma is 0: pairs with a larger importance weight are left out; 0: none")
    ] = 2.0
    seed: Seed = 1
    walls: Annotated[
        Whole, doc("of a validation: single rounds against the start, with the learner in each seat; 0: none")
    ] = 1000
    eval_every: Annotated[Count, doc("iterations between two validations")] = 20
    save_every: Annotated[Count, doc("iterations between two states to resume from")] = 5
    keep_every: Annotated[Count, doc("iterations between two checkpoints that stay")] = 50
    bfloat16: Annotated[bool, doc("compute in bfloat16 where the machine has it")] = True

    def check(self) -> None:
        """Refuse settings that do not fit together; say how many workers there are."""
        from suzaku.riichi.rules import LENGTHS  # here: the rules load Numba, and a typo is told before

        if self.workers == -1:
            busy = cores() // 2  # the learner is about as busy as they are
            force_setattr(self, "workers", max(0, min(busy, self.games, self.tables)))
        if self.length not in LENGTHS:
            raise ValueError(f"length must be one of {', '.join(LENGTHS)}, not {self.length!r}")
        for name in ("start", "reward_model"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty")
        for model in self.models:
            if self.models.count(model) > 1:
                raise ValueError(f"learn: {model} is named twice")
            if model not in SUPHX.models:  # MCR has some of these
                raise ValueError(f"learn: there is no model {model!r}; there are {', '.join(SUPHX.models)}")
        if self.repeat == 1 or (self.repeat and (self.games % self.repeat or self.reuse > 1)):
            raise ValueError(
                "repeat must be 0 or at least 2, games a multiple of it and reuse 1: the plays of a wall are compared"
            )
        for name in ("games", "tables"):
            if (value := getattr(self, name)) < self.workers:
                raise ValueError(f"{name} ({value}) must be at least workers ({self.workers}): one for each")
        if self.walls == 1:
            raise ValueError("walls must be 0 or at least 2: one says nothing")
        if self.natural and self.oracle:
            raise ValueError("natural moves the last layers, and an oracle learns in its first: set natural=0")
        if self.natural and self.epochs > 1:
            raise ValueError("natural takes one step an iteration, and would count its decisions twice: set epochs=1")
        self._check_oracle()

    def _check_oracle(self) -> None:
        if self.oracle:
            self._check_schedule()
            return
        for one in fields(self):
            if one.name in SCHEDULE and getattr(self, one.name) != one.default:
                raise ValueError(f"{one.name} belongs to oracle guiding: say --oracle widen, or leave it out")

    def _check_schedule(self) -> None:
        begins = 0 if self.advantage == "mean" else self.value_first
        if self.oracle_first < begins or 0 < self.oracle_first == begins:
            raise ValueError(
                f"oracle_first ({self.oracle_first}) must be more than value_first ({self.value_first}): until "
                "then the value network alone learns, and the oracle nothing"
            )
        if self.oracle_fall < 1:
            raise ValueError("oracle_fall must be at least 1, or gamma does not fall from 1 to 0")
        if self.after_rate > 1:
            raise ValueError(f"after_rate must be at most 1, not {self.after_rate}: it is a share of the rate")
        if 0 < self.after_reject <= 1:
            raise ValueError(
                f"after_reject must be more than 1, or 0 for no limit, not {self.after_reject}: decisions of the "
                "newest policy have the weight 1, and would all be left out"
            )
        if self.iterations <= self.oracle_first + self.oracle_fall:
            raise ValueError(
                f"iterations ({self.iterations:,}) must be more than oracle_first + oracle_fall "
                f"({self.oracle_first + self.oracle_fall:,}): the player learns on once gamma is 0"
            )

    @property
    def models(self) -> tuple[str, ...]:
        """The models that learn."""
        return tuple(self.learn.split("+"))


PLAYERS = {"suphx": "riichi", "weak": "riichi", **dict.fromkeys(BASES, "riichi"), "mcr": "mcr"}  # bundled ones


def start_folder(start: str) -> Path:
    """The models of the player to start from."""
    if start in PLAYERS:
        return bundled(start)
    if Path(start).exists() or files(start)[1].exists():
        return Path(start)
    agent, colon, folder = start.partition(":")
    if agent == "oracle":
        raise ValueError(
            f"start: {start} sees hidden tiles and cannot be the start; --oracle {folder or 'FOLDER'} begins with it"
        )
    hint = f"name the folder alone, {folder}" if colon else did_you_mean(start, PLAYERS)
    raise ValueError(f"start: {start} is neither a bundled player nor a folder; {hint}")


def agent_of(start: str) -> str:
    """The player to start from as the arena seats it."""
    from suzaku.table.game import game_named  # the settings alone need no Numba

    return start if start in PLAYERS else f"{game_named(game_of(start)).usual_agent}:{start}"


def game_of(start: str) -> str:
    """The game of the player to start from: a bundled one, or the one of some checkpoint in a folder."""
    if start in PLAYERS:
        return PLAYERS[start]
    for where in (checkpoint_of(start, "discard"), Path(start) / "best"):
        if files(where)[1].exists():
            return network_spec(read_info(where)["network"]).family.game
    return "riichi"  # what it lacks is said where the models are looked for
