"""`suzaku model`: what a checkpoint is, the mean of several, and the export for other programs."""

import enum
from pathlib import Path
from typing import Annotated

import typer

from suzaku.cli.errors import clear_errors, need_torch

app = typer.Typer(name="model", no_args_is_help=True, help="Trained networks: what they are, their mean, their export.")

PIPE = 160  # columns when the output goes to a file or a pipe


Checkpoint = Annotated[
    Path,
    typer.Argument(
        help="A checkpoint, a folder of checkpoints or of training runs, one run, or a bundled player (suphx) or model "
        "(suphx/discard)."
    ),
]


class Format(str, enum.Enum):
    """What a checkpoint can be exported to."""

    onnx = "onnx"


@app.command()
def info(
    checkpoint: Checkpoint,
    json: Annotated[bool, typer.Option("--json", help="Print all there is to know as JSON.")] = False,
) -> None:
    """Show what a checkpoint is: network, parameters, features and whether they fit, training, accuracies.

    A folder of several gives a row a model. Needs no torch.

    Examples:

    suzaku model info runs/discard

    suzaku model info suphx
    """
    from rich.console import Console

    from suzaku.cli.model_info import Described, find, page_of, table_of

    with clear_errors():
        models = [Described(path) for path in find(checkpoint)]
    if json:
        import json as text

        told = [model.to_dict() for model in models]
        typer.echo(text.dumps(told[0] if len(told) == 1 else told, indent=2))
        return
    console = Console()
    shown = page_of(models[0]) if len(models) == 1 else table_of(models, str(checkpoint))
    (console if console.is_terminal else Console(width=PIPE)).print(shown)


@app.command()
def export(
    checkpoint: Checkpoint,
    out: Annotated[Path, typer.Option(help="The file to write, or the folder of several models.")],
    format: Annotated[Format, typer.Option(help="What to write.")] = Format.onnx,
) -> None:
    """Export checkpoints for other programs, checked under onnxruntime to give the same outputs as torch.

    Examples:

    suzaku model export runs/discard/best --format onnx --out discard.onnx

    suzaku model export suphx --out suphx-onnx
    """
    from suzaku.cli.model_info import find
    from suzaku.networks.info import read_info

    with clear_errors():
        models = {read_info(path)["model"]: path for path in find(checkpoint)}
        if len(models) > 1 and (out.suffix or out.is_file()):
            raise ValueError(
                f"{checkpoint} has the models {', '.join(models)}: give a folder with --out, not {out}, or name one, "
                f"{checkpoint}/{next(iter(models))}"
            )
        need_torch("exporting")
        from suzaku.networks.onnx_graph import export as write

        for model, path in models.items():
            file = out / f"{model}.{format.value}" if len(models) > 1 else out
            worst = write(path, file)
            typer.echo(f"{file}: {file.stat().st_size / 1e6:.1f} MB, differs from torch by at most {worst:.1g}")


@app.command()
def average(
    checkpoints: Annotated[
        list[Path], typer.Argument(help="Two checkpoints or more, of runs that began with the same weights.")
    ],
    out: Annotated[Path, typer.Option(help="The checkpoint to write.")],
    half: Annotated[bool, typer.Option("--half", help="Write half precision.")] = False,
) -> None:
    """Write the mean of the weights of several runs, which has less of the noise of each.

    Example: suzaku model average runs/rl-1/last/discard runs/rl-2/last/discard --out runs/mean/discard
    """
    with clear_errors():
        need_torch("averaging")
        from suzaku.networks.checkpoint import average as write

        write(checkpoints, out, half)
        typer.echo(f"{out}: the mean of {len(checkpoints)} checkpoints")
