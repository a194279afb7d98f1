"""Writes `docs/mcr-fans.md` from the table of fans: python -m suzaku.mcr.docs > docs/mcr-fans.md"""

from suzaku.mcr.fans import FANS, REPEATED

HEAD = """# The fans of MCR

This page is made from the table in `suzaku/mcr/fans.py` (`python -m suzaku.mcr.docs > docs/mcr-fans.md`). A test
compares the two. A win needs 8 fan without the flowers. A pung here is three or four equal tiles, concealed or not.

The rules are those of Botzone and of PyMahjongGB 1.4, its calculator (`python reproduce/mcr_judge.py`). A million
random and constructed wins with every fan at least 2,000 times give the same totals. A million hands have the same
shanten, except where the library waits for a fifth tile of a kind. Fan 82 is not in the official list, and
`mixed_kongs=False` leaves it out. Two Concealed Kongs are 8 in the list of the World Mahjong Organization and 6 here,
as on Botzone.

How fans add up:

- Every division of the tiles is tried, and the one with the highest total counts. Seven pairs are one more reading.
- A fan of four chows stands alone. Of a fan of three chows, the fourth chow may add one fan of two chows. Otherwise
  fans of two chows count, at most one fewer than there are chows that take part in any.
- A fan of four pungs stands alone. Else one fan of three pungs counts, and double pungs with the fourth.
- Only one of the waits counts, and only if no other tile completes the hand by its shape. Tiles that are used up and
  seven pairs count as waits, fans do not matter. If a tile fits several ways, the first of edge, closed, single counts.
- On a discard the claimed tile opens its pung, unless it can stand in a concealed chow of that division.
- Self-drawn hands that are concealed by nature (seven pairs, orphans, knitted tiles, Nine Gates, Four Concealed Pungs)
  add Self-Drawn, not Fully Concealed Hand.
- Last Tile is given when the own open melds show the other three, and impossible when the hand holds another one.
  Robbing the Kong is dropped when the winner holds the tile besides.

"""


def page() -> str:
    """The whole page."""
    lines = ["| no. | name | 中文 | fan | condition | not counted beside it |", "|---|---|---|---|---|---|"]
    for fan in FANS:
        value = f"{fan.value} each" if fan.number in REPEATED else str(fan.value)
        excludes = " ".join(str(number) for number in fan.excludes)
        lines.append(f"| {fan.number} | {fan.name} | {fan.chinese} | {value} | {fan.condition} | {excludes} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
