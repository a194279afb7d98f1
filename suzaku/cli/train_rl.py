"""`suzaku train rl`: reinforcement learning by self-play."""

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli.errors import clear_errors, need_torch
from suzaku.system import cores, some

if TYPE_CHECKING:
    from suzaku.rl.config import RlConfig
    from suzaku.rl.games import Predictor
    from suzaku.rl.self_play import Actors, Open, Setup
    from suzaku.workers.ray import Cluster


# by game: what plays, and what is learnt from besides
RIICHI = ("riichi oracle", "riichi heuristic", "records.importing")
MCR = ("mcr mcr", "rl.win_distance")


def rl(
    out: Annotated[Path, typer.Option(help="Folder of the run. A run that stands there is continued.")],
    start: Annotated[
        str | None,
        typer.Option(
            help="The player to start from: suphx, weak, rl-basic, rl-1, rl-2, mcr, or a folder of checkpoints."
        ),
    ] = None,
    reward: Annotated[
        str | None,
        typer.Option(
            help="`round`: the points of a round. `global`: the predicted change of the game's reward. MCR also has "
            "`distance` and `fan-distance`: the change of the distance to any complete hand, or to one of 8 fan."
        ),
    ] = None,
    oracle: Annotated[
        str | None,
        typer.Option(
            metavar="ORACLE",
            help="Oracle guiding: widen (an oracle that begins as the start), or the folder of an oracle player.",
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
    hours: Annotated[float | None, typer.Option(min=0.0, help="End after so many hours of this command.")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="End after so many games of the run.")] = None,
    ray: Annotated[
        bool, typer.Option("--ray", help="Self-play on a Ray cluster: RAY_ADDRESS, or this machine.")
    ] = False,
) -> None:
    """Learn from games against itself: policy gradient with importance weights and entropy control (Suphx 3.1).

    Four copies play, the discard model learns from what the rounds brought. Half of the cores play, the others learn
    (--set workers=N plays in N processes, 0 plays and learns in turn). The screen shows games, rates, entropy,
    importance weights and the distance from the start, and says in a sentence what goes wrong. `tensorboard --logdir`
    draws the curves. Every 20 iterations the strength is measured in single rounds against the start (--set
    eval_every=N, walls=0 for never). Ctrl-C keeps what was learnt. The same command goes on, to the same weights.
    FOLDER/best and FOLDER/last are players. docs/training.md and `suzaku train settings rl` explain the settings.

    --oracle widen lets the discards learn with the hidden tiles in sight and then drops these out, over oracle_first
    and oracle_fall iterations (Suphx 3.3). FOLDER/best and last never see them, FOLDER/oracle does, in the arena only.

    The player to start from says the game: with one of MCR the discard model learns, from single hands.

    Example: suzaku train rl --start suphx --reward round --out runs/rl --hours 2

    Example: suzaku train rl --start suphx --reward global --oracle widen --set iterations=800 --out runs/guided
    """
    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        from suzaku.cli.train import let_stop
        from suzaku.learning.settings import read_settings
        from suzaku.rl.config import RlConfig, agent_of, game_of, start_folder

        let_stop()
        settings = read_settings(RlConfig, config, set_ or [], start=start, reward=reward, oracle=oracle)
        if ray and not settings.workers:
            raise ValueError("--ray needs --set workers=N: how many actors the cluster is to run")
        start_folder(settings.start)
        predictor = load_predictor(settings)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.cli.compile import prepare
        from suzaku.rl.player import Player

        Player(settings)  # what cannot learn is refused before anything is compiled
        mcr = game_of(settings.start) == "mcr"
        prepare("rl.policy_gradient", "networks.cpu", *(MCR if mcr else RIICHI))
        from suzaku.cli.rl_screen import run_on_screen
        from suzaku.learning.loop import Run
        from suzaku.learning.report import write_report
        from suzaku.rl.learner import Reinforcement
        from suzaku.workers.ray import Cluster

        share_cores(0 if ray else settings.workers)
        cluster = Cluster() if ray else None
        learner = Reinforcement(settings, out, predictor, on_cluster(cluster) if cluster else None)
        learner.stop_after(hours, games)
        run = Run(learner, out)
        run_on_screen(run)
        path, _ = write_report(run)
        typer.echo(f"written: {path}")
        typer.echo(f"{some(run.step, 'iteration')}, {learner.played:,} games, {learner.learnt:,} decisions learnt.")
        best = out / ("best" if (out / "best").exists() else "last")
        if learner.version <= settings.value_first and settings.advantage != "mean":
            typer.echo(f"So far the value network alone has learnt: the policy follows after {settings.value_first}.")
        if learner.gamma > 0:
            typer.echo(
                f"gamma is {learner.gamma:.2f} as yet: the player learns to do without the hidden tiles until it is 0."
            )
        player, game = ("mcr", " --game mcr") if mcr else ("suphx", "")
        started = agent_of(settings.start)
        if (out / "oracle").exists():
            cheat = shlex.quote(f"oracle:{out / 'oracle'}")
            typer.echo(f"What perfect information is worth: suzaku arena {cheat} {shlex.quote(started)} --games 2000")
        learnt = shlex.quote(f"{player}:{best}")
        typer.echo(f"Let it play: suzaku arena {learnt} {shlex.quote(started)} --games 2000{game}")


def on_cluster(cluster: "Cluster") -> "Open":
    """Actors on a Ray cluster."""

    def open_actors(setup: "Setup", count: int, resume: str) -> "Actors":
        return cluster.workers(setup, count, patience=0.5, resume=resume)

    return open_actors


def share_cores(workers: int) -> None:
    """Leave a core to each worker: threads of the learner that wait for one would hold up all others."""
    import torch

    if workers and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(max(1, cores() - workers))


def load_predictor(settings: "RlConfig") -> "Predictor | None":
    """The reward model, if one is needed."""
    if settings.reward != "global":
        return None
    from suzaku.learning.reward import RewardModel

    return RewardModel.load(settings.reward_model, length=settings.length)
