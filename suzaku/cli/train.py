"""`suzaku train`: learning from games.

- `suzaku train quickstart`: games, a store and a trained network without any records at hand.
- `suzaku train reward`: learning what a game will be worth, from its rounds so far.
- `suzaku train winning-scores`: learning by self-play with how many han a hand will be won.
- `suzaku train branches`: riichi and claims learnt by rolling out both answers.
- `suzaku train`: learning from games.
"""

import os
import shlex
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.cli import data as opt
from suzaku.cli.errors import clear_errors, complain, need_torch
from suzaku.cli.options import GameCommand, GameName
from suzaku.cli.train_rl import rl
from suzaku.system import did_you_mean

if TYPE_CHECKING:
    from suzaku.learning.config import Config
    from suzaku.learning.learner import Learner
    from suzaku.learning.loop import Run
    from suzaku.records.store import Store
    from suzaku.rl.branch_config import BranchConfig


USED = {  # by game, with any network
    "riichi": ("records.importing", "riichi suphx", "features.gao"),
    "mcr": ("mcr mcr",),
}
NETWORKS = {"riichi": "suphx-b2c32", "mcr": "mcr-55-b2x3c32"}  # by game


def quickstart(
    out: Annotated[
        Path, typer.Option(help="Folder of the games and of the run. What stands there is continued.")
    ] = Path("quickstart"),
    agent: Annotated[str, typer.Option(help="The rule-based player to learn from.")] = "heuristic",
    games: Annotated[int, typer.Option(min=50, help="Games to play: hanchan, or hands of MCR.")] = 1000,
    steps: Annotated[int, typer.Option(min=1, help="Training steps of 256 positions.")] = 5000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games and the same training.")] = 1,
    game: GameName = "riichi",
) -> None:
    """Train a tiny network in about ten minutes, without any game records.

    A rule-based player plays games against itself into a store, and a small network learns to discard like that
    player. At the end stands how often it does, on games it has not seen. Ctrl-C keeps what was done. The
    same command goes on. The next step is `suzaku train supervised` with records of strong players.
    """

    began = time.monotonic()
    with clear_errors(f"{out} keeps what was done; the same command goes on from there.", out):
        let_stop()
        from suzaku.agents.make import make_agent

        if game not in NETWORKS:
            raise ValueError(f"there is no network for {game}; {did_you_mean(game, NETWORKS)}")
        make_agent(agent, game).close()  # what is none is told before anything is played
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.arena.selfplay import play_store
        from suzaku.cli.compile import prepare
        from suzaku.learning.config import Config
        from suzaku.learning.learner import duration

        network = NETWORKS[game]
        _same_as_before(out, agent if game == "riichi" else f"{agent} of {game}", seed)
        prepare(f"{game} {agent}", "learning.supervised", *USED[game])
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
    from suzaku.system import write_whole

    wanted = f"agent {agent}, seed {seed}\n"
    note = out / "games.txt"
    if note.exists() and note.read_text(encoding="utf-8") != wanted:
        raise ValueError(f"{out} holds games of {note.read_text(encoding='utf-8').strip()}: choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    write_whole(note, wanted.encode())


def reward(
    data: Annotated[Path, typer.Option(help="A store of games, made by `suzaku data import`.")],
    out: Annotated[Path, typer.Option(help="Folder of the run. A run that stands there is continued.")],
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
    test: Annotated[Path | None, typer.Option(help="A store of other games for the final test.")] = None,
) -> None:
    """Learn to predict what a game will be worth to each seat (Suphx 3.2), the reward of reinforcement learning.

    `--set target=uma` learns the bonus of the places instead of Tenhou's ranking points. Ctrl-C keeps what was learnt.
    The same command goes on from there.

    Example: suzaku train reward --data games --test later --out runs/reward
    """

    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.config import RewardConfig
        from suzaku.learning.settings import read_settings

        settings = read_settings(RewardConfig, config, set_ or [])
        from suzaku.records.store import Store, Unseen

        Store(data)  # what is no store is told before anything is compiled
        if test is not None and (said := Unseen(test, data).said()):
            complain(said)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.cli.compile import prepare
        from suzaku.learning.learner import totals
        from suzaku.learning.reward_learner import RewardLearner
        from suzaku.learning.reward_report import write_report

        prepare("records.importing")
        run = run_learner(RewardLearner(settings, data), out)
        path, results = write_report(run, test)
        typer.echo(f"Trained: {totals(run.pieces)}.")
        for name, (error, half) in results["squared_errors"].items():
            typer.echo(f"{name}: mean squared error {error:,.1f} ± {half:,.1f}")
        typer.echo(f"written: {path}")


def winning_scores(
    out: Annotated[Path, typer.Option(help="Folder of the run. A run that stands there is continued.")],
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

    Needs no games: the present player plays one-player hands and learns from each. Ctrl-C keeps what was learnt. The
    same command goes on from there.

    Example: suzaku train winning-scores --model bcp --opponents one-player --out runs/bcp
    """

    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.settings import read_settings
        from suzaku.winning_scores.learner import WinningConfig

        settings = read_settings(WinningConfig, config, set_ or [], model=model, opponents=opponents, hands=hands)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.cli.compile import prepare
        from suzaku.winning_scores.learner import WinningLearner

        prepare("winning_scores.learner")
        learn_and_report(WinningLearner(settings), out)


def branches(
    out: Annotated[Path, typer.Option(help="Folder of the run. A run that stands there is continued.")],
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

    The questions are those that came up in self-play. OUT/labels keeps them with their labels, and --set
    labels=OUT/labels learns from them again in another folder. Ctrl-C keeps what was rolled out and learnt. The same
    command goes on from there. OUT/best is a player:

    Example: suzaku train branches --model riichi --start suphx --positions 10000 --rollouts 4 --out runs/branches
    """

    with clear_errors(f"{out} keeps what was rolled out and learnt; the same command goes on from there.", out):
        let_stop()
        from suzaku.learning.settings import read_settings
        from suzaku.rl.branch_config import BranchConfig
        from suzaku.rl.config import start_folder

        given: dict[str, Any] = {"model": model, "start": start, "positions": positions, "rollouts": rollouts}
        settings = read_settings(BranchConfig, config, set_ or [], **given)
        start_folder(settings.start)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.cli.compile import prepare

        if settings.labels:  # what made these need not be said again
            from suzaku.rl.branch_labels import labelled_with

            instead = labelled_with(Path(settings.labels))
            settings = read_settings(BranchConfig, config, set_ or [], instead, **given)
        from suzaku.rl.branch_learner import BranchLearner

        learner = BranchLearner(settings, out)  # what is no player is told before anything is compiled
        prepare("riichi suphx", "riichi heuristic", "learning.supervised", "records.importing", "rl.policy_gradient")
        if not settings.labels:
            roll_out(settings, learner.labels_folder)
        typer.echo("\n".join(learn_and_report(learner, out)["said"]).strip())
        player, start = (shlex.quote(f"suphx:{folder}") for folder in (out / "best", start_folder(settings.start)))
        typer.echo(f"Let it play: suzaku arena {player} {start} --games 2000")


def roll_out(settings: "BranchConfig", folder: Path) -> None:
    """Label the positions, with a progress bar."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from suzaku.agents.suphx import SuphxAgent
    from suzaku.rl.branch_labels import make_labels
    from suzaku.rl.branches import Worth, points
    from suzaku.rl.config import start_folder

    agent = SuphxAgent(start_folder(settings.start), settings.temperature, settings.seed)
    agent.expect_many()
    worth: Worth = points
    if settings.reward == "global":
        from suzaku.learning.reward import RewardModel
        from suzaku.rl.branches import predicted

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


SETTINGS = {  # where each command's settings are
    "supervised": ("suzaku.learning.config", "Config"),
    "rl": ("suzaku.rl.config", "RlConfig"),
    "branches": ("suzaku.rl.branch_config", "BranchConfig"),
    "reward": ("suzaku.learning.config", "RewardConfig"),
    "winning-scores": ("suzaku.winning_scores.learner", "WinningConfig"),
    "adapt": ("suzaku.rl.adapt_config", "AdaptConfig"),
}


def settings(command: Annotated[str, typer.Argument(help="|".join(SETTINGS))] = "supervised") -> None:
    """List the settings of a command, with defaults, bounds and meaning.

    They are set by `--set key=value`, or all together by `--config FILE` in TOML. Those of `adapt` stand in the name
    of an agent: suphx:adapt=512,adapt_rate=1e-4.

    Example: suzaku train settings rl
    """
    with clear_errors():
        from importlib import import_module
        from itertools import groupby

        from rich.console import Console
        from rich.table import Table

        from suzaku.learning.settings import told

        if command not in SETTINGS:
            raise ValueError(f"there are no settings of {command!r}; {did_you_mean(command, SETTINGS)}")
        module, name = SETTINGS[command]
        found = list(told(getattr(import_module(module), name)))
        console = Console(highlight=False)
        if not console.is_terminal:
            console.width = 120
        for group, mine in groupby(found, lambda one: one.group):
            table = Table.grid(padding=(0, 2))
            for column in ("name", "default", "bounds"):
                table.add_column(width=min(24, max(len(getattr(one, column)) for one in found)))
            for one in mine:
                table.add_row(one.name, one.default, one.bounds, one.meaning)
            console.print(f"[bold]{group}[/bold]")
            console.print(table, "")


app = typer.Typer(no_args_is_help=True, help="Train models.")
app.command(cls=GameCommand)(quickstart)
app.command()(reward)
app.command()(rl)
app.command()(branches)
app.command(name="winning-scores")(winning_scores)
app.command()(settings)


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
        list[Path], typer.Option(help="A store of games, made by `suzaku data import`. Several are read as one.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the run. A run that stands there is continued.")],
    network: Annotated[str | None, typer.Option(help="suphx-b10c128, gao-86, mcr-55-b3x3c64 ...")] = None,
    start: Annotated[
        str | None, typer.Option(help="The player to start from: a bundled one (suphx, gao ...) or a folder.")
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(help="Only these players teach: Suphx,LuckyJ. Shares mix them: Suphx=1,LuckyJ=2,others=3."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file of settings.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="One setting, key=value; may be repeated.")] = None,
    test: Annotated[Path | None, typer.Option(help="A store of other games for the final test.")] = None,
) -> None:
    """Learn to play like the players of a store of games.

    Ctrl-C keeps what was learnt. The same command goes on from there. Validation games are held out of the store by a
    hash of their name. Several GPUs or machines: torchrun --nproc-per-node N -m suzaku train supervised ...

    Example: suzaku train supervised --model discard --network suphx-b5c64 --data games --out runs/discard
    """
    with clear_errors(f"{out} keeps what was learnt; the same command goes on from there.", out):
        let_stop()
        from msgspec.structs import replace

        from suzaku.learning.config import Config
        from suzaku.learning.settings import read_settings
        from suzaku.networks.info import read_info
        from suzaku.networks.spec import network_spec

        only = None if model == "all" else model
        settings = read_settings(Config, config, set_ or [], model=only, network=network, start=start, players=players)
        spec = network_spec(settings.network)
        models = list(spec.family.models) if model == "all" else [model]
        for name in models:
            spec.model(name)  # refuses unknown names
            if (begins := replace(settings, model=name).begins_with()) is not None:
                read_info(begins)
        from suzaku.records.players import check_players
        from suzaku.records.store import Joined, Store

        store = Joined(data) if len(data) > 1 else Store(data[0])
        check_players(store, settings.players)
        if test is not None:
            _say_what_is_left_out(test, store)
        need_torch("training")  # after all that needs none: it takes seconds to load
        from suzaku.cli.compile import prepare

        if not int(os.environ.get("LOCAL_RANK", 0)):
            prepare("learning.supervised", *USED[spec.family.game])
        for name in models:
            run_training(replace(settings, model=name), store, out / name if model == "all" else out, test)
        if not int(os.environ.get("RANK", 0)):
            say_how_to_play(settings.network, out)


def _say_what_is_left_out(test: Path, data: "Store") -> None:
    """Refuse, before anything is learnt, a test of games that are learnt from, and say if some of them are."""
    from suzaku.records.store import Unseen

    said = Unseen(test, data).said()
    if said and not int(os.environ.get("RANK", 0)):
        complain(said)


def say_how_to_play(network: str, folder: Path) -> None:
    """Say which command seats the trained player, once it is certain that it can play, or why it cannot."""
    from suzaku.agents.make import make_agent
    from suzaku.networks.spec import network_spec

    family = network_spec(network).family
    agent = f"{family.player}:{folder}"
    try:
        make_agent(agent, family.game, cheating=True).close()
    except ValueError as problem:
        typer.echo(f"It cannot play yet: {problem}")
    else:
        game = "" if family.game == "riichi" else f" --game {family.game}"
        typer.echo(f"Let it play: suzaku arena {shlex.quote(agent)} shanten --games 200{game}")


def run_training(config: "Config", data: "Path | Store", folder: Path, test: Path | None) -> "dict[str, Any]":
    """Learn from a store, and return the figures of the final test."""
    from suzaku.learning.supervised import Supervised

    return learn_and_report(Supervised(config, data, test=test), folder)


def learn_and_report(learner: "Learner", folder: Path) -> "dict[str, Any]":
    """Let anything learn, with a progress bar, write the report, and return the learner's figures."""
    from suzaku.learning.learner import totals
    from suzaku.learning.report import write_report

    run = run_learner(learner, folder)
    if run.rank:
        return {}
    path, results = write_report(run)
    typer.echo(f"Trained: {totals(run.pieces)}.")
    typer.echo(f"written: {path}")
    return results


def run_learner(learner: "Learner", folder: Path) -> "Run":
    """Let anything learn, with a progress bar, and return the run when it is done."""
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
