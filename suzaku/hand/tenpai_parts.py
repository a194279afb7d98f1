"""What one suit can hold in a tenpai hand, as a small automaton that reads a suit kind by kind.

- A tenpai hand is melds and a pair less one tile, and each suit holds a *part* of it.
- The automaton takes the number of tiles of the first kind, of the second, and so on. It ends in one state for each
  part and number of tiles. A suit that fits into no tenpai hand has no way through.
- Every suit takes one way only. So sums and random draws over all suits go along the edges and count no hand twice.
"""

from dataclasses import dataclass

# The part of a suit, of two suits together, of a hand: melds alone; melds and the pair; melds less a tile; either of
# these two; melds and the pair less a tile (a tenpai hand is one).
MELDS, PAIRED, SHORT, EITHER, TENPAI = range(5)
PARTS = {
    frozenset([(0, 0)]): MELDS,
    frozenset([(1, 0)]): PAIRED,
    frozenset([(0, 1)]): SHORT,
    frozenset([(0, 1), (1, 0)]): EITHER,
    frozenset([(1, 1)]): TENPAI,
}
LARGEST = 13  # tiles of the largest tenpai hand

Reading = tuple[
    int, int, int, int
]  # runs begun at the last kind, at the one before; the pair is there; a tile is short


@dataclass
class Automaton:
    """States in order of the kinds read, and the edges into each."""

    layers: list[int]  # the first state after 0, 1, 2 ... kinds, and the number of states
    edges: list[list[tuple[int, int]]]  # into each state: the state before, and the tiles of the kind
    ends: list[tuple[int, int]]  # part and tiles of each state of the last layer


def _read(reading: Reading, tiles: int, runs: bool) -> set[Reading]:
    """What a reading can become with so many tiles of the next kind."""
    first, second, pair, short = reading
    found = set()
    for missing in (0, 1) if not short and tiles < 4 else (0,):  # there is no fifth tile to wait for
        for paired in (0, 1) if not pair else (0,):
            for triplet in (0, 1):
                begun = tiles + missing - first - second - 2 * paired - 3 * triplet
                if 0 <= begun <= (2 if runs else 0):  # three equal runs are three triplets
                    found.add((begun, first, pair | paired, short | missing))
    return found


def automaton(places: int, runs: bool) -> Automaton:
    """The smallest automaton for a suit of so many kinds, with runs or without."""
    start = frozenset([(0, 0, 0, 0)])
    layers: list[dict[tuple[frozenset[Reading], int], list]] = [{(start, 0): []}]
    for place in range(places):
        after: dict[tuple[frozenset[Reading], int], list] = {}
        for (readings, size), ways in layers[-1].items():
            for tiles in range(min(4, LARGEST - size) + 1):
                found = frozenset(
                    new
                    for reading in readings
                    for new in _read(reading, tiles, runs)
                    if not (new[0] and place + 2 >= places) and not (new[1] and place + 1 >= places)
                    if size + tiles + 2 * new[0] + new[1] <= LARGEST + 1
                )
                if found:
                    after.setdefault((found, size + tiles), [])
                    ways.append((tiles, (found, size + tiles)))
        layers.append(after)

    # States with the same ways on are one, and those with none lead nowhere; so from the last layer back.
    number = {state: i for i, state in enumerate(layers[-1])}
    ends = [(PARTS[frozenset(reading[2:] for reading in readings)], size) for readings, size in layers[-1]]
    merged: list[list[list[tuple[int, int]]]] = []
    for layer in reversed(layers[:-1]):
        seen: dict[tuple[tuple[int, int], ...], int] = {}
        before = number
        number = {}
        for state, ways in layer.items():
            kept = tuple((tiles, before[target]) for tiles, target in ways if target in before)
            if kept:
                number[state] = seen.setdefault(kept, len(seen))
        merged.insert(0, [list(ways) for ways in seen])

    sizes = [len(layer) for layer in merged] + [len(ends)]
    starts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    edges: list[list[tuple[int, int]]] = [[] for _ in range(starts[-1])]
    for i, layer in enumerate(merged):
        for state, ways in enumerate(layer):
            for tiles, target in ways:
                edges[starts[i + 1] + target].append((starts[i] + state, tiles))
    return Automaton(starts, edges, ends)
