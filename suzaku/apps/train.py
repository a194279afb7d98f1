"""`suzaku train`: learning from games."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.apps.train_quickstart import quickstart

if TYPE_CHECKING:
    from suzaku.learning.config import Config

app = typer.Typer(no_args_is_help=True, help="Train models.")
app.command()(quickstart)
MODELS = ("discard", "riichi", "chow", "pong", "kong")


def _fail(sentence: object) -> typer.Exit:
    typer.echo(f"suzaku train: {sentence}", err=True)
    return typer.Exit(2)


def need_torch() -> None:
    """Say what to install where torch is missing; let Ctrl-C and kill save what was learnt."""
    try:
        import torch  # noqa: F401
    except ImportError:
        raise _fail("training needs torch: pip install 'suzaku[train]'") from None
    for stop in (signal.SIGINT, signal.SIGTERM):  # also where a shell in the background lets Ctrl-C pass unheard
        signal.signal(stop, signal.default_int_handler)


@app.command()
def supervised(
    model: Annotated[str, typer.Option(help="discard, riichi, chow, pong, kong, or all of them in turn.")],
    data: Annotated[Path, typer.Option(help="A store of games, made by `suzaku data import`.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; a run that stands there is continued.")],
    network: Annotated[str | None, typer.Option(help="suphx-b10c128, suphx-b5c64, gao-86 ...")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
    test: Annotated[Path | None, typer.Option(help="A store of later games for the final test.")] = None,
) -> None:
    """Learn to play like the players of a store of games.

    Ctrl-C keeps what was learnt; the same command goes on from there. Validation games are held out of the store by a
    hash of their name. Several GPUs or machines: torchrun --nproc-per-node N -m suzaku train supervised ...

    Example: suzaku train supervised --model discard --network suphx-b5c64 --data games --out runs/discard
    """
    need_torch()
    from suzaku.learning.config import read_config

    names = MODELS if model == "all" else (model,)
    for name in names:
        folder = out / name if model == "all" else out
        try:
            settings = read_config(config, set_ or [], model=name, network=network)
            run_training(settings, data, folder, test)
        except (ValueError, OSError) as problem:
            raise _fail(problem) from None
        except KeyboardInterrupt:
            typer.echo(f"Stopped; the same command goes on from {folder}.", err=True)
            raise typer.Exit(130) from None


def run_training(config: "Config", data: Path, folder: Path, test: Path | None) -> "dict[str, Any]":
    """Train with a progress bar and write the report; the figures of the final test."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from suzaku.learning.report import write_report
    from suzaku.learning.supervised import Progress, Trainer

    trainer = Trainer(config, data, folder)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("left"))
    with Bar(*columns, TimeRemainingColumn(), TextColumn("{task.fields[now]}"), disable=trainer.rank > 0) as bar:
        task = bar.add_task(f"{config.model} {config.network}", total=config.steps, completed=trainer.step, now="")

        def tell(now: Progress) -> None:
            text = (
                f"loss {now.loss:.3f}  right {now.accuracy:.1%}  {now.rate:,.0f} samples/s  waiting {now.waiting:.0%}"
            )
            if trainer.curve:
                text += f"  validation {trainer.curve[-1]['accuracy']:.2%}"
            bar.update(task, completed=now.step, now=text)
            if not bar.console.is_terminal and now.step % 200 == 0:
                bar.console.print(f"step {now.step:,}: {text}", soft_wrap=True)

        trainer.run(tell)
    if trainer.rank:
        return {}
    path, results = write_report(trainer, test)
    typer.echo(f"written: {path}")
    return results
