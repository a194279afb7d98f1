"""`suzaku train winning-scores`: learning by self-play with how many han a hand will be won."""

from pathlib import Path
from typing import Annotated

import typer

from suzaku.apps.errors import clear_errors, need_torch


def winning_scores(
    out: Annotated[Path, typer.Option(help="Folder of the run; a run that stands there is continued.")],
    model: Annotated[str | None, typer.Option(help="mcp or bcp.  [default: mcp]", show_default=False)] = None,
    opponents: Annotated[
        str | None, typer.Option(help="drawing or one-player.  [default: drawing]", show_default=False)
    ] = None,
    hands: Annotated[
        int | None, typer.Option(min=1, help="Hands to learn from.  [default: 10000000]", show_default=False)
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
) -> None:
    """Learn by self-play with how many han a hand will be won (Mizukami and Tsuruoka).

    Needs no games: the present player plays one-player hands and learns from each. Ctrl-C keeps what was learnt; the
    same command goes on from there.

    Example: suzaku train winning-scores --model bcp --opponents one-player --out runs/bcp
    """
    from suzaku.apps.train import learn_and_report, let_stop

    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.settings import read_settings
        from suzaku.winning_scores.config import WinningConfig

        settings = read_settings(WinningConfig, config, set_ or [], model=model, opponents=opponents, hands=hands)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.apps.compiling.start import prepare
        from suzaku.winning_scores.learner import WinningLearner

        prepare("winning-scores")
        learn_and_report(WinningLearner(settings), out)
