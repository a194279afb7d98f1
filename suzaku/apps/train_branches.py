"""`suzaku train branches`: riichi and claims learnt by rolling out both answers."""

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.apps.errors import clear_errors, need_torch

if TYPE_CHECKING:
    from suzaku.rl.branches.config import BranchConfig


def branches(
    out: Annotated[Path, typer.Option(help="Folder of the run; a run that stands there is continued.")],
    model: Annotated[str | None, typer.Option(help="riichi, chow, pong or kong.")] = None,
    start: Annotated[
        str | None, typer.Option(help="The player to start from: suphx, weak, or a folder of checkpoints or runs.")
    ] = None,
    positions: Annotated[int | None, typer.Option(help="Positions of self-play to roll out.")] = None,
    rollouts: Annotated[int | None, typer.Option(help="Rollouts of each branch of a position.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
) -> None:
    """Learn when to say yes: both answers to a question are rolled out to the end of the round, on the same tables.

    The questions are those that came up in self-play; OUT/labels keeps them with their labels, and --set
    labels=OUT/labels learns from them again in another folder. Ctrl-C keeps what was rolled out and learnt; the same
    command goes on from there. OUT/best is a player:

    Example: suzaku train branches --model riichi --start suphx --positions 10000 --rollouts 4 --out runs/branches
    """
    from suzaku.apps.train import learn_and_report, let_stop

    with clear_errors(f"{out} keeps what was rolled out and learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.settings import read_settings
        from suzaku.rl.branches.config import BranchConfig
        from suzaku.rl.start import start_folder

        given: dict[str, Any] = {"model": model, "start": start, "positions": positions, "rollouts": rollouts}
        settings = read_settings(BranchConfig, config, set_ or [], **given)
        start_folder(settings.start)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.apps.compiling.start import prepare

        if settings.labels:  # what made these need not be said again
            from suzaku.rl.branches.labels import labelled_with

            instead = labelled_with(Path(settings.labels))
            settings = read_settings(BranchConfig, config, set_ or [], instead, **given)
        from suzaku.rl.branches.learner import BranchLearner

        learner = BranchLearner(settings, out)  # what is no player is told before anything is compiled
        prepare("train", "arena", "suphx", "heuristic")
        if not settings.labels:
            roll_out(settings, learner.labels_folder)
        typer.echo("\n".join(learn_and_report(learner, out)["said"]).strip())
        player, start = (shlex.quote(f"suphx:{folder}") for folder in (out / "best", start_folder(settings.start)))
        typer.echo(f"Let it play: suzaku arena {player} {start} --games 2000")


def roll_out(settings: "BranchConfig", folder: Path) -> None:
    """Label the positions, with a progress bar."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from suzaku.agents.suphx import SuphxAgent
    from suzaku.rl.branches.labels import make_labels
    from suzaku.rl.branches.rollouts import Worth, points
    from suzaku.rl.start import start_folder

    agent = SuphxAgent(start_folder(settings.start), settings.temperature, settings.seed)
    agent.expect_many()
    worth: Worth = points
    if settings.reward == "global":
        from suzaku.learning.reward.predict import RewardModel
        from suzaku.rl.branches.worth import predicted

        worth = predicted(RewardModel.load(settings.reward_model, length=settings.length))
    began, cpu = time.monotonic(), time.process_time()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"))
    rolled = 0
    with Progress(*columns, TimeRemainingColumn(), TextColumn("{task.fields[now]}")) as bar:
        task = bar.add_task(f"{settings.model} positions", total=settings.positions, now="")

        def tell(found: int, made: int) -> None:
            nonlocal rolled
            rolled = made
            rate = f"{made / (time.monotonic() - began):,.0f} rollouts/s" if made else ""
            bar.update(task, completed=min(found, settings.positions), now=rate)

        make_labels(folder, settings, agent, worth, tell)
    if rolled:
        seconds = time.process_time() - cpu
        typer.echo(f"{rolled:,} rollouts, {rolled / seconds:,.0f} a second of processor time, self-play included.")
