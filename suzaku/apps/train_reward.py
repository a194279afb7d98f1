"""`suzaku train reward`: learning what a game will be worth, from its rounds so far."""

from pathlib import Path
from typing import Annotated

import typer

from suzaku.apps.errors import clear_errors, complain, need_torch


def reward(
    data: Annotated[Path, typer.Option(help="A store of games, made by `suzaku data import`.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; a run that stands there is continued.")],
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
    test: Annotated[Path | None, typer.Option(help="A store of other games for the final test.")] = None,
) -> None:
    """Learn to predict what a game will be worth to each seat (Suphx 3.2), the reward of reinforcement learning.

    `--set target=uma` learns the bonus of the places instead of Tenhou's ranking points. Ctrl-C keeps what was learnt;
    the same command goes on from there.

    Example: suzaku train reward --data games --test later --out runs/reward
    """
    from suzaku.apps.train import let_stop, run_learner

    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.reward.config import RewardConfig
        from suzaku.learning.settings import read_settings

        settings = read_settings(RewardConfig, config, set_ or [])
        from suzaku.learning.unseen import Unseen
        from suzaku.records.store import Store

        Store(data)  # what is no store is told before anything is compiled
        if test is not None and (said := Unseen(test, data).said()):
            complain(said)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.apps.compiling.start import prepare
        from suzaku.learning.pieces import totals
        from suzaku.learning.reward.learner import RewardLearner
        from suzaku.learning.reward.report import write_report

        prepare("records")
        run = run_learner(RewardLearner(settings, data), out)
        path, results = write_report(run, test)
        typer.echo(f"Trained: {totals(run.pieces)}.")
        for name, (error, half) in results["squared_errors"].items():
            typer.echo(f"{name}: mean squared error {error:,.1f} ± {half:,.1f}")
        typer.echo(f"written: {path}")
