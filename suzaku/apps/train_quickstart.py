"""`suzaku train quickstart`: games, a store and a trained network without any records at hand."""

import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from suzaku.apps import data_options as opt
from suzaku.apps.errors import clear_errors, need_torch
from suzaku.apps.game_options import GameName
from suzaku.words import did_you_mean

NETWORKS = {"riichi": "suphx-b2c32", "mcr": "mcr-55-b2x3c32"}  # by game


def quickstart(
    out: Annotated[
        Path, typer.Option(help="Folder of the games and of the run; what stands there is continued.")
    ] = Path("quickstart"),
    agent: Annotated[str, typer.Option(help="The rule-based player to learn from.")] = "heuristic",
    games: Annotated[int, typer.Option(min=50, help="Games to play: hanchan, or hands of MCR.")] = 1000,
    steps: Annotated[int, typer.Option(min=1, help="Training steps of 256 positions.")] = 5000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games and the same training.")] = 1,
    game: GameName = "riichi",
) -> None:
    """Train a tiny network in about ten minutes, without any game records.

    A rule-based player plays games against itself into a store, and a small network learns to discard like that
    player. At the end stands how often it does, on games it has not seen. Ctrl-C keeps what was done; the
    same command goes on. The next step is `suzaku train supervised` with records of strong players.
    """
    from suzaku.apps.train import let_stop, run_training, say_how_to_play

    began = time.monotonic()
    with clear_errors(f"{out} keeps what was done; the same command goes on from there.", out):
        let_stop()
        from suzaku.agents.make import make_agent

        if game not in NETWORKS:
            raise ValueError(f"there is no network for {game}; {did_you_mean(game, NETWORKS)}")
        make_agent(agent, game).close()  # what is none is told before anything is played
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.apps.compiling.start import prepare
        from suzaku.arena.selfplay import play_store
        from suzaku.learning.config import Config
        from suzaku.learning.pieces import duration

        network = NETWORKS[game]
        _same_as_before(out, agent if game == "riichi" else f"{agent} of {game}", seed)
        prepare(*(("train", "arena", agent) if game == "riichi" else ("mcr train", f"mcr {agent}")))
        typer.echo(f"1. {games:,} games of four times {agent}, into a store")
        with opt.counting("games") as tell:
            play_store(agent, games, seed, out / "store", lambda n: tell(n, f"of {games:,}"), game)
        typer.echo(f"2. {network} learns to discard like {agent}: {steps:,} steps of 256 positions")
        config = Config(
            network=network, steps=steps, batch=256, warm_up=200, eval_every=1000, eval_samples=10_000, seed=seed
        )
        results = run_training(config, out / "store", out / "run", None)
    typer.echo(
        f"On {results['samples']:,} positions of games it has not seen, the network throws what {agent} throws in "
        f"{results['accuracy']:.1%} (± {results['interval']:.1%}); always the most frequent tile would be "
        f"{results['majority']:.1%}. This command took {duration(time.monotonic() - began)}."
    )
    typer.echo(f"Look at it: suzaku model info {shlex.quote(str(out / 'run'))}")
    say_how_to_play(network, out / "run")


def _same_as_before(out: Path, agent: str, seed: int) -> None:
    """Refuse a folder of other games: a store of both would be neither."""
    from suzaku.files import write_whole

    wanted = f"agent {agent}, seed {seed}\n"
    note = out / "games.txt"
    if note.exists() and note.read_text(encoding="utf-8") != wanted:
        raise ValueError(f"{out} holds games of {note.read_text(encoding='utf-8').strip()}: choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    write_whole(note, wanted.encode())
