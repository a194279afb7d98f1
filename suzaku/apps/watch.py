"""`suzaku watch`: a game of any four players, drawn move by move in the terminal."""

import shlex
import time
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.apps.errors import clear_errors
from suzaku.apps.game_options import LengthName, RulesText

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from suzaku.apps.watch_players import Players
    from suzaku.riichi.render.settlement import Settlement
    from suzaku.riichi.table import Table

EAST = "tenhou-east"  # what is played if nobody says
SIMPLE = "shanten"
SIMPLE_NAMES = ("player 1", "player 2", "player 3", "player 4")
TALL = 44  # lines from which the settlement fits below the table
ROUND_PAUSE = 16  # the settlement stays for so many moves


def watch(
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="Play this game again; otherwise a new one.")
    ] = None,
    rules: RulesText = EAST,
    length: LengthName = "",
    delay: Annotated[float, typer.Option(min=0, help="Seconds between two moves.")] = 0.3,
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many rounds.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="Show only what this seat can see.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for a key before each move; q ends.")] = False,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="Who plays, as in `suzaku arena`: suphx, heuristic, mjai:COMMAND ... Once for all seats, or four "
            "times, the first for the first dealer. [default: shanten]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Watch a whole game of four players: simple ones, or whoever is named.

    The table is drawn live: hands, rivers (riichi in orange, called tiles struck out, tiles thrown as drawn in grey),
    melds with the wind of the seat they came from, and the settlement of every round. Written to a file or a pipe,
    only the settlements and the final ranking are printed. Ctrl-C ends the game.

    Examples:

    suzaku watch --agent suphx

    suzaku watch --agent suphx --agent gao --agent heuristic --agent "mjai:python my_bot.py {seat}"
    """
    from rich.console import Console

    console = Console()
    seed = time.time_ns() % 1_000_000 if seed is None else seed
    with clear_errors():
        from suzaku.game import game_named
        from suzaku.rules_text import name_rules, read_rules

        riichi = game_named("riichi")
        played = read_rules(riichi, rules, length)
        chosen = "" if rules == EAST else f" --rules {shlex.quote(name_rules(riichi, played))}"
        named = "".join(f" --agent {shlex.quote(text)}" for text in agent or ())
        again = f"To see this game again: suzaku watch --seed {seed}{chosen} --length {played.length}{named}"
        try:
            players = _players(agent or [SIMPLE])
            try:
                table = riichi.table(played, seed)
                names = players.names() if agent else SIMPLE_NAMES
                Show(console, table, players, names, delay, seat, step).play(rounds)
            finally:
                players.close()
        except (KeyboardInterrupt, EOFError):
            console.print("Stopped before the end of the game.")
            console.print(again, soft_wrap=True, markup=False)
            raise typer.Exit(130) from None
        console.print(again, soft_wrap=True, markup=False)


def _players(texts: list[str]) -> "Players":
    """The agents, with all that they need compiled."""
    from suzaku.apps.compiling.start import prepare
    from suzaku.apps.watch_players import Players

    players = Players(texts)  # what is wrong with one is said before anything starts
    prepare("rules", *players.agents)
    return players


class Show:
    """One game on its way to a terminal."""

    def __init__(
        self, console: "Console", table: "Table", players: "Players", names: tuple[str, ...], delay: float,
        seat: int | None, step: bool,
    ) -> None:  # fmt: skip
        self.console = console
        self.table = table
        self.players = players
        self.names = names
        self.delay = delay
        self.seat = seat
        self.step = step

    def play(self, rounds: int | None) -> None:
        """Play to the end of the game, or for so many rounds, and print how it ended."""
        from rich.live import Live

        from suzaku.riichi.render.terminal_end import ranking, summary

        self.players.start(self.table)
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            with Live(console=self.console, screen=True, auto_refresh=False) as screen:
                ends = self._play(rounds, screen)
            self.console.print(summary(ends, self.names))
        else:
            self._play(rounds, None)
        if self.table.game_over:
            self.console.print(ranking(self.table.record, self.names, self.table.points))

    def _play(self, rounds: int | None, screen: "Live | None") -> "list[Settlement]":
        from rich.console import Group

        from suzaku.riichi.render.settlement import settlement
        from suzaku.riichi.render.terminal import Board
        from suzaku.riichi.render.terminal_end import RoundEnd

        ends = []
        while True:
            self._play_round(screen)
            ends.append(settlement(self.table.record))
            panel = RoundEnd(ends[-1], self.names)
            if screen is None:
                self.console.print(panel)
            else:
                board = Board(self.table.record, self.seat, names=self.names)
                screen.update(Group(board, panel) if self.console.height >= TALL else panel, refresh=True)
                self._wait(min(ROUND_PAUSE * self.delay, 8))
            if len(ends) == rounds or self.table.game_over:
                return ends
            self.table.next_round()

    def _play_round(self, screen: "Live | None") -> None:
        from suzaku.riichi.actions import ACTION_NAMES
        from suzaku.riichi.render.terminal import Board
        from suzaku.riichi.state import CLAIM, ROB
        from suzaku.table.render.picture import WIND_NAMES, wind_of

        table, note = self.table, "the tiles are dealt"
        while table.seat >= 0:
            if screen is not None and note:
                screen.update(Board(table.record, self.seat, names=self.names, note=note), refresh=True)
                self._wait(self.delay)
            asked = table.record.phase in (CLAIM, ROB)
            action = self.players.choose(table)
            name = f"{WIND_NAMES[wind_of(table.record, table.seat)]}: {ACTION_NAMES[action]}"
            self.players.act(table, action)
            if not asked:
                note = name
            elif table.record.phase in (CLAIM, ROB):
                note = ""  # the answers to a claim are secret until all have answered
            else:
                note = self._outcome()

    def _outcome(self) -> str:
        """What came of the claims that were asked: a call, or the next draw."""
        from suzaku.riichi.state import CALLED, MELD_NAMES
        from suzaku.table.render.picture import WIND_NAMES, wind_of

        record = self.table.record
        if record.seat < 0:
            return ""
        called = record.phase == CALLED or record.after_kong
        done = MELD_NAMES[record.meld_type[record.turn, record.melds[record.turn] - 1]] if called else "draws"
        return f"{WIND_NAMES[wind_of(record, record.turn)]}: {done.replace('_', ' ')}"

    def _wait(self, seconds: float) -> None:
        if not self.step:
            time.sleep(seconds)
        elif typer.getchar() in ("q", "Q"):
            raise KeyboardInterrupt
