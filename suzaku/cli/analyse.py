"""`suzaku analyse`: what every discard of a hand leads to, as a table.

- `suzaku analyse --game mcr`: the plans of a hand, after each discard.
- `suzaku analyse`: what every discard of a hand leads to, as a table.
"""

import dataclasses
import enum
import json
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from suzaku.cli.errors import clear_errors
from suzaku.cli.options import GameName

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid

    from suzaku.hand.notation import Meld
    from suzaku.lookahead.analysis import Analysis, Discard
    from suzaku.mcr.ways import Outlook, Plan
    from suzaku.table.terminal import Brush
    from suzaku.winning_scores.forecast import Chances


SHOWN = 3  # plans of a discard


def outlooks(
    hand: str, melds: "list[Meld]", visible: str, draws: int, seat_wind: str, round_wind: str
) -> "dict[str, Outlook]":
    """What a hand can become after each discard, the best first, under "" for a hand without a tile too many."""
    from suzaku.mcr.ways import look_ahead
    from suzaku.tiles import parse, to_text

    given = {"visible": visible, "draws": draws, "seat_wind": seat_wind, "round_wind": round_wind}
    now = look_ahead(hand, melds, **given)  # type: ignore[arg-type]
    if not now.discards:
        return {"": now}
    found = {}
    for tile in now.discards:
        rest = parse(hand)
        rest.remove(parse(tile)[0])
        gone = {**given, "visible": visible + tile}  # the tile is seen
        found[tile] = look_ahead(to_text(rest), melds, **gone)  # type: ignore[arg-type]
    return dict(sorted(found.items(), key=lambda one: -now.discards[one[0]]))


def to_json(found: "dict[str, Outlook]") -> str:
    """All of it as JSON."""
    return json.dumps({tile: dataclasses.asdict(one) for tile, one in found.items()}, indent=2)


def show_plans(console: "Console", found: "dict[str, Outlook]") -> None:
    """Print the plans."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid

    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    for name in ("discard", "short", "plan", "fan", "needs, with tiles unseen", "fans"):
        grid.add_column(name, justify="right" if name in ("short", "fan") else "left")
    for tile, outlook in found.items():
        short = "> 6" if outlook.distance is None else str(outlook.distance)
        for i, plan in enumerate(outlook.plans[:SHOWN] or [None]):
            grid.add_row(*((tile, short) if i == 0 else ("", "")), *(_plan_cells(plan) if plan else ["-"] * 4))
    console.print(grid)


def _plan_cells(plan: "Plan") -> list[str]:
    fans = [f"{fan.name} {fan.value}" + (f" x {fan.count}" if fan.count > 1 else "") for fan in plan.fans]
    needs = " ".join(f"{tile}x{n}" for tile, n in plan.unseen.items())
    return [plan.name, f"{plan.fan}" + (" drawn" if plan.self_drawn else ""), needs, ", ".join(fans)]


TURNS = 18
PIPE = 144  # columns when the output goes to a file or a pipe
WIDE, WIDER = 96, 118  # columns from which the best wins, and the chances by han beside them, are shown
BY_HAN = "han: 1+  2+  3+  4+"
NAMES_OF_SHANTEN = {-1: "complete", 0: "tenpai"}
EXAMPLE = "123m4067p234789s1z"


class Objective(str, enum.Enum):
    """What the player maximises."""

    win = "win"
    points = "points"


class Wind(str, enum.Enum):
    """A wind by its letter."""

    east, south, west, north = "E", "S", "W", "N"


def analyse(
    hand: Annotated[str, typer.Argument(help="The closed tiles, such as 123m4067p234789s1z. 0 is a red five.")],
    game: GameName = "riichi",
    dora: Annotated[str, typer.Option(help="Dora indicators as they lie on the table: 3p makes 4p dora.")] = "",
    melds: Annotated[
        str, typer.Option(help="Melds with commas between: 234m,777z,0555p, a closed kong as 1111z:closed.")
    ] = "",
    round_wind: Annotated[Wind, typer.Option("--round", help="The round's wind.")] = Wind.east,
    seat: Annotated[Wind, typer.Option(help="The own wind.")] = Wind.south,
    turn: Annotated[
        int | None, typer.Option(min=1, max=TURNS - 1, help="The turn of the round. 18 less this many draws are left.")
    ] = None,
    draws: Annotated[
        int | None, typer.Option(min=1, max=TURNS, help="Draws left instead, after this discard.  [default: 12]")
    ] = None,
    visible: Annotated[str, typer.Option(help="Other tiles that can be seen: rivers, others' melds.")] = "",
    objective: Annotated[Objective, typer.Option(help="Play for chances to win, or for points.")] = Objective.points,
    claims: Annotated[bool, typer.Option("--claims", help="Win on others' discards too, not by draw alone.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """What every discard of a hand leads to: shanten, accepted tiles, chances, points, han.

    The player draws alone: nobody else wins or calls. Chances are for the draws left. Points are real scores with
    riichi for closed hands, doras, red fives and average ura doras. "Best" is the highest win on a discard that
    replacing 1, 2 or 3 tiles can reach. Discards stand in order, the best first.

    "Han" is another question: how often a closed hand of 14 tiles is won with at least 1, 2, 3, 4 han, if that is the
    aim, against three who play to win as well. Learnt by self-play, with riichi where that wins more often.

    With --game mcr: the plans to 8 fan and more after each discard, with their fans and the tiles they need. Of the
    options, those of doras, aims and claims are Riichi's.

    A hand has 14 tiles, or 13 to see what it waits for, and 3 less for each meld.

    Examples:

    suzaku analyse 123m4067p234789s1z --dora 3p

    suzaku analyse 4067p234789s1z --melds 777z --seat E --turn 9 --claims

    suzaku analyse 123m406p234789s1z --visible 2p2p5p1z --objective win

    suzaku analyse 123m4067p234789s1z --json

    suzaku analyse --game mcr 123m456p78s2399m1z5z
    """
    from rich.console import Console

    from suzaku.cli.compile import prepare

    with clear_errors():
        _check_tiles(hand)
        groups = _read_melds(melds)
        if turn is not None and draws is not None:
            raise ValueError("--turn and --draws say the same: give one of them")
        left = draws if draws is not None else TURNS - turn if turn is not None else 12
        if game == "mcr":
            if dora or claims or objective is not Objective.points:
                raise ValueError("--dora, --objective and --claims are of Riichi: leave them out with --game mcr")
            prepare("review.mcr_hints")

            plans = outlooks(hand, groups, visible, left, seat.value, round_wind.value)
            if json:
                typer.echo(to_json(plans))
            else:
                console = Console()
                show_plans(console if console.is_terminal else Console(width=PIPE), plans)
            return
        if game != "riichi":
            raise ValueError(f"hands of {game} are not analysed: choose one of riichi, mcr")
        prepare("lookahead.analysis", "winning_scores.forecast")
        from suzaku.lookahead.analysis import analyse_hand
        from suzaku.tiles import KIND_OF, parse_one
        from suzaku.winning_scores.forecast import hand_chances

        found = analyse_hand(
            hand, groups, dora_indicators=dora, round_wind=round_wind.value, seat_wind=seat.value, visible=visible,
            draws=left, objective=objective.value, claims=claims,
        )  # fmt: skip
        chances = {}
        if not groups and found.discards[0].tile:
            chances = hand_chances(
                hand, dora_indicators=dora, round_wind=round_wind.value, seat_wind=seat.value, visible=visible,
                draws=left,
            )  # fmt: skip
    by_han = {row.tile: chances[int(KIND_OF[parse_one(row.tile)])] for row in found.discards if chances}
    if json:
        import dataclasses
        import json as text

        told = dataclasses.asdict(found)
        for row in told["discards"]:
            row["by_han"] = dataclasses.asdict(by_han[row["tile"]]) if by_han else None
        typer.echo(text.dumps(told, indent=2))
        return
    console = Console()
    show(console if console.is_terminal else Console(width=PIPE), found, by_han)


def _check_tiles(hand: str) -> None:
    """Refuse what is no text of tiles, such as the name of a record."""
    from suzaku.tiles import parse

    try:
        parse(hand)
    except ValueError:
        if not Path(hand).exists() and not Path(hand).suffix:
            raise
        raise ValueError(
            f"{hand} is the name of a file and not a hand such as {EXAMPLE}: suzaku data show reads records, suzaku "
            "agreement compares an agent with their players"
        ) from None


def _read_melds(text: str) -> "list[Meld]":
    """Melds from "234m,777z,1111z:closed". What type each is shows from its tiles."""
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        tiles, _, mark = part.partition(":")
        if mark not in ("", "closed"):
            raise ValueError(f"cannot read the meld {part!r}: after the colon only 'closed' can stand")
        digits = tiles[:-1].replace("0", "5")
        if len(digits) == 4:
            type_ = "closed_kong" if mark else "open_kong"
        elif mark:
            raise ValueError(f"cannot read the meld {part!r}: only a kong of four tiles can be closed")
        else:
            type_ = "pong" if len(set(digits)) == 1 else "chow"
        found.append((type_, tiles))
    return found


def show(console: "Console", found: "Analysis", by_han: "dict[str, Chances] | None" = None) -> None:
    """Print an analysis, and the chances by han of each discard where they are known: below, if there is no room."""
    from rich.text import Text

    from suzaku.table.terminal import Brush
    from suzaku.tiles import parse

    brush = Brush.of(console)
    line = brush.tiles(tuple(parse("".join(found.hand))))
    for meld in found.melds:
        line.append("   ").append(brush.tiles(tuple(parse(meld))))
    if found.dora:
        line.append("   dora ").append(brush.tiles(tuple(parse("".join(found.dora)))))
    console.print(line)
    state = NAMES_OF_SHANTEN.get(found.shanten, f"{found.shanten}-shanten")
    how = "self-draw and others' discards" if found.claims else "self-draw alone"
    console.print(Text(f"{state}; {found.draws} draws left, {found.pool} tiles unseen; wins by {how}", "dim"))
    if found.shanten < 0:
        text = str(found.value) if found.value else "no yaku: this hand cannot win as it is"
        console.print(Text(f"value by self-draw with the last tile: {text}", "bold"), soft_wrap=True)
    console.print(_grid(found, brush, console.width, by_han or {}))
    if by_han and console.width < WIDER:
        console.print(_han_grid(found, brush, by_han))
    for note in _notes(found):
        console.print(Text(note, "dim"))


def _notes(found: "Analysis") -> list[str]:
    notes = []
    if any(row.win is None for row in found.discards):
        notes.append("Chances are worked out up to 2-shanten and one step back; a dash stands for the others.")
    if len({row.swaps for row in found.discards if row.win is not None}) > 1:
        notes.append(
            "≥: without draws that improve the hand but bring it no nearer (that graph is too large); too low."
        )
    return notes


def _grid(found: "Analysis", brush: "Brush", width: int, by_han: "dict[str, Chances]") -> "Grid":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid

    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    if found.discards[0].tile:
        grid.add_column("discard", no_wrap=True)
    grid.add_column("shanten", justify="right")
    tenpai = found.shanten == 0 and not found.discards[0].tile
    grid.add_column("waits" if tenpai else "accepts, with tiles unseen", ratio=1)
    for name in ("tiles", "tenpai", "win", "points"):
        grid.add_column(name, justify="right", no_wrap=True)
    if width >= WIDE:
        grid.add_column("best by 1, 2, 3", justify="right", no_wrap=True)
    if by_han and width >= WIDER:
        grid.add_column(BY_HAN, justify="right", no_wrap=True)
    most = max((row.swaps for row in found.discards), default=0)
    for row in found.discards:
        cells = _cells(row, brush, most)
        if width < WIDE:
            cells.pop()
        if by_han and width >= WIDER:
            cells.append(_by_han(by_han[row.tile]))
        grid.add_row(*cells)
    return grid


def _han_grid(found: "Analysis", brush: "Brush", by_han: "dict[str, Chances]") -> "Grid":
    """The chances by han below the rest, where there is no room beside it: the discards in two columns."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid

    from suzaku.tiles import parse_one

    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    for _ in range(2):
        grid.add_column("discard", no_wrap=True)
        grid.add_column(BY_HAN, justify="right", no_wrap=True)
    cells = [(brush.tiles((parse_one(row.tile),)), _by_han(by_han[row.tile])) for row in found.discards]
    half = -(-len(cells) // 2)
    for left, right in zip_longest(cells[:half], cells[half:], fillvalue=("", "")):
        grid.add_row(*left, *right)
    return grid


def _by_han(chances: "Chances") -> str:
    return " ".join(f"{p:3.0%}" for p in chances.best)


def _cells(row: "Discard", brush: "Brush", most: int) -> list:
    from rich.text import Text

    from suzaku.tiles import parse_one

    accepts = Text()
    for i, (tile, n) in enumerate(row.accepts.items()):
        face = parse_one(tile)
        times = "×" if brush.kanji else "x"
        accepts.append(" " if i else "").append(brush.face(face), brush.style(face, dim=n == 0)).append(f"{times}{n}")
    mark = ("≥" if brush.kanji else ">=") if row.swaps < most else ""
    cells: list = [brush.tiles((parse_one(row.tile),))] if row.tile else []
    cells += [str(row.shanten), accepts, str(row.unseen)]
    if row.win is None or row.tenpai is None or row.points is None:
        cells += ["-", "-", "-"]
    else:
        cells += [f"{row.tenpai:.1%}", f"{mark}{row.win:.1%}", f"{row.points:,.0f}"]
    cells.append("  ".join(f"{points:>6,}" if points else "     -" for points in row.best[1:]))
    return cells
