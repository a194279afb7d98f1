"""Hashes of channel tables that were told otherwise once but encode the same: checkpoints that carry them still fit."""

SAME_CHANNELS = {  # hash of before -> hash of now; a line holds until the table's hash changes again
    "8b6269771230d6c1": "bf5007f5adfc725a",  # suphx
    "9386c4a67571ac84": "f1eeb562f93fdb11",  # suphx+claim
    "119cdcd1383531cd": "b27bf494c70e8323",  # gao
}


def same_channels(theirs: str | None, ours: str) -> bool:
    """Whether two hashes stand for the same channels."""
    return theirs == ours or (theirs is not None and SAME_CHANNELS.get(theirs) == ours)
