"""The types of melds by number."""

CHOW, PONG, OPEN_KONG, CLOSED_KONG, ADDED_KONG = range(5)
MELD_NAMES = ("chow", "pong", "open_kong", "closed_kong", "added_kong")
