"""`suzaku watch`: a game of four simple players, drawn move by move in the terminal."""

import enum
import time
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from suzaku.riichi.settlement import Settlement
    from suzaku.riichi.table import Table

NAMES = ("player 1", "player 2", "player 3", "player 4")
TALL = 44  # lines from which the settlement fits below the table
ROUND_PAUSE = 16  # the settlement stays for so many moves


class Length(str, enum.Enum):
    """How long a game is."""

    east = "east"
    hanchan = "hanchan"


def watch(
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**64 - 1, help="Play this game again; otherwise a new one.")
    ] = None,
    length: Annotated[Length, typer.Option(help="East rounds alone, or east and south.")] = Length.east,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between two moves.")] = 0.3,
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many rounds.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="Show only what this seat can see.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for a key before each move; q ends.")] = False,
) -> None:
    """Watch a whole game of four simple players.

    The table is drawn live: hands, rivers (riichi in orange, called tiles struck out, tiles thrown as drawn in grey),
    melds with the wind of the seat they came from, and the settlement of every round. Written to a file or a pipe,
    only the settlements and the final ranking are printed. Ctrl-C ends the game.
    """
    from rich.console import Console

    from suzaku.apps.start import prepare

    console = Console()
    again = f"To see this game again: suzaku watch --seed {{}} --length {length.value}"
    try:
        prepare()
        if seed is None:
            seed = time.time_ns() % 1_000_000
        from suzaku.riichi.rules import Rules
        from suzaku.riichi.table import Table

        table = Table(Rules.tenhou(), seed, length.value)
        Show(console, table, delay, seat, step).play(rounds)
    except (KeyboardInterrupt, EOFError):
        console.print("Stopped before the end of the game.")
        if seed is not None:
            console.print(again.format(seed))
        raise typer.Exit(130) from None
    console.print(again.format(seed))


class Show:
    """One game on its way to a terminal."""

    def __init__(self, console: "Console", table: "Table", delay: float, seat: int | None, step: bool) -> None:
        from suzaku.hand.tables import tables

        self.console = console
        self.table = table
        self.tables = tables()
        self.delay = delay
        self.seat = seat
        self.step = step

    def play(self, rounds: int | None) -> None:
        """Play to the end of the game, or for so many rounds, and print how it ended."""
        from rich.live import Live

        from suzaku.riichi.terminal_end import ranking, summary

        if self.console.is_terminal and not self.console.is_dumb_terminal:
            with Live(console=self.console, screen=True, auto_refresh=False) as screen:
                ends = self._play(rounds, screen)
            self.console.print(summary(ends, NAMES))
        else:
            self._play(rounds, None)
        if self.table.game_over:
            self.console.print(ranking(self.table.record, NAMES, self.table.points))

    def _play(self, rounds: int | None, screen: "Live | None") -> "list[Settlement]":
        from rich.console import Group

        from suzaku.riichi.settlement import settlement
        from suzaku.riichi.terminal import Board
        from suzaku.riichi.terminal_end import RoundEnd

        ends = []
        while True:
            self._play_round(screen)
            ends.append(settlement(self.table.record))
            panel = RoundEnd(ends[-1], NAMES)
            if screen is None:
                self.console.print(panel)
            else:
                board = Board(self.table.record, self.seat, names=NAMES)
                screen.update(Group(board, panel) if self.console.height >= TALL else panel, refresh=True)
                self._wait(min(ROUND_PAUSE * self.delay, 8))
            if len(ends) == rounds or self.table.game_over:
                return ends
            self.table.next_round()

    def _play_round(self, screen: "Live | None") -> None:
        from suzaku.agents.efficiency import choose
        from suzaku.riichi.actions import ACTION_NAMES
        from suzaku.riichi.picture import WIND_NAMES, wind_of
        from suzaku.riichi.state import CLAIM, ROB
        from suzaku.riichi.terminal import Board

        table, note = self.table, "the tiles are dealt"
        while table.seat >= 0:
            if screen is not None and note:
                screen.update(Board(table.record, self.seat, names=NAMES, note=note), refresh=True)
                self._wait(self.delay)
            asked = table.record.phase in (CLAIM, ROB)
            action = int(choose(self.tables, table.record, table.legal_mask()))
            name = f"{WIND_NAMES[wind_of(table.record, table.seat)]}: {ACTION_NAMES[action]}"
            table.act(action)
            if not asked:
                note = name
            elif table.record.phase in (CLAIM, ROB):
                note = ""  # the answers to a claim are secret until all have answered
            else:
                note = self._outcome()

    def _outcome(self) -> str:
        """What came of the claims that were asked: a call, or the next draw."""
        from suzaku.riichi.picture import WIND_NAMES, wind_of
        from suzaku.riichi.state import CALLED, MELD_NAMES

        record = self.table.record
        if record.seat < 0:
            return ""
        called = record.phase == CALLED or record.after_kong
        done = MELD_NAMES[record.meld_kind[record.turn, record.melds[record.turn] - 1]] if called else "draws"
        return f"{WIND_NAMES[wind_of(record, record.turn)]}: {done.replace('_', ' ')}"

    def _wait(self, seconds: float) -> None:
        if not self.step:
            time.sleep(seconds)
        elif typer.getchar() in ("q", "Q"):
            raise KeyboardInterrupt
