"""Walls from seeds, against a plain re-telling of how they are made."""

import base64
import hashlib
import struct

import numpy as np
import pytest

from suzaku.records.types import RecordError
from suzaku.records.walls import HEX_SEED, SEED, Shuffler, old_wall, wall_of_events
from suzaku.tiles import from_tenhou, full_set
from tests.records.made import told

WORDS = [(i * 2654435761 + 12345) % 2**32 for i in range(624)]


class Twister:
    """MT19937 with a key of many words, step by step."""

    def __init__(self, key):
        s = [19650218]
        for i in range(1, 624):
            s.append((1812433253 * (s[-1] ^ (s[-1] >> 30)) + i) % 2**32)
        i, j = 1, 0
        for _ in range(max(624, len(key))):
            s[i] = ((s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1664525)) + key[j] + j) % 2**32
            i, j = i + 1, (j + 1) % len(key)
            if i == 624:
                s[0], i = s[623], 1
        for _ in range(623):
            s[i] = ((s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1566083941)) - i) % 2**32
            i += 1
            if i == 624:
                s[0], i = s[623], 1
        s[0] = 0x80000000
        self.state, self.at = s, 624

    def word(self):
        if self.at == 624:
            s = self.state
            for k in range(624):
                y = (s[k] & 0x80000000) | (s[(k + 1) % 624] & 0x7FFFFFFF)
                s[k] = s[(k + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y & 1 else 0)
            self.at = 0
        y = self.state[self.at]
        self.at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)


def plain_shuffle(words):
    wall = list(range(136))
    for i in range(135):
        j = i + words[i] % (136 - i)
        wall[i], wall[j] = wall[j], wall[i]
    return [from_tenhou(number) for number in wall]


def plain_round(twister):
    text = struct.pack("<288I", *(twister.word() for _ in range(288)))
    digest = b"".join(hashlib.sha512(text[i : i + 128]).digest() for i in range(0, 1152, 128))
    return plain_shuffle(struct.unpack("<144I", digest))


def turned(wall):
    return [wall[i ^ 1] for i in range(14)] + wall[14:]


def test_seed_gives_the_walls_of_all_rounds():
    shuffler = Shuffler(SEED + "," + base64.b64encode(struct.pack("<624I", *WORDS)).decode())
    twister = Twister(WORDS)
    for _ in range(4):
        assert shuffler.next_wall().tolist() == plain_round(twister)


def test_hex_seed_of_2009():
    shuffler = Shuffler(HEX_SEED + "," + ",".join(f"{word:08X}" for word in WORDS[:32]))
    twister = Twister(WORDS[:32])
    for _ in range(2):
        assert shuffler.next_wall().tolist() == turned(plain_round(twister))


def test_seed_of_one_round():
    wall = old_wall("mt19937ar," + ",".join(f"{word:08X}" for word in WORDS[:8]))
    twister = Twister(WORDS[:8])
    assert wall.tolist() == turned(plain_shuffle([twister.word() for _ in range(135)]))


@pytest.mark.parametrize("seed", ["other,abc", SEED + ",abc=", SEED + ",AAAA", HEX_SEED + ",xyz", HEX_SEED + ","])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(RecordError, match="seed"):
        Shuffler(seed)


def test_a_filled_wall_agrees_with_what_showed_and_is_stable():
    for recorded in told(1).rounds:
        wall = wall_of_events(recorded, True)
        assert sorted(wall.tolist()) == sorted(full_set().tolist())
        assert np.array_equal(wall, wall_of_events(recorded, True))
        assert wall[5] == recorded.wall[5]
