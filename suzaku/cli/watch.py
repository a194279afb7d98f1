"""`suzaku watch`: a game of any four players, drawn move by move in the terminal."""

import shlex
import time
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suzaku.cli.errors import clear_errors
from suzaku.cli.options import GameName, LengthName, RulesText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.live import Live

    from suzaku.table.game import Game
    from suzaku.table.terminal import Board, Ended


SIMPLE = "shanten"
SIMPLE_NAMES = ("player 1", "player 2", "player 3", "player 4")
TALL = 44  # lines from which the settlement fits below the table
ROUND_PAUSE = 16  # the settlement stays for so many moves


def watch(
    seed: Annotated[int | None, typer.Option(min=0, max=2**64 - 1, help="Play this game again, not a new one.")] = None,
    game: GameName = "riichi",
    rules: RulesText = "",
    length: LengthName = "",
    delay: Annotated[float, typer.Option(min=0, help="Seconds between two moves.")] = 0.3,
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many rounds.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="Show only what this seat can see.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for a key before each move (q ends).")] = False,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="Who plays, as in `suzaku arena`: suphx, heuristic, mjai:COMMAND, botzone:COMMAND ... Once for all "
            "seats, or four times, the first for the first dealer. [default: shanten]",
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

    suzaku watch --game mcr --agent heuristic

    suzaku watch --agent suphx --agent gao --agent heuristic --agent "mjai:python my_bot.py {seat}"
    """
    from rich.console import Console

    console = Console()
    seed = time.time_ns() % 1_000_000 if seed is None else seed
    with clear_errors():
        from suzaku.table.game import game_named, load, name_rules, read_rules

        chosen_game = game_named(game)
        rules = rules or chosen_game.watched
        played = read_rules(chosen_game, rules, length)
        chosen = "" if rules == chosen_game.watched else f" --rules {shlex.quote(name_rules(chosen_game, played))}"
        chosen += "" if game == "riichi" else f" --game {game}"
        named = "".join(f" --agent {shlex.quote(text)}" for text in agent or ())
        again = f"To see this game again: suzaku watch --seed {seed}{chosen} --length {played.length}{named}"
        try:
            players = _players(agent or [SIMPLE], game)
            try:
                table = load(chosen_game.table)(played, seed)
                names = players.names() if agent else SIMPLE_NAMES
                Show(console, chosen_game, table, players, names, delay, seat, step).play(rounds)
            finally:
                players.close()
        except (KeyboardInterrupt, EOFError):
            console.print("Stopped before the end of the game.")
            console.print(again, soft_wrap=True, markup=False)
            raise typer.Exit(130) from None
        console.print(again, soft_wrap=True, markup=False)


def _players(texts: list[str], game: str) -> "Players":
    """The agents, with all that they need compiled."""
    from suzaku.cli.compile import prepare

    players = Players(texts, game)  # what is wrong with one is said before anything starts
    prepare(*(f"{game} {name}" for name in players.agents))
    return players


class Players:
    """The agents of the four seats at one table: any, one for all seats or one for each."""

    def __init__(self, texts: "Sequence[str]", game: str) -> None:
        """Make the agents: one text for all seats, or four. Seats of the same text share their agent."""
        from suzaku.agents.agent import Follower
        from suzaku.agents.make import make_agent

        if len(texts) not in (1, 4):
            raise ValueError(f"give --agent once for all seats, or four times, seat by seat; not {len(texts)} times")
        self.texts = tuple(texts) * 4 if len(texts) == 1 else tuple(texts)
        self.agents = {text: make_agent(text, game) for text in dict.fromkeys(self.texts)}
        self._followers = {text: agent for text, agent in self.agents.items() if isinstance(agent, Follower)}

    def names(self) -> tuple[str, ...]:
        """What to call the seats: the agents, with numbers where several are called alike."""
        from suzaku.agents.make import short_names

        return tuple(short_names(self.texts))

    def start(self, table: Any) -> None:
        """Let the agents that remember see a game begin."""
        self._tell(table.record, -1, table.record)

    def choose(self, table: Any) -> int:
        """The action of the seat that is asked. ValueError if it is a program that does not play."""
        import numpy as np

        text = self.texts[table.seat]
        record, legal = table.record.reshape(1).copy(), table.legal_mask()[None]
        if text not in self._followers:
            return int(self.agents[text].act(record, legal).actions[0])
        agent = self._followers[text]
        action = int(agent.act_at(np.zeros(1, np.int64), record, legal).actions[0])
        if useless := getattr(agent, "useless", ""):
            raise ValueError(useless)
        return action

    def act(self, table: Any, action: int) -> None:
        """Carry out an action, before the eyes of the agents that remember."""
        before = table.record.reshape(1).copy()[0]
        table.act(action)
        self._tell(before, action, table.record)

    def _tell(self, before: Any, action: int, after: Any) -> None:
        for seat, text in enumerate(self.texts):
            if text in self._followers:
                self._followers[text].follow(0, seat, before, action, after)

    def close(self) -> None:
        """Let the agents go."""
        for agent in self.agents.values():
            agent.close()


class Show:
    """One game on its way to a terminal."""

    def __init__(
        self, console: "Console", game: "Game", table: Any, players: "Players", names: tuple[str, ...], delay: float,
        seat: int | None, step: bool,
    ) -> None:  # fmt: skip
        self.console = console
        self.game = game
        self.table = table
        self.players = players
        self.names = names
        self.delay = delay
        self.seat = seat
        self.step = step

    def play(self, rounds: int | None) -> None:
        """Play to the end of the game, or for so many rounds, and print how it ended."""
        from rich.live import Live

        from suzaku.table.terminal import ranking, summary

        self.players.start(self.table)
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            with Live(console=self.console, screen=True, auto_refresh=False) as screen:
                ends = self._play(rounds, screen)
            self.console.print(summary(ends, self.names))
        else:
            self._play(rounds, None)
        if self.table.game_over:
            record = self.table.record
            points = self.game.final_points(self.table.rules, record.scores, record.ranks)
            self.console.print(ranking(record, self.names, points.tolist()))

    def _play(self, rounds: int | None, screen: "Live | None") -> "list[Ended]":
        from rich.console import Group

        settlement = import_module(f"suzaku.{self.game.name}.picture").settlement
        round_end = import_module(f"suzaku.{self.game.name}.render").RoundEnd
        ends = []
        while True:
            self._play_round(screen)
            ends.append(settlement(self.table.record))
            panel = round_end(ends[-1], self.names)
            if screen is None:
                self.console.print(panel)
            else:
                board = self._board()
                screen.update(Group(board, panel) if self.console.height >= TALL else panel, refresh=True)
                self._wait(min(ROUND_PAUSE * self.delay, 8))
            if len(ends) == rounds or self.table.game_over:
                return ends
            self.table.next_round()

    def _play_round(self, screen: "Live | None") -> None:
        table, note = self.table, "the tiles are dealt"
        while table.seat >= 0:
            if screen is not None and note:
                screen.update(self._board(note), refresh=True)
                self._wait(self.delay)
            asked = self.game.drawings.in_secret(table.record)
            action = self.players.choose(table)
            name = f"{self._wind(table.seat)}: {self.game.action_names[action]}"
            before = table.record.reshape(1).copy()[0]
            self.players.act(table, action)
            if not asked:
                note = name
            elif table.seat >= 0 and self.game.drawings.in_secret(table.record):
                note = ""  # the answers to a claim are secret until all have answered
            else:
                note = self._outcome(self.game.drawings.event_of(before, action, table.record))

    def _outcome(self, event: dict[str, Any] | None) -> str:
        """What came of the claims that were asked: a call, or the next draw."""
        if self.table.seat < 0:
            return ""
        return f"{self._wind(event['seat'])}: {event['type']}" if event else f"{self._wind(self.table.seat)}: draws"

    def _wind(self, seat: int) -> str:
        """The name of a seat's wind."""
        from suzaku.table.picture import WIND_NAMES

        return WIND_NAMES[(seat - int(self.table.record.dealer)) % 4]

    def _board(self, note: str = "") -> "Board":
        from suzaku.table.terminal import Board

        return Board(self.game.drawings.picture, self.table.record, self.seat, names=self.names, note=note)

    def _wait(self, seconds: float) -> None:
        if not self.step:
            time.sleep(seconds)
        elif typer.getchar() in ("q", "Q"):
            raise KeyboardInterrupt
