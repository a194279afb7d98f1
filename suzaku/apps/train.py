"""`suzaku train`: learning from games."""

import os
import shlex
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.apps.errors import clear_errors, complain, need_torch
from suzaku.apps.game_options import GameCommand
from suzaku.apps.train_branches import branches
from suzaku.apps.train_quickstart import quickstart
from suzaku.apps.train_reward import reward
from suzaku.apps.train_rl import rl
from suzaku.apps.train_winning_scores import winning_scores

if TYPE_CHECKING:
    from suzaku.learning.config import Config
    from suzaku.learning.learner import Learner
    from suzaku.learning.loop import Run
    from suzaku.records.store import Store

app = typer.Typer(no_args_is_help=True, help="Train models.")
app.command(cls=GameCommand)(quickstart)
app.command()(reward)
app.command()(rl)
app.command()(branches)
app.command(name="winning-scores")(winning_scores)


def let_stop() -> None:
    """Let Ctrl-C and kill save what was learnt."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # also where a shell in the background lets Ctrl-C pass unheard
        signal.signal(stop, signal.default_int_handler)


@app.command()
def supervised(
    model: Annotated[
        str, typer.Option(help="discard, riichi, chow, pong, kong, or all that the network has, in turn.")
    ],
    data: Annotated[
        list[Path], typer.Option(help="A store of games, made by `suzaku data import`; several are read as one.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the run; a run that stands there is continued.")],
    network: Annotated[str | None, typer.Option(help="suphx-b10c128, gao-86, mcr-55-b3x3c64 ...")] = None,
    start: Annotated[
        str | None, typer.Option(help="The player to start from: a bundled one (suphx, gao ...) or a folder.")
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(help="Only these players teach: Suphx,LuckyJ; or mixed by shares: Suphx=1,LuckyJ=2,others=3."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
    test: Annotated[Path | None, typer.Option(help="A store of other games for the final test.")] = None,
) -> None:
    """Learn to play like the players of a store of games.

    Ctrl-C keeps what was learnt; the same command goes on from there. Validation games are held out of the store by a
    hash of their name. Several GPUs or machines: torchrun --nproc-per-node N -m suzaku train supervised ...

    Example: suzaku train supervised --model discard --network suphx-b5c64 --data games --out runs/discard
    """
    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.config import Config
        from suzaku.learning.settings import read_settings
        from suzaku.networks.info import read_info
        from suzaku.networks.names import outputs, parse

        only = None if model == "all" else model
        settings = read_settings(Config, config, set_ or [], model=only, network=network, start=start, players=players)
        models = list(parse(settings.network).family.models) if model == "all" else [model]
        for name in models:
            outputs(settings.network, name)  # refuses unknown names
            if (begins := replace(settings, model=name).begins_with()) is not None:
                read_info(begins)
        from suzaku.records.players import check_players
        from suzaku.records.store import Joined, Store

        store = Joined(data) if len(data) > 1 else Store(data[0])
        check_players(store, settings.players)
        if test is not None:
            _say_what_is_left_out(test, store)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.apps.compiling.start import prepare

        if not int(os.environ.get("LOCAL_RANK", 0)):
            prepare("train" if parse(settings.network).family.game == "riichi" else "mcr train")
        for name in models:
            run_training(replace(settings, model=name), store, out / name if model == "all" else out, test)
        if not int(os.environ.get("RANK", 0)):
            say_how_to_play(settings.network, out)


def _say_what_is_left_out(test: Path, data: "Store") -> None:
    """Refuse, before anything is learnt, a test of games that are learnt from; say if some of them are."""
    from suzaku.learning.unseen import Unseen

    said = Unseen(test, data).said()
    if said and not int(os.environ.get("RANK", 0)):
        complain(said)


def say_how_to_play(network: str, folder: Path) -> None:
    """Say which command lets play what was trained, once it is certain that it can; otherwise why it cannot."""
    from suzaku.agents.make import make_agent
    from suzaku.networks.names import parse

    family = parse(network).family
    agent = f"{family.player}:{folder}"
    try:
        make_agent(agent, family.game, cheating=True).close()
    except ValueError as problem:
        typer.echo(f"It cannot play yet: {problem}")
    else:
        game = "" if family.game == "riichi" else f" --game {family.game}"
        typer.echo(f"Let it play: suzaku arena {shlex.quote(agent)} shanten --games 200{game}")


def run_training(config: "Config", data: "Path | Store", folder: Path, test: Path | None) -> "dict[str, Any]":
    """Learn from a store; the figures of the final test."""
    from suzaku.learning.supervised import Supervised

    return learn_and_report(Supervised(config, data, test=test), folder)


def learn_and_report(learner: "Learner", folder: Path) -> "dict[str, Any]":
    """Let anything learn, with a progress bar, and write the report; the figures that the learner gives."""
    from suzaku.learning.pieces import totals
    from suzaku.learning.report import write_report

    run = run_learner(learner, folder)
    if run.rank:
        return {}
    path, results = write_report(run)
    typer.echo(f"Trained: {totals(run.pieces)}.")
    typer.echo(f"written: {path}")
    return results


def run_learner(learner: "Learner", folder: Path) -> "Run":
    """Let anything learn, with a progress bar; the run when it is done."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from suzaku.learning.loop import Run

    run = Run(learner, folder)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"))
    with Bar(*columns, TimeRemainingColumn(), TextColumn("{task.fields[now]}"), disable=run.rank > 0) as bar:
        task = bar.add_task(learner.title, total=learner.schedule.steps, completed=run.step, now="")

        def tell(figures: dict[str, float]) -> None:
            step, text = int(figures["step"]), learner.say(figures, run.curve[-1] if run.curve else {})
            bar.update(task, completed=step, now=text)
            if not bar.console.is_terminal and step % 200 == 0:
                bar.console.print(f"step {step:,}: {text}", soft_wrap=True)

        run.run(tell)
    return run
