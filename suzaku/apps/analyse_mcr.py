"""`suzaku analyse --game mcr`: the plans of a hand, after each discard."""

import dataclasses
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from suzaku.hand.notation import Meld
    from suzaku.mcr.lookahead.analysis import Outlook, Plan

SHOWN = 3  # plans of a discard


def outlooks(
    hand: str, melds: "list[Meld]", visible: str, draws: int, seat_wind: str, round_wind: str
) -> "dict[str, Outlook]":
    """What a hand can become after each discard, the best first; of a hand without a tile too many, under ""."""
    from suzaku.mcr.lookahead.analysis import look_ahead
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


def show(console: "Console", found: "dict[str, Outlook]") -> None:
    """Print the plans."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as Grid

    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    for name in ("discard", "short", "plan", "fan", "needs, with tiles unseen", "fans"):
        grid.add_column(name, justify="right" if name in ("short", "fan") else "left")
    for tile, outlook in found.items():
        short = "> 6" if outlook.distance is None else str(outlook.distance)
        for i, plan in enumerate(outlook.plans[:SHOWN] or [None]):
            grid.add_row(*((tile, short) if i == 0 else ("", "")), *(_cells(plan) if plan else ["-"] * 4))
    console.print(grid)


def _cells(plan: "Plan") -> list[str]:
    fans = [f"{fan.name} {fan.value}" + (f" x {fan.count}" if fan.count > 1 else "") for fan in plan.fans]
    needs = " ".join(f"{tile}x{n}" for tile, n in plan.unseen.items())
    return [plan.name, f"{plan.fan}" + (" drawn" if plan.self_drawn else ""), needs, ", ".join(fans)]
