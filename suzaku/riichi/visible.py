"""What a seat can count from its own tiles and the open ones."""

from suzaku.kernel import kernel
from suzaku.riichi.state import CHOW, INDICATORS, PONG, RIVER_CALLED
from suzaku.tiles import DORA_OF, KIND_OF, RED


@kernel
def fill_unseen(s, p, out):
    """How many tiles of each kind seat p cannot see."""
    for kind in range(34):
        out[kind] = 4 - s.hand[p, kind]
    for q in range(4):
        for i in range(s.melds[q]):
            first = s.meld_tile[q, i]
            if s.meld_type[q, i] == CHOW:
                for kind in range(first, first + 3):
                    out[kind] -= 1
            else:
                out[first] -= 3 if s.meld_type[q, i] == PONG else 4
        for i in range(s.river_size[q]):
            if not s.river_flag[q, i] & RIVER_CALLED:
                out[KIND_OF[s.river[q, i]]] -= 1
    for i in range(s.indicators):
        out[KIND_OF[s.wall[INDICATORS[i]]]] -= 1


@kernel
def fill_unseen_tiles(s, p, out):
    """How many of each tile, red fives apart, seat p cannot see."""
    fill_unseen(s, p, out)
    if not s.rules.red_fives:
        return
    for suit in range(3):
        out[RED + suit] = 1 - s.red[p, suit]
    for q in range(4):
        for i in range(s.melds[q]):
            if s.meld_red[q, i] > 0:
                out[RED + s.meld_tile[q, i] // 9] -= s.meld_red[q, i]
        for i in range(s.river_size[q]):
            if s.river[q, i] >= RED and not s.river_flag[q, i] & RIVER_CALLED:
                out[s.river[q, i]] -= 1
    for i in range(s.indicators):
        if s.wall[INDICATORS[i]] >= RED:
            out[s.wall[INDICATORS[i]]] -= 1
    for suit in range(3):
        out[9 * suit + 4] -= out[RED + suit]


@kernel
def fill_dora(s, out):
    """How many han a tile of each kind gives as dora."""
    out[:] = 0
    for i in range(s.indicators):
        out[DORA_OF[s.wall[INDICATORS[i]]]] += 1
