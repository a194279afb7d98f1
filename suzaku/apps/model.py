"""`suzaku model`: what a checkpoint is, and its export for other programs."""

import enum
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(name="model", no_args_is_help=True, help="Trained networks: what they are, and their export.")

Checkpoint = Annotated[
    Path, typer.Argument(help="The checkpoint: either of its two files, or what the names of both begin with.")
]


class Format(str, enum.Enum):
    """What a checkpoint can be exported to."""

    onnx = "onnx"


@app.command()
def info(checkpoint: Checkpoint) -> None:
    """Show what a checkpoint is: network, features and whether they fit this installation, data, results.

    Needs no torch. Example: suzaku model info runs/discard/best
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from suzaku.networks.info import CheckpointError, files, misfit, parameters, read_info, read_shapes

    try:
        told = read_info(checkpoint)
        shapes = read_shapes(checkpoint)
    except CheckpointError as problem:
        _stop(problem)
    features = told["features"]
    reason = misfit(told) or _other_weights(checkpoint, told)
    shown = Table(title=escape(str(files(checkpoint)[0])), show_header=False)
    shown.add_column(style="bold")
    shown.add_column(overflow="fold")
    shown.add_row("network", escape(told["network"]))
    shown.add_row("model", escape(told["model"]))
    size = files(checkpoint)[0].stat().st_size / 1e6
    shown.add_row("parameters", f"{parameters(shapes):,} ({size:.1f} MB, {told['weights'].get('precision')} precision)")
    shown.add_row(
        "features", escape(f"{features.get('table')} version {features.get('version')} hash {features.get('hash')}")
    )
    shown.add_row("fits", "yes" if reason is None else f"[red]no[/]: {escape(reason)}")
    shown.add_row("written by", escape(f"suzaku {told.get('suzaku', 'unknown')}"))
    for section in ("data", "training", "results"):
        for name, value in _lines(told.get(section), section):
            shown.add_row(escape(name), escape(value))
    Console().print(shown)


@app.command()
def export(
    checkpoint: Checkpoint,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    format: Annotated[Format, typer.Option(help="What to write.")] = Format.onnx,
) -> None:
    """Export a checkpoint for other programs, checked under onnxruntime to give the same outputs as torch.

    Example: suzaku model export runs/discard/best --format onnx --out discard.onnx
    """
    try:
        from suzaku.networks.onnx import export as write
    except ImportError as problem:
        _stop(f"Exporting needs {problem.name or 'torch'}, which is not installed: pip install 'suzaku[train]'")
    try:
        worst = write(checkpoint, out)
    except ValueError as problem:
        _stop(problem)
    except OSError as problem:
        _stop(f"{out}: {problem.strerror or problem}")
    typer.echo(f"{out}: {out.stat().st_size / 1e6:.1f} MB, differs from torch by at most {worst:.1g}")


def _lines(value: Any, name: str) -> list[tuple[str, str]]:
    """A value of the JSON as rows of text, one for each single value, named by the way to it."""
    if isinstance(value, dict):
        return [line for key, inner in value.items() for line in _lines(inner, f"{name}.{key}")]
    if value is None:
        return []
    if isinstance(value, float):
        return [(name, f"{value:.6g}")]
    text = str(value)
    return [(name, text if len(text) <= 200 else f"{text[:200]} ...")]


def _other_weights(checkpoint: Path, told: dict[str, Any]) -> str | None:
    from suzaku.networks.info import CheckpointError, files
    from suzaku.networks.weights import check_sum

    try:
        check_sum(checkpoint, files(checkpoint)[0].read_bytes(), told)
    except CheckpointError as problem:
        return str(problem)
    return None


def _stop(problem: object) -> Any:
    typer.echo(str(problem), err=True)
    raise typer.Exit(2)
