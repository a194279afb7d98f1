"""How a hand was won, as bits.

What cannot be true is dropped: ROBBING_KONG of a self-drawn tile or of one whose kind the winner holds besides, and
AFTER_KONG without a kong or a self-draw. FOURTH_TILE is dropped when the hand itself holds the kind besides, and holds
without the flag when the winner's open melds show the other three.
"""

SELF_DRAWN = 1
LAST_TILE = 2  # the last tile of the wall, or the discard after it
FOURTH_TILE = 4  # the other three of the kind lie open
AFTER_KONG = 8  # on the replacement tile of an own kong
ROBBING_KONG = 16  # on the tile that another seat adds to a pong
NO_MIXED_KONGS = 32  # a rule, not an event: fan 82 (one concealed and one melded kong) is not played
