"""The settings of reinforcement learning, and the player that a run begins with.

- The settings of reinforcement learning; read by `suzaku/learning/settings.py`.
- The player that a run begins with, by its name or folder: what it is, before torch is loaded.
"""

from dataclasses import dataclass, fields
from pathlib import Path

from suzaku.learning.settings import above_zero, at_least
from suzaku.networks.bundled import BASES, bundled
from suzaku.networks.info import checkpoint_of, files, read_info
from suzaku.networks.spec import SUPHX, network_spec
from suzaku.system import cores, did_you_mean

DISTANCES = ("distance", "fan-distance")  # of MCR
REWARDS = ("round", "global", *DISTANCES)
ALPHA_LIMIT = 0.1  # beyond it the entropy would outweigh the reward
ADVANTAGES = ("mean", "value", "gae")
MASKS = ("element", "state")
CRITICS = ("seat", "oracle")
WIDEN = "widen"
SCHEDULE = ("mask", "oracle_rate", "oracle_first", "oracle_fall", "after_rate", "after_reject")  # of a run that masks


@dataclass(frozen=True)
class RlConfig:
    """What a run of `suzaku train rl` does; with the same settings it does the same again."""

    start: str = (
        "suphx"  # the player to start from: a folder of checkpoints or runs, or a bundled one; it says the game
    )
    reward: str = "round"  # "round": the points of a round; "global": the predicted change of the game's reward;
    # of MCR also "distance": the change of the win distance by shape, "fan-distance": to a win of 8 fan
    reward_model: str = "tenhou"  # with reward=global: a checkpoint of `suzaku train reward`, or a bundled one
    learn: str = "discard"  # the models that learn, joined by +: discard+riichi+chow+pong+kong; the others stay
    iterations: int = 1000  # of self-play and learning
    repeat: int = 0  # 0 plays whole games; else single rounds, each wall so many times: see `round_player.py`
    games: int = 400  # (or rounds) that end in an iteration, all actors together
    workers: int = -1  # processes of self-play beside the learner; 0 plays and learns in turn, in one process;
    # -1: half as many as there are cores, or 0 on a single one
    tables: int = 512  # of all actors together: a game lasts about tables / games versions, see `staleness`
    length: str = "hanchan"  # of the games of Riichi; one of MCR is a hand
    temperature: float = 0.5  # of the behaviour: at 1 most of what is gained is a sharper policy, not a better one
    batch: int = 2048  # decisions of an optimiser step
    epochs: int = 1  # times that an iteration goes through its decisions
    reuse: int = 1  # iterations that a game stays in the buffer; each takes its share of it
    staleness: int = 8  # versions that a game's weights may be behind; older ones are left out
    rate: float = 1e-4  # learning rate of Adam
    natural: float = 0.0  # instead of Adam: few weights learn by natural gradient, with this rate; 0: all by Adam
    natural_blocks: int = 2  # besides the last layer, the norms of so many of the last blocks
    damping: float = 0.1  # of the natural gradient, as a share of the mean of the Fisher matrix' diagonal
    sure: float = 0.98  # natural: positions with an answer likelier than this are left out; 1: none
    clip: float = 0.2  # Adam: importance weights beyond 1 +- clip earn nothing (PPO); 0: eq. (1) as it stands
    gradient: float = 0.5  # longest gradient
    advantage: str = "gae"  # "mean": reward less its mean; "value": less a value network; "gae": over the decisions
    gae_lambda: float = 0.5  # lambda of GAE: 0 looks to the next decision, 1 to the end of the round
    value_network: str = "start"  # as the discard model, with its layers at first (of MCR: b2c32); or a size: b2c32
    value_rate: float = 3e-4  # its learning rate
    value_every: int = 4  # batches, of which it learns from one once the policy learns: states of a round are alike
    value_first: int = 5  # iterations in which the value network alone learns
    entropy: float = 1.0  # the target of eq. (3), as a multiple of the entropy at the start
    alpha: float = 0.0  # the entropy's coefficient at the start; it stays within -0.1 and 0.1
    beta: float = 0.05  # how fast it follows, eq. (3)
    anchor: float = 0.0  # weight of the KL divergence from the policy at the start
    average: float = 0.0  # what is saved is a moving average of the weights, which keeps this share an iteration
    # oracle guiding, `oracle.py`
    oracle: str = ""  # "widen": an oracle that begins as `start`; or the folder of one that was trained before
    mask: str = "element"  # "element": each perfect feature is masked by itself; "state": all of a decision together
    oracle_rate: float = 1.0  # how many times as fast the weights of the perfect features learn: they begin at 0
    oracle_first: int = 100  # iterations in which the oracle sees everything
    oracle_fall: int = 300  # iterations after these in which gamma falls from 1 to 0
    after_rate: float = 0.1  # once gamma is 0: share of the learning rate
    after_reject: float = 2.0  # once gamma is 0: pairs with a larger importance weight are left out; 0: none
    critic: str = "oracle"  # the value network sees everything, or with "seat" (and of MCR) what its seat sees
    seed: int = 1
    walls: int = 1000  # of a validation: single rounds against the start, with the learner in each seat; 0: none
    eval_every: int = 20  # iterations between two validations
    save_every: int = 5  # iterations between two states to resume from
    keep_every: int = 50  # iterations between two checkpoints that stay
    bfloat16: bool = True  # compute in bfloat16 where the machine has it

    def __post_init__(self) -> None:
        from suzaku.riichi.rules import LENGTHS  # here: the rules load Numba, and a typo is told before

        if self.workers == -1:
            busy = cores() // 2  # the learner is about as busy as they are
            object.__setattr__(self, "workers", max(0, min(busy, self.games, self.tables)))
        at_least(
            self,
            1,
            (
                "iterations",
                "games",
                "tables",
                "batch",
                "epochs",
                "reuse",
                "value_every",
                "eval_every",
                "save_every",
                "keep_every",
            ),
        )
        at_least(
            self,
            0,
            (
                "workers",
                "repeat",
                "staleness",
                "clip",
                "gae_lambda",
                "natural",
                "natural_blocks",
                "value_first",
                "alpha",
                "beta",
                "anchor",
                "oracle_first",
                "after_reject",
                "seed",
                "walls",
            ),
        )
        above_zero(self, ("rate", "damping", "value_rate", "gradient", "temperature", "entropy"))
        above_zero(self, ("oracle_rate", "after_rate"))
        for name, value, known in (
            ("reward", self.reward, REWARDS),
            ("advantage", self.advantage, ADVANTAGES),
            ("mask", self.mask, MASKS),
            ("critic", self.critic, CRITICS),
            ("length", self.length, LENGTHS),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")
        if self.seed >= 2**63:
            raise ValueError(f"seed must be below 2^63, not {self.seed}")
        if self.gae_lambda > 1:
            raise ValueError(f"gae_lambda must be at most 1, not {self.gae_lambda}")
        if self.alpha > ALPHA_LIMIT:
            raise ValueError(f"alpha must be at most {ALPHA_LIMIT}, not {self.alpha}")
        if not 0.5 <= self.sure <= 1:
            raise ValueError(f"sure must be at least 0.5 and at most 1, not {self.sure}")
        if not 0 <= self.average < 1:
            raise ValueError(f"average must be at least 0 and below 1, not {self.average}")
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
AGENTS = {"riichi": "suphx", "mcr": "mcr"}  # that play with a folder of models


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
    return start if start in PLAYERS else f"{AGENTS[game_of(start)]}:{start}"


def game_of(start: str) -> str:
    """The game of the player to start from: a bundled one, or the one of some checkpoint in a folder."""
    if start in PLAYERS:
        return PLAYERS[start]
    for where in (checkpoint_of(start, "discard"), Path(start) / "best"):
        if files(where)[1].exists():
            return network_spec(read_info(where)["network"]).family.game
    return "riichi"  # what it lacks is said where the models are looked for
